/** Messages that say what to do, with buttons that do it. */

import * as vscode from 'vscode';

const BUTTONS = {
  'Open Settings': 'ptx.openSettings',
  'Show Output': 'ptx.showOutput',
  'Restart Server': 'ptx.restartServer',
} as const;

/** Reports a failure of the server. Returns at once; the message stays until it is answered. */
export function complain(message: string): void {
  const labels = Object.keys(BUTTONS) as (keyof typeof BUTTONS)[];
  void vscode.window.showErrorMessage(message, ...labels).then(chosen => {
    if (chosen !== undefined) {
      void vscode.commands.executeCommand(BUTTONS[chosen]);
    }
  });
}
