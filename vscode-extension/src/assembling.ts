/** How a task of type `ptxas` calls the assembler. */

/** A task in tasks.json; the manifest has its schema. */
export interface Assembly {
  file: string;
  arch?: string;
  command?: string;
  args?: string[];
}

const TARGET = /^\s*\.target\s+([^/;\n]*)/m;
const ARCHITECTURE = /\b(?:sm|compute)_(\w+)/g;

/** The architecture that a module names, as `sm_90`; of several the last one counts. */
export function architecture(head: string): string | undefined {
  const names = TARGET.exec(head)?.[1] ?? '';
  const number = [...names.matchAll(ARCHITECTURE)].at(-1)?.[1];
  return number === undefined ? undefined : `sm_${number}`;
}

/** The program and its arguments. Its output is thrown away: asked is what it says of the file. */
export function commandLine(
  { file, arch, command = 'ptxas', args = [] }: Assembly,
  platform: NodeJS.Platform,
): [string, string[]] {
  const target = arch === undefined ? [] : [`-arch=${arch}`];
  const nowhere = platform === 'win32' ? 'nul' : '/dev/null';
  // A name that begins with `-` would be an option.
  const path = file.startsWith('-') ? `./${file}` : file;
  return [command, [...target, ...args, path, '-o', nowhere]];
}
