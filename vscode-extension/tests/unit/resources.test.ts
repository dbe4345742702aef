import assert from 'node:assert/strict';
import { test } from 'node:test';

import { showResources } from '../../src/resources.ts';

const USAGE = {
  name: 'k', isKernel: true, registers: 24, barriers: 0, stack: 0, spillStores: 0, spillLoads: 0,
  shared: 1024, local: 0, constant: { 0: 360, 2: 40 },
};

test('what kernels use', () => {
  const page = showResources('a.ptx', {
    accepted: true, target: 'sm_90', messages: [],
    functions: [USAGE, { ...USAGE, name: 'l', registers: null }],
  });
  assert.match(page, /^# `a\.ptx` for `sm_90`\n\nptxas accepts the file\./);
  assert.ok(page.includes('|  | registers | shared | constant |\n| --- | --- | --- | --- |\n| `k` | 24 | 1,024 | 400 |\n| `l` |  | 1,024 | 400 |'));
  assert.doesNotMatch(page, /Functions|says/);
});

test('what ptxas says', () => {
  const messages = [{ line: 3, severity: 'error', text: 'no *b*' }, { line: 0, severity: 'error', text: 'x' }];
  const page = showResources('a.ptx', { accepted: false, target: 'sm_90', messages, functions: [] });
  assert.match(page, /rejects the file\.\n\n## Messages of ptxas\n\n- line 3, error: no \\\*b\\\*\n- error: x$/);
});
