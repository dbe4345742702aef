import assert from 'node:assert/strict';
import { test } from 'node:test';

import { complaint, find, type Outcome, type Surroundings } from '../../src/discovery.ts';

const GONE: Outcome = { ok: false, why: 'not found' };

/** The search on a machine with some programs, by name; each prints a text or fails. */
function machine(programs: Record<string, string | Outcome>, more: Partial<Surroundings> = {}) {
  const asked: string[] = [];
  const around: Surroundings = {
    command: [],
    isTrusted: true,
    folders: ['/project'],
    libs: '/extension/bundled/libs',
    platform: 'linux',
    chosenPython: async () => undefined,
    isFile: path => path in programs,
    run: async command => {
      asked.push(command);
      const found = programs[command] ?? GONE;
      return typeof found === 'string' ? { ok: true, output: found } : found;
    },
    ...more,
  };
  return { around, asked };
}

async function check(
  programs: Record<string, string | Outcome>,
  more: Partial<Surroundings>,
  expected: readonly [command: string, origin: string] | undefined,
) {
  const { around, asked } = machine(programs, more);
  const { launch, attempts } = await find(around);
  assert.deepEqual(launch && [launch.command, launch.origin], expected);
  return { launch, attempts, asked };
}

const PATH = 'included server, with Python on PATH';

test('the command of the user comes first and is not tried out', async () => {
  const programs = { '/project/.venv/bin/ptx-ls': 'ptx-ls 1.0', python3: '/usr/bin/python3\n0.1.0' };
  const command = ['my-server', '--stdio'];
  const { launch, asked } = await check(programs, { command }, ['my-server', 'ptx.server.command']);
  assert.deepEqual(launch?.args, ['--stdio']);
  assert.deepEqual(asked, []);
});

test('the environment of the workspace comes before the bundled server', async () => {
  const programs = { '/project/.venv/bin/ptx-ls': 'ptx-ls 1.0', python3: '/usr/bin/python3\n0.1.0' };
  const own = '/project/.venv/bin/ptx-ls';
  const { launch } = await check(programs, {}, [own, 'environment of the workspace']);
  assert.deepEqual(launch?.args, ['serve']);
});

test('an environment that does not run is passed over, and told', async () => {
  const programs = { '/project/.venv/bin/ptx-ls': GONE, python3: '/usr/bin/python3\n0.1.0' };
  const { attempts } = await check(programs, {}, ['/usr/bin/python3', PATH]);
  assert.deepEqual(attempts, [{ what: '/project/.venv/bin/ptx-ls', why: 'not found' }]);
});

test('nothing of a workspace that is not trusted is run', async () => {
  const programs = { '/project/.venv/bin/ptx-ls': 'ptx-ls 1.0', python3: '/usr/bin/python3\n0.1.0' };
  const chosenPython = () => assert.fail('asked for the interpreter');
  const more = { isTrusted: false, chosenPython };
  const { asked } = await check(programs, more, ['/usr/bin/python3', PATH]);
  assert.deepEqual(asked, ['python3']);
});

test('the chosen interpreter comes before those on PATH', async () => {
  const programs = { '/env/python': '/env/python\n0.1.0', python3: '/usr/bin/python3\n0.1.0' };
  const origin = 'included server, with the Python extension’s interpreter';
  const more = { chosenPython: async () => '/env/python' };
  const { launch } = await check(programs, more, ['/env/python', origin]);
  assert.equal(launch?.args[0], '-I');
  assert.deepEqual(launch?.args.slice(-2), ['/extension/bundled/libs', 'serve']);
});

test('an old interpreter gives way to a newer one', async () => {
  const old: Outcome = { ok: false, why: 'Python 3.9, but 3.11 or newer is needed' };
  const programs = { '/env/python': old, python3: old, 'python3.12': '/opt/python3.12\n0.1.0' };
  const more = { chosenPython: async () => '/env/python' };
  const { attempts } = await check(programs, more, ['/opt/python3.12', PATH]);
  assert.deepEqual(attempts.map(it => it.what).slice(0, 3), ['/env/python', 'python3', 'python']);
});

test('Windows has py, and its environments are laid out differently', async () => {
  const platform = 'win32';
  await check({ py: 'C:\\Python\\python.exe\r\n0.1.0' }, { platform }, [
    'C:\\Python\\python.exe',
    PATH,
  ]);
  const program = 'C:\\work\\.venv\\Scripts\\ptx-ls.exe';
  const more = { platform, folders: ['C:\\work'] } as const;
  await check({ [program]: 'ptx-ls 1.0' }, more, [program, 'environment of the workspace']);
});

test('when nothing runs, it is told what was found and what to do', async () => {
  const none = await check({}, {}, undefined);
  assert.match(complaint(none.attempts), /no Python 3\.11 or newer.*set ptx\.server\.command/);
  const old: Outcome = { ok: false, why: 'Python 3.9, but 3.11 or newer is needed' };
  const { attempts } = await check({ python3: old }, {}, undefined);
  assert.match(complaint(attempts), /\(python3 is Python 3\.9\)/);
});
