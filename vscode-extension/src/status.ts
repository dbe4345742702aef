/** The status bar item: version and state of the server. */

import * as vscode from 'vscode';

/** The condition of the server. */
export type Condition =
  | { kind: 'starting' }
  | { kind: 'running'; version: string; origin: string }
  | { kind: 'stopped'; why: string };

/** Shown while a PTX file is in the active editor, and always when something is wrong. */
export class Status {
  readonly #item = vscode.window.createStatusBarItem('ptx.status', vscode.StatusBarAlignment.Right);
  readonly #listener: vscode.Disposable;
  #condition: Condition = { kind: 'starting' };

  constructor() {
    this.#item.name = 'PTX';
    this.#item.command = 'ptx.showOutput';
    this.#listener = vscode.window.onDidChangeActiveTextEditor(() => this.#update());
    this.#update();
  }

  show(condition: Condition): void {
    this.#condition = condition;
    this.#update();
  }

  dispose(): void {
    this.#listener.dispose();
    this.#item.dispose();
  }

  #update(): void {
    const condition = this.#condition;
    const isStopped = condition.kind === 'stopped';
    this.#item.text = label(condition);
    this.#item.tooltip = tooltip(condition);
    this.#item.backgroundColor = isStopped
      ? new vscode.ThemeColor('statusBarItem.errorBackground')
      : undefined;
    if (isStopped || vscode.window.activeTextEditor?.document.languageId === 'ptx') {
      this.#item.show();
    } else {
      this.#item.hide();
    }
  }
}

function label(condition: Condition): string {
  switch (condition.kind) {
    case 'starting':
      return '$(loading~spin) ptx-ls';
    case 'running':
      return `$(check) ptx-ls ${condition.version}`;
    case 'stopped':
      return '$(error) ptx-ls';
  }
}

function tooltip(condition: Condition): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  text.isTrusted = { enabledCommands: ['ptx.restartServer', 'ptx.showOutput', 'ptx.openSettings'] };
  switch (condition.kind) {
    case 'starting':
      text.appendText('The PTX server is starting.');
      break;
    case 'running':
      text.appendText(`ptx-ls ${condition.version} is running (${condition.origin}).`);
      break;
    case 'stopped':
      text.appendText(condition.why);
      break;
  }
  text.appendMarkdown(
    '\n\n[Restart Server](command:ptx.restartServer) · ' +
      '[Show Output](command:ptx.showOutput) · [Settings](command:ptx.openSettings)',
  );
  return text;
}
