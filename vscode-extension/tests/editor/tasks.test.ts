import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

import * as vscode from 'vscode';

import { open, scale, until } from './editing.ts';
import { picture } from './screen.ts';

function hasPtxas(): boolean {
  try {
    execFileSync('ptxas', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('tasks', () => {
  it('assemble the file, and what ptxas says becomes problems', async function () {
    if (!hasPtxas()) {
      this.skip();
    }
    const { document } = await open('assembled.ptx', scale('\tret;', '\tmov.b32 %r3, missing;\n\tret;'));
    const [task, ...more] = await vscode.tasks.fetchTasks({ type: 'ptxas' });
    assert.ok(task !== undefined && more.length === 0);
    assert.equal(task.definition['arch'], 'sm_80');
    await vscode.tasks.executeTask(task);
    const found = await until('ptxas has said it', () =>
      vscode.languages
        .getDiagnostics(document.uri)
        .find(it => it.source === 'ptxas' && /mismatch/i.test(it.message)),
    );
    assert.match(document.lineAt(found.range.start.line).text, /missing/);
    await picture('task');
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });
});
