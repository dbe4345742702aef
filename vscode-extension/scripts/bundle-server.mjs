/** Puts the server and what it needs into bundled/libs, as Python that runs on any machine; and the licence. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { LEAST, python } from './python.mjs';

const extension = path.resolve(import.meta.dirname, '..');
const root = path.resolve(extension, '..');
const libs = path.join(extension, 'bundled', 'libs');
/** What lays out pages on a terminal: two thirds of the size of the bundle, and no editor uses it. */
const ONLY_FOR_TERMINALS = /^(rich|pygments|markdown_it|markdown_it_py|mdurl)(-.*\.dist-info)?$/i;

function pip(...args) {
  const env = { ...process.env, PTX_LS_PURE: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' };
  execFileSync(interpreter, ['-m', 'pip', ...args], { cwd: root, env, stdio: 'inherit' });
}

const interpreter = python();
copyFileSync(path.join(root, 'LICENSE'), path.join(extension, 'LICENSE'));
const wheels = mkdtempSync(path.join(tmpdir(), 'ptx-ls-wheel-'));
try {
  rmSync(libs, { recursive: true, force: true });
  pip('wheel', '--quiet', '--no-deps', '--wheel-dir', wheels, root);
  const [wheel] = readdirSync(wheels);
  // For any platform, so that nothing compiled slips in.
  const any = ['--platform', 'any', '--implementation', 'py', '--python-version', LEAST];
  const how = ['--quiet', '--no-compile', '--only-binary=:all:', ...any, '--target', libs];
  pip('install', ...how, path.join(wheels, wheel));
} finally {
  rmSync(wheels, { recursive: true, force: true });
}
for (const name of ['bin', 'share']) {
  rmSync(path.join(libs, name), { recursive: true, force: true }); // for terminals, too
}
for (const name of readdirSync(libs).filter(it => ONLY_FOR_TERMINALS.test(it))) {
  rmSync(path.join(libs, name), { recursive: true });
}
const compiled = readdirSync(libs, { recursive: true }).filter(it => /\.(so|pyd|dll)$/.test(it));
if (compiled.length > 0 || !existsSync(path.join(libs, 'ptx_ls', 'isa', 'data', 'compiled.marshal'))) {
  throw new Error(`bundled/libs is not what it should be: ${compiled.join(', ') || 'no ISA data'}`);
}
