/** Bundles the tests that need no VS Code, and runs them with Node's own runner. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import { build } from 'esbuild';

const extension = path.resolve(import.meta.dirname, '..');
const folder = path.join(extension, 'tests', 'unit');
// Within the extension, where the tests find its packages.
const made = mkdtempSync(path.join(extension, 'dist-tests-'));
try {
  await build({
    entryPoints: readdirSync(folder).map(name => path.join(folder, name)),
    outdir: made,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
  });
  const files = readdirSync(made).map(name => path.join(made, name));
  const { status } = spawnSync(process.execPath, ['--test', ...files], {
    cwd: extension,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(made, { recursive: true, force: true });
}
