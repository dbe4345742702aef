import assert from 'node:assert/strict';
import { test } from 'node:test';

import { run } from '../../src/processes.ts';

test('what a program prints', async () => {
  const outcome = await run(process.execPath, ['-e', 'console.log("3.12")'], '.');
  assert.deepEqual(outcome, { ok: true, output: '3.12' });
});

test('why a program failed is the last line that it wrote', async () => {
  const code = 'console.error("at line 1\\nno module"); process.exit(3)';
  assert.deepEqual(await run(process.execPath, ['-e', code], '.'), { ok: false, why: 'no module' });
});

test('a program that is not there', async () => {
  assert.deepEqual(await run('no-such-program', [], '.'), { ok: false, why: 'not found' });
});
