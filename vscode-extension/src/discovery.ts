/** Finds a server that runs: the user's, that of the workspace, or ours with a Python for it. */

import * as path from 'node:path';

/** The oldest Python that runs the server. */
const LEAST = '3.11';

/**
 * Runs the server in the folder that is the first argument. Isolated (-I), so that no file of the
 * workspace and no PYTHONPATH of the user is mistaken for a part of it.
 */
const RUN =
  'import sys; sys.path.insert(0, sys.argv.pop(1)); ' +
  'from ptx_ls.cli.main import process; process()';

/** Tells the full path of the interpreter and the version of the server, or why it cannot. */
const PROBE =
  'import sys; ' +
  `sys.version_info >= (3, 11) or sys.exit("Python %d.%d, but ${LEAST} or newer is needed" % sys.version_info[:2]); ` +
  'sys.path.insert(0, sys.argv[1]); import ptx_ls; print(sys.executable); print(ptx_ls.__version__)';

/** Where a server comes from, in words for the user. */
export type Origin =
  | 'ptx.server.command'
  | 'environment of the workspace'
  | 'included server, with the Python extension’s interpreter'
  | 'included server, with Python on PATH';

/** How a server is started. */
export interface Launch {
  command: string;
  args: string[];
  origin: Origin;
}

/** A candidate that cannot be used. */
export interface Attempt {
  what: string;
  why: string;
}

/** The result of the search, and the candidates that were tried before. */
export interface Found {
  launch: Launch | undefined;
  attempts: Attempt[];
}

/** The output of a program, or the reason why it failed. */
export type Outcome = { ok: true; output: string } | { ok: false; why: string };

/** The facts about the machine and VS Code that the search needs. */
export interface Surroundings {
  /** The setting `ptx.server.command`. */
  readonly command: readonly string[];
  /** Whether programs of the workspace may be run. */
  readonly isTrusted: boolean;
  /** Paths of the folders of the workspace. */
  readonly folders: readonly string[];
  /** Path of the folder with the bundled server. */
  readonly libs: string;
  readonly platform: NodeJS.Platform;
  /** The interpreter that is chosen in the Python extension, if that is installed. */
  chosenPython(): Promise<string | undefined>;
  isFile(path: string): boolean;
  run(command: string, args: readonly string[]): Promise<Outcome>;
}

/** Finds the first server that answers, in the order of the documentation. */
export async function find(around: Surroundings): Promise<Found> {
  const [command, ...args] = around.command;
  if (command !== undefined) {
    // The user's choice is not replaced: if it fails, they need to know.
    return { launch: { command, args, origin: 'ptx.server.command' }, attempts: [] };
  }
  const attempts: Attempt[] = [];
  for (const program of around.isTrusted ? environments(around) : []) {
    const outcome = await around.run(program, ['--version']);
    if (outcome.ok) {
      const origin = 'environment of the workspace';
      return { launch: { command: program, args: ['serve'], origin }, attempts };
    }
    attempts.push({ what: program, why: outcome.why });
  }
  const chosen = around.isTrusted ? await around.chosenPython() : undefined;
  const launch =
    (chosen === undefined
      ? undefined
      : await bundled(
          around,
          chosen,
          [],
          'included server, with the Python extension’s interpreter',
          attempts,
        )) ?? (await onPath(around, attempts));
  return { launch, attempts };
}

/** Programs of environments in the folders of the workspace. */
function environments(around: Surroundings): string[] {
  const isWindows = around.platform === 'win32';
  const { join } = isWindows ? path.win32 : path.posix;
  const program = isWindows ? join('Scripts', 'ptx-ls.exe') : join('bin', 'ptx-ls');
  return around.folders
    .flatMap(folder => ['.venv', 'venv'].map(name => join(folder, name, program)))
    .filter(candidate => around.isFile(candidate));
}

async function onPath(around: Surroundings, attempts: Attempt[]): Promise<Launch | undefined> {
  const plain = ['python3', 'python', ...['14', '13', '12', '11'].map(it => `python3.${it}`)];
  const commands: [string, ...string[]][] = plain.map(it => [it]);
  if (around.platform === 'win32') {
    commands.unshift(['py', '-3']);
  }
  for (const [command, ...before] of commands) {
    const launch = await bundled(around, command, before, 'included server, with Python on PATH', attempts);
    if (launch !== undefined) {
      return launch;
    }
  }
  return undefined;
}

/** The bundled server with an interpreter, if that runs it. */
async function bundled(
  around: Surroundings,
  python: string,
  before: readonly string[],
  origin: Origin,
  attempts: Attempt[],
): Promise<Launch | undefined> {
  const outcome = await around.run(python, [...before, '-I', '-c', PROBE, around.libs]);
  if (!outcome.ok) {
    attempts.push({ what: [python, ...before].join(' '), why: outcome.why });
    return undefined;
  }
  // The full path: a name would be looked for in the folder that the server is started in, too.
  const [executable] = outcome.output.split(/\r?\n/);
  return { command: executable || python, args: ['-I', '-c', RUN, around.libs, 'serve'], origin };
}

/** The message for the user if nothing was found. */
export function complaint(attempts: readonly Attempt[]): string {
  const old = attempts.find(it => it.why.includes('or newer is needed'));
  const why = old === undefined ? '' : ` (${old.what} is ${old.why.replace(/, but.*/s, '')})`;
  return (
    `PTX: no Python ${LEAST} or newer was found to run the server${why}. ` +
    'Install Python, or set ptx.server.command to the command of another ptx-ls.'
  );
}
