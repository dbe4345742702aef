/** Asks the server to run a command. */

import * as vscode from 'vscode';
import { ExecuteCommandRequest, type LanguageClient } from 'vscode-languageclient/node';

/** The result of a command of the server; undefined if it refused, which the user is told. */
export async function ask(
  client: LanguageClient,
  command: string,
  ...args: unknown[]
): Promise<unknown> {
  try {
    return await request(client, command, ...args);
  } catch (error) {
    tell(messageOf(error));
    return undefined;
  }
}

/** The same, but it throws what the server says. */
export function request(
  client: LanguageClient,
  command: string,
  ...args: unknown[]
): Promise<unknown> {
  return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Reports an error; if a program is missing, a button leads to its setting. */
function tell(why: string): void {
  const setting = /`(ptx\.\w+\.\w+)`/.exec(why)?.[1];
  const buttons = setting === undefined ? [] : ['Open Settings'];
  void vscode.window.showWarningMessage(`PTX: ${why}`, ...buttons).then(chosen => {
    if (chosen !== undefined) {
      void vscode.commands.executeCommand('workbench.action.openSettings', setting);
    }
  });
}
