import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

import * as vscode from 'vscode';

import { open, scale, until } from './editing.ts';
import { picture } from './screen.ts';

const SOON = 3_000; // ms

function hasPtxas(): boolean {
  try {
    execFileSync('ptxas', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function runToEnd(task: vscode.Task): Promise<void> {
  let hasEnded = false;
  const listener = vscode.tasks.onDidEndTask(event => {
    hasEnded ||= event.execution.task.name === task.name;
  });
  try {
    await vscode.tasks.executeTask(task);
    await until('the task has ended', () => hasEnded);
  } finally {
    listener.dispose();
  }
}

function said(document: vscode.TextDocument): vscode.Diagnostic | undefined {
  const all = vscode.languages.getDiagnostics(document.uri);
  return all.find(it => it.source === 'ptxas' && /mismatch/i.test(it.message));
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
    // VS Code drops what it reads more than a tenth of a second after the end of the process, as
    // happens on a busy machine; the user would run the task again, too.
    const found = await until('ptxas has said it', async () => {
      await runToEnd(task);
      return until('it is reported', () => said(document), SOON).catch(() => undefined);
    });
    assert.match(document.lineAt(found.range.start.line).text, /missing/);
    await picture('task');
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });
});
