/** Makes HTML documents for webviews out of the server's Markdown. */

import MarkdownIt from 'markdown-it';

import { colour, escape, STYLE as COLOURS } from './colours.ts';

const STYLE = `
  body { font-family: var(--vscode-font-family); color: var(--vscode-foreground);
         background: var(--vscode-editor-background); line-height: 1.5; max-width: 60em; padding: 0 1.5em 2em; }
  a { color: var(--vscode-textLink-foreground); }
  a:hover { color: var(--vscode-textLink-activeForeground); }
  code, pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
  code { background: var(--vscode-textCodeBlock-background); padding: 0 .2em; border-radius: 3px; }
  h1 code, h2 code, h3 code { font-size: inherit; }
  pre { background: var(--vscode-textCodeBlock-background); padding: .7em 1em; overflow-x: auto; border-radius: 3px; }
  pre code { background: none; padding: 0; }
  table { border-collapse: collapse; display: block; overflow-x: auto; }
  th, td { border: 1px solid var(--vscode-panel-border); padding: .2em .6em; text-align: left; vertical-align: top; }
  h1, h2 { border-bottom: 1px solid var(--vscode-panel-border); padding-bottom: .2em; }
  ${COLOURS}
`;

/** A whole document. It loads nothing and runs nothing; `nonce` lets its own style count. */
export function document(title: string, markdown: string, nonce: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}';">
<title>${escape(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
${render(markdown)}
</body>
</html>
`;
}

/** Markdown as HTML: HTML in it is text, links lead to pages of ours, headings or the Web. */
export function render(markdown: string): string {
  const markup = new MarkdownIt({
    html: false,
    highlight: (code, language) => (language === 'ptx' ? colour(code) : ''),
  });
  markup.validateLink = link => /^(?:https:|command:|#)/.test(link);
  markup.renderer.rules['image'] = (tokens, index) => escape(tokens[index]?.content ?? '');
  const tokens = markup.parse(markdown.replace(LINK, toPage), {});
  const seen = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = tokens[index + 1]?.children?.map(it => it.content).join('') ?? '';
      token.attrSet('id', anchor(text, seen));
    }
  }
  return markup.renderer.render(tokens, markup.options, {});
}

const LINK = /\]\(([\w.-]+)\.md(?:#[^)]*)?\)/g;

/** A link to the page of another instruction or rule. */
function toPage(_link: string, name: string): string {
  const command = name.includes('-') ? 'ptx.explainRuleByName' : 'ptx.showInstructionPage';
  return `](command:${command}?${encodeURIComponent(JSON.stringify([name]))})`;
}

/** The anchor that GitHub gives a heading, which is what links on the pages expect. */
function anchor(text: string, seen: Map<string, number>): string {
  const plain = text.trim().toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
  const number = (seen.get(plain) ?? -1) + 1;
  seen.set(plain, number);
  return number === 0 ? plain : `${plain}-${number}`;
}
