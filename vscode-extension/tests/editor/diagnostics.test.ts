import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { execute, find, moveTo, open, scale, SCALE, until, untilReported, withSetting } from './editing.ts';
import { gone, picture, press, seen, type } from './screen.ts';

const SQUIGGLE = '.monaco-editor .squiggly-error';

describe('diagnostics', () => {
  it('appear and vanish while one types', async () => {
    const { document } = await open('typing.ptx', scale('%rd2;\n', '%rd2;<|>\n'));
    await type('\nfoo.u32 %r1;');
    await untilReported(document, 'unknown-opcode: foo');
    await seen(SQUIGGLE);
    await execute('workbench.actions.view.problems');
    await seen('.markers-panel', /foo/);
    await picture('problems');
    await execute('workbench.action.closePanel');
    await press('Control+1', 'Control+Shift+K');
    await untilReported(document);
    await gone(SQUIGGLE);
    assert.equal(document.getText(), SCALE);
  });

  it('stand in the right columns behind characters outside of ASCII', async () => {
    const text = scale('\tst.global', '\t/* größe 𝄞 */ st.global').replace('0f3F800000', '%f9');
    const editor = await open('columns.ptx', text);
    await untilReported(editor.document, 'undeclared-register: %f9');
    await moveTo(editor.document, find(editor.document, '𝄞'));
    await type('𝄞ü');
    await until('it is typed', () => editor.document.getText().includes('größe 𝄞𝄞ü */'));
    await moveTo(editor.document, find(editor.document, '%f9'));
    await press('Backspace');
    await type('8');
    await untilReported(editor.document, 'undeclared-register: %f8');
  });

  it('of files that are not open are shown while the user wants them', async () => {
    const { document } = await open('closed.ptx', scale('st.global.f32', 'st.globl.f32'));
    await untilReported(document, 'unknown-modifier: .globl');
    const shown = () => vscode.languages.getDiagnostics(document.uri).length;
    await open('other.ptx', SCALE);
    await until('nothing is shown of it', () => shown() === 0);
    await withSetting('ptx.diagnostics.workspace', true, async () => {
      await until('it is shown', () => shown() === 1);
    });
    await until('nothing is shown of it again', () => shown() === 0);
    await vscode.workspace.fs.delete(document.uri);
  });

  it('are mended by a quick fix', async () => {
    const editor = await open('fix.ptx', scale('st.global.f32', 'st.globl<|>.f32'));
    await untilReported(editor.document, 'unknown-modifier: .globl');
    await press('Control+.');
    await seen('.action-widget', 'Replace with');
    await picture('quick-fix');
    await press('Enter');
    await untilReported(editor.document);
    assert.equal(editor.document.getText(), SCALE);
  });

  it('explain themselves', async () => {
    const { document } = await open('explain.ptx', scale('ret;', 'rett;'));
    await untilReported(document, 'unknown-opcode: rett');
    const [found] = vscode.languages.getDiagnostics(document.uri);
    assert.ok(found);
    const actions = await execute<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      found.range,
    );
    const action = actions.find(it => it.command?.command === 'ptx.explainRule');
    assert.ok(action?.command, actions.map(it => it.title).join());
    await execute(action.command.command, ...(action.command.arguments ?? []));
    await seen('.tab', 'Rule unknown-opcode');
  });
});
