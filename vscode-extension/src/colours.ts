/** Colours PTX in pages as editors do: by the patterns of the TextMate grammar. */

import grammar from '../syntaxes/ptx.tmLanguage.json';

interface Rule {
  match?: string;
  begin?: string;
  end?: string;
  name?: string;
  include?: string;
  captures?: Record<string, Rule>;
  beginCaptures?: Record<string, Rule>;
  patterns?: Rule[];
}

/** A rule that was found in a line, from its start to its end. */
interface Found {
  rule: Rule;
  match: RegExpExecArray;
}

/** Classes by how the names that the grammar gives begin; the first that fits counts. */
const CLASSES: readonly (readonly [string, string])[] = [
  ['comment', 'comment'],
  ['string', 'string'],
  ['keyword.control.flow', 'flow'],
  ['keyword.control', 'directive'],
  ['keyword.operator', ''],
  ['keyword.other', 'opcode'],
  ['support.type', 'type'],
  ['support.function', 'modifier'],
  ['storage.modifier', 'space'],
  ['variable.language', 'special'],
  ['constant.language', 'special'],
  ['variable', 'register'],
  ['entity.name.label', 'label'],
  ['entity.name', 'function'],
  ['constant.numeric', 'number'],
];

/** An opcode as pages write it, with modifiers that may be left out: `ld{.weak}`. */
const NOTATION: Rule = { match: '^[a-z]\\w*(?=\\{\\.)', name: 'keyword.other' };

const repository = grammar.repository as unknown as Record<string, Rule>;
const patterns = new Map<string, RegExp>();

/** PTX as HTML: each word in a `span` of its class, as `ptx-opcode`. */
export function colour(code: string): string {
  const rules = [NOTATION, ...flat(grammar.patterns as Rule[])];
  let open: Rule | undefined; // a rule that continues over the ends of lines: a comment
  const lines = code.split('\n').map(line => {
    const made = colourLine(line, rules, open);
    open = made.open;
    return made.html;
  });
  return lines.join('\n');
}

/** Text as HTML. */
export function escape(text: string): string {
  const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, it => named[it] ?? it);
}

function colourLine(
  line: string,
  rules: readonly Rule[],
  open: Rule | undefined,
): { html: string; open: Rule | undefined } {
  let html = '';
  let at = 0;
  while (at <= line.length) {
    if (open !== undefined) {
      const end = run(open.end ?? '$', line, at);
      const stop = end === null ? line.length : end.index + end[0].length;
      html += inside(open, line.slice(at, end === null ? undefined : end.index));
      html += end === null ? '' : span(open.name, escape(end[0]));
      at = stop;
      if (end === null) {
        return { html, open };
      }
      open = undefined;
      continue;
    }
    const found = first(rules, line, at);
    if (found === undefined) {
      break;
    }
    const { rule, match } = found;
    html += escape(line.slice(at, match.index));
    html += whole(rule, match);
    at = match.index + match[0].length;
    open = rule.begin === undefined ? undefined : rule;
  }
  return { html: html + escape(line.slice(at)), open };
}

/** The text between the ends of a rule. */
function inside(rule: Rule, text: string): string {
  return rule.patterns === undefined
    ? span(rule.name, escape(text))
    : colourLine(text, flat(rule.patterns), undefined).html;
}

/** The rule that fits first; of several at one place the first in the grammar. */
function first(rules: readonly Rule[], line: string, at: number): Found | undefined {
  let best: Found | undefined;
  for (const rule of rules) {
    const match = run(rule.match ?? rule.begin ?? '$^', line, at);
    if (match !== null && match[0] !== '' && match.index < (best?.match.index ?? Infinity)) {
      best = { rule, match };
    }
  }
  return best;
}

function run(source: string, line: string, at: number): RegExpExecArray | null {
  let pattern = patterns.get(source);
  if (pattern === undefined) {
    patterns.set(source, (pattern = new RegExp(source, 'dg')));
  }
  pattern.lastIndex = at;
  return pattern.exec(line);
}

/** The match of a rule, with the parts that it names. */
function whole(rule: Rule, match: RegExpExecArray): string {
  const captures = rule.captures ?? rule.beginCaptures ?? {};
  let html = '';
  let at = match.index;
  for (const [number, part] of Object.entries(captures)) {
    const [start, end] = match.indices?.[Number(number)] ?? [];
    if (start === undefined || end === undefined || start < at) {
      continue;
    }
    html += escape(match.input.slice(at, start));
    html += inside(part, match.input.slice(start, end));
    at = end;
  }
  html += escape(match.input.slice(at, match.index + match[0].length));
  return span(rule.name, html);
}

function span(name: string | undefined, html: string): string {
  const kind = CLASSES.find(([start]) => name?.startsWith(start))?.[1];
  return kind && html ? `<span class="ptx-${kind}">${html}</span>` : html;
}

/** The rules with what they include in their place. */
function flat(rules: readonly Rule[]): Rule[] {
  return rules.flatMap(rule => {
    if (rule.include !== undefined) {
      const included = repository[rule.include.slice(1)];
      return included === undefined ? [] : flat([included]);
    }
    const isGroup = rule.match === undefined && rule.begin === undefined;
    return isGroup ? flat(rule.patterns ?? []) : [rule];
  });
}

/**
 * The style of these classes. Webviews are not told what a theme makes of them, so these are the
 * colours of VS Code's own light and dark themes.
 */
export const STYLE = `
  body { --ptx-opcode: #0000ff; --ptx-flow: #af00db; --ptx-modifier: #795e26; --ptx-type: #267f99;
         --ptx-register: #001080; --ptx-number: #098658; --ptx-string: #a31515; --ptx-comment: #008000; }
  body.vscode-dark, body.vscode-high-contrast:not(.vscode-high-contrast-light) {
         --ptx-opcode: #569cd6; --ptx-flow: #c586c0; --ptx-modifier: #dcdcaa; --ptx-type: #4ec9b0;
         --ptx-register: #9cdcfe; --ptx-number: #b5cea8; --ptx-string: #ce9178; --ptx-comment: #6a9955; }
  .ptx-opcode, .ptx-space, .ptx-special { color: var(--ptx-opcode); }
  .ptx-flow, .ptx-directive { color: var(--ptx-flow); }
  .ptx-modifier, .ptx-function, .ptx-label { color: var(--ptx-modifier); }
  .ptx-type { color: var(--ptx-type); }
  .ptx-register { color: var(--ptx-register); }
  .ptx-number { color: var(--ptx-number); }
  .ptx-string { color: var(--ptx-string); }
  .ptx-comment { color: var(--ptx-comment); }
`;
