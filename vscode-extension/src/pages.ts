/** Pages of rules, instructions and requirements in a panel beside the editor. */

import { randomBytes } from 'node:crypto';

import * as vscode from 'vscode';

import { document, type PageCommand } from './markup.ts';

/** One page at a time, in the place of the one before. */
export class Pages {
  #panel: vscode.WebviewPanel | undefined;

  /** Shows Markdown under a title. Links to pages beside it run `command`. */
  show(title: string, markdown: string, command?: PageCommand): void {
    // A panel that gets other content stays scrolled to where it was: each page has its own.
    const before = this.#panel;
    const column = before?.viewColumn ?? vscode.ViewColumn.Beside;
    const panel = vscode.window.createWebviewPanel(
      'ptx.page',
      title,
      { viewColumn: column, preserveFocus: true },
      // No scripts and no files; links may ask for other pages, and for nothing else.
      {
        enableScripts: false,
        localResourceRoots: [],
        enableCommandUris: ['ptx.showInstructionPage', 'ptx.explainRuleByName'],
        enableFindWidget: true,
      },
    );
    panel.webview.html = document(title, markdown, randomBytes(16).toString('base64'), command);
    panel.onDidDispose(() => {
      if (this.#panel === panel) {
        this.#panel = undefined;
      }
    });
    this.#panel = panel;
    before?.dispose();
  }

  dispose(): void {
    this.#panel?.dispose();
  }
}
