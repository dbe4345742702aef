/** Files of the workspace in the editor, places in them, and waiting for what has to come. */

import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { press } from './screen.ts';

const PATIENCE = 60_000; // ms; a machine may be busy
const PAUSE = 50; // ms between two looks

/** A module with what most tests look at. */
export const SCALE = `.version 8.0
.target sm_80
.address_size 64

.visible .entry scale(
\t.param .u64 data,
\t.param .u32 count
)
{
\t.reg .pred %p<2>;
\t.reg .b32 %r<4>;
\t.reg .b64 %rd<4>;

\tld.param.u64 %rd1, [data];
\tld.param.u32 %r1, [count];
\tmov.u32 %r2, %tid.x;
\tsetp.ge.u32 %p1, %r2, %r1;
\t@%p1 bra $done;
\tmul.wide.u32 %rd2, %r2, 4;
\tadd.u64 %rd3, %rd1, %rd2;
\tst.global.f32 [%rd3], 0f3F800000;
$done:
\tret;
}
`;

/** Waits for something that is neither false nor empty. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  patience = PATIENCE,
): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const found = await look();
    if (found) {
      return found;
    }
    if (Date.now() > end) {
      assert.fail(`waited in vain until ${what}`);
    }
    await new Promise(resolve => setTimeout(resolve, PAUSE));
  }
}

/**
 * Writes a file into the workspace, opens it and, if it is PTX, waits for the server;
 * `<|>` in its text is where the cursor goes.
 */
export async function open(name: string, text: string): Promise<vscode.TextEditor> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, 'no folder is open');
  const uri = vscode.Uri.joinPath(folder.uri, name);
  const cursor = text.indexOf('<|>');
  if (vscode.window.activeTextEditor?.document.isDirty) {
    await vscode.commands.executeCommand('workbench.action.files.revert'); // else it would ask
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text.replace('<|>', '')));
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await moveTo(document, document.positionAt(Math.max(cursor, 0)));
  if (document.languageId === 'ptx') {
    await until('the server knows the file', () => hasSymbols(document));
  }
  return editor;
}

/** `SCALE` with other text in place of some of it. */
export function scale(before: string, after: string): string {
  assert.ok(SCALE.includes(before), before);
  return SCALE.replace(before, () => after);
}

async function hasSymbols(document: vscode.TextDocument): Promise<boolean> {
  const found = await execute<unknown[]>('vscode.executeDocumentSymbolProvider', document.uri);
  return found !== undefined && found.length > 0;
}

/** Puts the cursor somewhere; the keys that follow are typed there. */
export async function moveTo(
  document: vscode.TextDocument,
  to: vscode.Position,
): Promise<vscode.TextEditor> {
  const selection = new vscode.Range(to, to);
  // Other than setting `editor.selection`, this waits until it is done.
  const editor = await vscode.window.showTextDocument(document, { selection });
  await press('Control+1');
  return editor;
}

/** The place behind the first `text`, or `into` characters into it. */
export function find(document: vscode.TextDocument, text: string, into = text.length): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, `no ${text}`);
  return document.positionAt(offset + into);
}

/** Rules of what is reported, each with the text that is underlined. */
export function reported(document: vscode.TextDocument): string[] {
  return vscode.languages.getDiagnostics(document.uri).map(it => {
    const rule = typeof it.code === 'object' ? it.code.value : it.code;
    return `${rule}: ${document.getText(it.range)}`;
  });
}

/** Waits until exactly this is reported. */
export function untilReported(document: vscode.TextDocument, ...expected: string[]): Promise<true> {
  const what = `${document.fileName} has [${expected}]`;
  return until<true>(what, () => String(reported(document)) === String(expected)).catch(error => {
    assert.deepEqual(reported(document), expected);
    throw error;
  });
}

export function execute<T>(command: string, ...args: unknown[]): Thenable<T> {
  return vscode.commands.executeCommand<T>(command, ...args);
}

/** Changes a setting, of the workspace by default, and takes it back when `during` has ended. */
export async function withSetting(
  name: string,
  value: unknown,
  during: () => Promise<void>,
  target = vscode.ConfigurationTarget.Workspace,
): Promise<void> {
  const set = (to: unknown) => vscode.workspace.getConfiguration().update(name, to, target);
  await set(value);
  try {
    await during();
  } finally {
    await set(undefined);
  }
}
