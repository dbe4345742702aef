/** Words what `ptx.assemble` found as Markdown. */

/** `registers` is null where ptxas reports none, as for functions that are not kernels. */
interface Usage {
  name: string;
  isKernel: boolean;
  registers: number | null;
  barriers: number;
  stack: number;
  spillStores: number;
  spillLoads: number;
  shared: number;
  local: number;
  constant: Record<string, number>;
}

interface Assembled {
  accepted: boolean;
  target: string;
  messages: { line: number; severity: string; text: string }[];
  functions: Usage[];
}

const COLUMNS: readonly (readonly [string, (usage: Usage) => number | null])[] = [
  ['registers', it => it.registers],
  ['barriers', it => it.barriers],
  ['stack', it => it.stack],
  ['spill stores', it => it.spillStores],
  ['spill loads', it => it.spillLoads],
  ['shared', it => it.shared],
  ['local', it => it.local],
  ['constant', it => Object.values(it.constant).reduce((sum, size) => sum + size, 0)],
];

/** A page about a file of that name. */
export function showResources(name: string, found: unknown): string {
  const { accepted, target, messages, functions } = found as Assembled;
  const verdict = accepted ? 'ptxas accepts the file' : 'ptxas rejects the file';
  const parts = [`# \`${name}\` for \`${target}\``, `${verdict}.`];
  if (messages.length > 0) {
    const lines = messages.map(it => `- ${it.line > 0 ? `line ${it.line}, ` : ''}${it.severity}: ${plain(it.text)}`);
    parts.push(`## Messages of ptxas\n\n${lines.join('\n')}`);
  }
  for (const isKernel of [true, false]) {
    const of = functions.filter(it => it.isKernel === isKernel);
    if (of.length > 0) {
      parts.push(`## ${isKernel ? 'Kernels' : 'Functions'}\n\nMemory in bytes.\n\n${table(of)}`);
    }
  }
  return parts.join('\n\n');
}

/** A row for each function; a column for each resource that one of them uses. */
function table(functions: readonly Usage[]): string {
  const used = COLUMNS.filter(([, count]) => functions.some(it => (count(it) ?? 0) > 0));
  const rows = functions.map(it => [
    `\`${it.name}\``,
    ...used.map(([, count]) => count(it)?.toLocaleString('en') ?? ''),
  ]);
  const lines = [['', ...used.map(([name]) => name)], ['---', ...used.map(() => '---')], ...rows];
  return lines.map(line => `| ${line.join(' | ')} |`).join('\n');
}

/** Escapes text that is not Markdown. */
function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~]/g, '\\$&');
}
