/** Pages of rules, instructions and requirements in a panel beside the editor. */

import { randomBytes } from 'node:crypto';

import * as vscode from 'vscode';

import { document } from './markup.ts';

/** One panel, which shows one page after the other. */
export class Pages {
  #panel: vscode.WebviewPanel | undefined;

  /** Shows Markdown under a title. */
  show(title: string, markdown: string): void {
    const panel = (this.#panel ??= this.#open());
    panel.title = title;
    panel.webview.html = document(title, markdown, randomBytes(16).toString('base64'));
    panel.reveal(undefined, true);
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #open(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      'ptx.page',
      'PTX',
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      // No scripts and no files; links may ask for other pages, and for nothing else.
      {
        enableScripts: false,
        localResourceRoots: [],
        enableCommandUris: ['ptx.showInstructionPage', 'ptx.explainRuleByName'],
        enableFindWidget: true,
      },
    );
    panel.onDidDispose(() => {
      this.#panel = undefined;
    });
    return panel;
  }
}
