/** The interpreter that is chosen in the Python extension, which need not be installed. */

import * as vscode from 'vscode';

const ID = 'ms-python.python';

/** The part of that extension's interface that is used here. */
interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath(): { readonly path: string };
    resolveEnvironment(
      of: { readonly path: string },
    ): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** The path of the chosen interpreter. */
export async function chosenPython(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>(ID);
  if (extension === undefined) {
    return undefined;
  }
  try {
    const { environments } = await extension.activate();
    const chosen = environments?.getActiveEnvironmentPath();
    const resolved = chosen && (await environments?.resolveEnvironment(chosen));
    return resolved?.executable.uri?.fsPath ?? chosen?.path;
  } catch {
    return undefined; // as if it were not installed; its own messages tell what is wrong with it
  }
}

/** Calls back when another interpreter is chosen, from when on that extension is active. */
export function onChoice(callback: () => void): vscode.Disposable | undefined {
  const extension = vscode.extensions.getExtension<PythonApi>(ID);
  const environments = extension?.isActive ? extension.exports.environments : undefined;
  return environments?.onDidChangeActiveEnvironmentPath(callback);
}
