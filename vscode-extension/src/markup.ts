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

/** The commands that show the page of an instruction or a chapter, and that of a rule. */
export type PageCommand = 'ptx.showInstructionPage' | 'ptx.explainRuleByName';

/** The commands by the folder of the pages on the site. */
const COMMANDS: Record<string, PageCommand> = {
  isa: 'ptx.showInstructionPage',
  rules: 'ptx.explainRuleByName',
};

/**
 * A whole document. It loads nothing and runs nothing; `nonce` lets its own style count. Links to
 * pages beside it run `command`.
 */
export function document(
  title: string,
  markdown: string,
  nonce: string,
  command?: PageCommand,
): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}';">
<title>${escape(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
${render(markdown, command)}
</body>
</html>
`;
}

/** Markdown as HTML: HTML in it is text, links lead to pages of ours, headings or the Web. */
export function render(
  markdown: string,
  command: PageCommand = 'ptx.showInstructionPage',
): string {
  const markup = new MarkdownIt({
    html: false,
    highlight: (code, language) => (language === 'ptx' ? colour(code) : ''),
  });
  markup.validateLink = link => /^(?:https:|command:|#)/.test(link);
  markup.renderer.rules['image'] = (tokens, index) => escape(tokens[index]?.content ?? '');
  const tokens = markup.parse(
    withPages(markdown).replace(LINK, (_link, name: string) => toPage(command, name)),
    {},
  );
  const seen = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = tokens[index + 1]?.children?.map(it => it.content).join('') ?? '';
      token.attrSet('id', anchor(text, seen));
    }
  }
  return markup.renderer.render(tokens, markup.options, {});
}

/** Markdown with commands in place of links to pages on the site, which the server has, too. */
export function withPages(markdown: string): string {
  return markdown.replace(ON_SITE, (link, folder: string, name: string) => {
    const command = COMMANDS[folder];
    return command === undefined ? link : toPage(command, name);
  });
}

const LINK = /\]\(([\w.%-]+)\.md(?:#[^)]*)?\)/g;
const ON_SITE = /\]\(https:\/\/ptx-ls\.readthedocs\.io\/(isa|rules)\/([\w.-]+)\)/g;

/** The end of a link that runs a command with the name of a page. */
function toPage(command: PageCommand, name: string): string {
  return `](command:${command}?${encodeURIComponent(JSON.stringify([name]))})`;
}

/** The anchor that GitHub gives a heading, which is what links on the pages expect. */
function anchor(text: string, seen: Map<string, number>): string {
  const plain = text.trim().toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
  const number = (seen.get(plain) ?? -1) + 1;
  seen.set(plain, number);
  return number === 0 ? plain : `${plain}-${number}`;
}
