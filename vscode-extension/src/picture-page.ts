/** The document that shows a picture of a function, and what goes to it and comes from it. */

import { escape, STYLE as COLOURS } from './colours.ts';

/** The server's description of a function; lines from 0, `source` the name in its source. */
export interface Picture {
  name: string;
  source?: string | null;
  first: number;
  last: number;
  svg: string;
}

/** A kind of picture of a function, and how the server makes it. */
export interface PictureKind {
  /** The command of the server, which returns a picture, or text in another format. */
  command: string;
  /** The kind of the panel. */
  panel: string;
  title: string;
  /** The other format, which is also the ending of its files, and what editors call it. */
  format: string;
  ending: string;
  formatName: string;
  /** Whether the server makes it for the size of the view. */
  isFitted: boolean;
}

export const CONTROL_FLOW: PictureKind = {
  command: 'ptx.showCfg',
  isFitted: true,
  panel: 'ptx.flow',
  title: 'Control flow',
  format: 'dot',
  ending: 'dot',
  formatName: 'Graphviz',
};

export const SYNCHRONIZATION: PictureKind = {
  command: 'ptx.showSync',
  isFitted: false,
  panel: 'ptx.sync',
  title: 'Synchronisation',
  format: 'text',
  ending: 'txt',
  formatName: 'Text',
};

/** To the page: the line of the cursor, and whether its block should come into view. */
export interface ToPage {
  cursor: number | undefined;
  isShown: boolean;
}

/** The width and the height of the view, in pixels. */
export type Area = [number, number];

/** From the page. */
export type FromPage =
  | { kind: 'ready'; area: Area }
  | { kind: 'resized'; area: Area }
  | { kind: 'reveal'; line: number }
  | { kind: 'save'; isPicture: boolean };

const STYLE = `
  html, body { height: 100%; margin: 0; padding: 0; }
  body { display: flex; flex-direction: column; background: var(--vscode-editor-background); color: var(--vscode-foreground); }
  #tools { display: flex; gap: .3em; padding: .35em .6em; align-items: center; border-bottom: 1px solid var(--vscode-panel-border); }
  #tools button { font: inherit; padding: .1em .7em; cursor: pointer; border: 1px solid var(--vscode-button-border, transparent); border-radius: 2px;
                  color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
  #tools button:hover { background: var(--vscode-button-secondaryHoverBackground); }
  #tools button:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 1px; }
  #scale { min-width: 3.5em; text-align: center; font-variant-numeric: tabular-nums; }
  #note { margin-left: auto; color: var(--vscode-descriptionForeground); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  #view { flex: 1; overflow: auto; outline: none; cursor: grab; }
  #view.moving { cursor: grabbing; user-select: none; }
  #view svg { display: block; margin: 0 auto; }
  .cfg.cfg { --cfg-paper: var(--vscode-editor-background); --cfg-ink: var(--vscode-editor-foreground);
    --cfg-muted: var(--vscode-descriptionForeground); --cfg-box: var(--vscode-editorWidget-background);
    --cfg-border: var(--vscode-contrastBorder, var(--vscode-editorIndentGuide-activeBackground1, currentColor));
    --cfg-plain: var(--vscode-charts-blue); --cfg-taken: var(--vscode-charts-green); --cfg-otherwise: var(--vscode-charts-red);
    --cfg-case: var(--vscode-charts-yellow); --cfg-loop: var(--vscode-charts-purple);
    --cfg-opcode: var(--ptx-opcode); --cfg-guard: var(--vscode-symbolIcon-eventForeground); }
  .cfg .block { cursor: pointer; outline: none; }
  .cfg .block:hover .box, .cfg .block:focus-visible .box { stroke: var(--vscode-focusBorder); stroke-width: 2; }
  .cfg .block.here .box { stroke: var(--vscode-focusBorder); stroke-width: 3; }
  .cfg .link.of-here { stroke-width: 3.4; }
  .sync.sync { --sync-paper: var(--vscode-editor-background); --sync-ink: var(--vscode-editor-foreground);
    --sync-muted: var(--vscode-descriptionForeground); --sync-line: var(--vscode-editorIndentGuide-activeBackground1, currentColor);
    --sync-thread: var(--vscode-charts-blue); --sync-object: var(--vscode-charts-purple); --sync-work: var(--vscode-charts-green);
    --sync-barrier: var(--vscode-charts-red); --sync-fence: var(--vscode-charts-yellow); --sync-loop: var(--vscode-descriptionForeground); }
  .sync .block { cursor: pointer; outline: none; }
  .sync .block .hit { fill: var(--vscode-editor-foreground); }
  .sync .block:hover .hit, .sync .block:focus-visible .hit { fill-opacity: .06; }
  .sync .block.here .hit { fill-opacity: .12; }
  @media (prefers-reduced-motion: no-preference) { #view.soft { scroll-behavior: smooth; } }
  ${COLOURS}
`;

const TOOLS = [
  ['out', '\u2212', 'Smaller (\u2212)'],
  ['in', '+', 'Larger (+)'],
  ['fit', 'Fit', 'The whole picture (0)'],
  ['full', '1:1', 'Original size (1)'],
  ['svg', 'Save as SVG\u2026', 'Save the picture'],
] as const;

/**
 * The whole document. It loads nothing but its script, and only what carries the nonce counts.
 * `note` tells why the picture is not what the text is now.
 */
export function pictureDocument(
  kind: PictureKind,
  picture: Picture,
  script: string,
  source: string,
  nonce: string,
  note = '',
): string {
  const rule = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}' ${source};`;
  const { formatName } = kind;
  const other = ['other', `Save as ${formatName}\u2026`, `Save as ${formatName}`] as const;
  const tools = [...TOOLS, other].map(
    ([id, label, title]) => `<button type="button" id="${id}" title="${title}">${label}</button>`,
  );
  tools.splice(1, 0, '<span id="scale" aria-live="polite"></span>');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${rule}">
<title>${escape(picture.name)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body data-name="${escape(picture.name)}">
<div id="tools" role="toolbar" aria-label="Picture">${tools.join('')}<span id="note">${escape(note)}</span></div>
<div id="view" tabindex="0">
${picture.svg.replaceAll('<style>', `<style nonce="${nonce}">`)}
</div>
<script nonce="${nonce}" src="${escape(script)}"></script>
</body>
</html>
`;
}

/** A file name for a function, whose own may be long or hold what no file name may. */
export function fileName(name: string, format: string): string {
  const plain = name.replace(/[^\w$.-]/g, '_').slice(0, 60);
  return `${plain || 'function'}.${format}`;
}
