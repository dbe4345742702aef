import assert from 'node:assert/strict';
import { test } from 'node:test';

import { architecture, commandLine } from '../../src/assembling.ts';

test('the architecture that a module names', () => {
  assert.equal(architecture('// x\n.version 8.5\n.target sm_90a, debug\n'), 'sm_90a');
  assert.equal(architecture('\t.target compute_80\n'), 'sm_80');
  assert.equal(architecture('.target sm_70, sm_80 // sm_90'), 'sm_80');
  assert.equal(architecture('.target texmode_unified'), undefined);
  assert.equal(architecture('// .target sm_90\n'), undefined);
});

test('what is run', () => {
  assert.deepEqual(commandLine({ file: 'a b.ptx', arch: 'sm_90' }, 'linux'), [
    'ptxas', ['-arch=sm_90', 'a b.ptx', '-o', '/dev/null'],
  ]);
  assert.deepEqual(commandLine({ file: 'k.ptx', command: 'p.exe', args: ['-v'] }, 'win32'), [
    'p.exe', ['-v', 'k.ptx', '-o', 'nul'],
  ]);
  assert.deepEqual(commandLine({ file: '-x.ptx' }, 'linux'), [
    'ptxas', ['./-x.ptx', '-o', '/dev/null'],
  ]);
});
