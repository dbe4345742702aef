/** Tasks that assemble a PTX file with ptxas. */

import * as vscode from 'vscode';

import { architecture, type Assembly, commandLine } from './assembling.ts';

interface Definition extends vscode.TaskDefinition, Assembly {}

const FAR = 200; // lines within which `.target` is looked for

/** Offers a task for the PTX file in the active editor, and runs those of tasks.json. */
export const provider: vscode.TaskProvider = {
  provideTasks() {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== 'ptx' || document.uri.scheme !== 'file') {
      return [];
    }
    const arch = architecture(document.getText(new vscode.Range(0, 0, FAR, 0)));
    const file = vscode.workspace.asRelativePath(document.uri, false);
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    return [task({ type: 'ptxas', file, ...(arch && { arch }) }, folder)];
  },
  resolveTask({ definition, scope }) {
    return typeof definition['file'] === 'string' ? task(definition as Definition, scope) : undefined;
  },
};

function task(
  definition: Definition,
  scope: vscode.Task['scope'] = vscode.TaskScope.Workspace,
): vscode.Task {
  const [command, args] = commandLine(definition, process.platform);
  // The file is told from the folder that the task belongs to, of which there may be several.
  const cwd = typeof scope === 'object' ? { cwd: scope.uri.fsPath } : {};
  const execution = new vscode.ProcessExecution(command, args, cwd);
  const name = `assemble ${definition.file}`;
  const made = new vscode.Task(definition, scope, name, 'ptxas', execution, '$ptxas');
  made.group = vscode.TaskGroup.Build;
  return made;
}
