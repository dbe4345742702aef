/** The machine code of a file, in an editor that cannot be written to. */

import * as vscode from 'vscode';

export const SCHEME = 'ptx-sass';

/** Keeps what is shown until its editor is closed. */
export class MachineCode implements vscode.TextDocumentContentProvider {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #texts = new Map<string, string>();
  readonly #listener = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
    if (uri.scheme === SCHEME) {
      this.#texts.delete(uri.toString());
    }
  });
  readonly onDidChange = this.#changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Shows the code of a file beside it, in the place of what was shown of it before. */
  async show(file: vscode.Uri, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `${file.path}.sass` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: false,
    });
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }
}
