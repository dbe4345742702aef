/** Tasks that assemble a PTX file with ptxas. */

import * as vscode from 'vscode';

interface Definition extends vscode.TaskDefinition {
  file: string;
  arch?: string;
  command?: string;
  args?: string[];
}

const TARGET = /^\s*\.target\s+(?:sm|compute)_(\w+)/m;
const FAR = 200; // lines within which `.target` is looked for

/** Offers a task for the PTX file in the active editor, and runs those of tasks.json. */
export const provider: vscode.TaskProvider = {
  provideTasks() {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== 'ptx' || document.uri.scheme !== 'file') {
      return [];
    }
    const head = document.getText(new vscode.Range(0, 0, FAR, 0));
    const number = TARGET.exec(head)?.[1];
    const arch = number === undefined ? {} : { arch: `sm_${number}` };
    const file = vscode.workspace.asRelativePath(document.uri, false);
    return [task({ type: 'ptxas', file, ...arch })];
  },
  resolveTask(found) {
    const definition = found.definition as Definition;
    return typeof definition.file === 'string' ? task(definition, found.scope) : undefined;
  },
};

function task(
  definition: Definition,
  scope: vscode.Task['scope'] = vscode.TaskScope.Workspace,
): vscode.Task {
  const { file, arch, command = 'ptxas', args = [] } = definition;
  const target = arch === undefined ? [] : [`-arch=${arch}`];
  // The code is thrown away: the task is asked what ptxas says of the file.
  const output = ['-o', process.platform === 'win32' ? 'nul' : '/dev/null'];
  const execution = new vscode.ProcessExecution(command, [...target, ...args, file, ...output]);
  const made = new vscode.Task(definition, scope, `assemble ${file}`, 'ptxas', execution, '$ptxas');
  made.group = vscode.TaskGroup.Build;
  return made;
}
