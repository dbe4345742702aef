import assert from 'node:assert/strict';
import { test } from 'node:test';

import { showRequirements } from '../../src/requirements.ts';

const NEEDED = {
  declared: { version: '8.0', target: 'sm_80' },
  version_for_target: null,
  version: {
    value: '6.0',
    forced_by: [{ line: 4, what: 'bar.warp' }],
    cuda: 'CUDA 9.0',
    driver: '384',
  },
  target: { value: 'sm_30', forced_by: [] },
  targets: ['sm_30', 'sm_35'],
  locked_to: null,
};

test('what a file needs, and why', () => {
  const page = showRequirements('a.ptx', NEEDED);
  assert.match(page, /PTX ISA 6\.0 \(CUDA 9\.0, driver 384\)\n\n- line 4: bar\.warp/);
  assert.match(page, /## Runs on\n\n`sm_30`, `sm_35`/);
});

test('a file that runs nowhere', () => {
  const page = showRequirements('a.ptx', { ...NEEDED, version: null, target: null });
  assert.match(page, /No combination of version and target/);
});

test('a file for one architecture', () => {
  const own = { value: 'sm_90a', forced_by: [{ line: 9, what: 'wgmma' }] };
  const page = showRequirements('a.ptx', { ...NEEDED, locked_to: own, version_for_target: own });
  assert.match(page, /only `sm_90a`\n\n- line 9: wgmma/);
  assert.match(page, /## For `sm_80`/);
});
