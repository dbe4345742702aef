import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { execute, find, open, scale, SCALE, until } from './editing.ts';
import { click, gone, hovered, picture, press, seen, type } from './screen.ts';

const BRANCH = scale('bra $done', 'bra $do<|>ne');

describe('navigation', () => {
  it('hover under the mouse', async () => {
    await open('hover.ptx', SCALE);
    await hovered('.view-line span', '%tid', /special register/i);
    await picture('hover');
    await press('Escape');
  });

  it('goes to a label', async () => {
    const editor = await open('label.ptx', BRANCH);
    const there = find(editor.document, '\n$done:', 1).line;
    await press('F12');
    await until('the cursor is at the label', () => editor.selection.active.line === there);
  });

  it('opens a file with its debug data folded', async () => {
    const lines = Array.from({ length: 9 }, (_, it) => `.b8 ${it}`).join('\n');
    const editor = await open('folded.ptx', `${SCALE}.section .debug_str\n{\n${lines}\n}\n`);
    await until('the section is folded', () => editor.visibleRanges.length > 1);
    await picture('folded');
  });

  it('lists references', async () => {
    await open('references.ptx', scale('%r2, %tid', '%r<|>2, %tid'));
    await press('Shift+F12');
    await seen('.reference-zone-widget .ref-tree', /%r2/);
    await picture('references');
    await press('Escape');
    await gone('.reference-zone-widget');
  });

  it('renames', async () => {
    const { document } = await open('rename.ptx', BRANCH);
    await press('F2');
    await seen('.rename-box input:focus');
    await press('Control+A');
    await type('$finish');
    await press('Enter');
    await until('all is renamed', () => document.getText() === SCALE.replaceAll('$done', '$finish'));
  });

  it('tells the value of a register', async () => {
    await open('value.ptx', SCALE);
    await hovered('.view-line span', '%rd3', /%rd3 = data \+ 4\*%tid\.x/);
    await picture('value');
    await press('Escape');
  });

  it('shows where a value comes from', async () => {
    await open('value-flow.ptx', scale('[%rd3]', '[%r<|>d3]'));
    await execute('ptx.showValueFlow');
    await seen('.sidebar .monaco-list-row', /mul\.wide\.u32 %rd2/);
    await picture('value-flow');
    await execute('workbench.view.explorer');
  });

  it('shows the outline', async () => {
    const { document } = await open('outline.ptx', SCALE);
    const symbols = await execute<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    assert.deepEqual(symbols.map(it => it.name), ['scale']);
    const parts = symbols[0]?.children.map(it => it.name) ?? [];
    assert.ok(parts.includes('data') && parts.includes('$done'), parts.join());
    await execute('outline.focus');
    await seen('.outline-tree .monaco-list-row', 'scale');
    await picture('outline');
  });

  it('shows what literals and registers are in hints', async () => {
    await open('hints.ptx', SCALE);
    await seen('.view-line', /0f3F800000.*1\.0/);
    await seen('.view-line', /%tid\.x.*threadIdx\.x/);
  });

  it('opens the references of a lens', async () => {
    await open('lens.ptx', scale('\tret;', '\t@%p1 bra $done;\n\tret;'));
    await seen('.codelens-decoration', /sm_\d+/);
    await picture('lenses');
    await click('.codelens-decoration a', 'loop, repeated from line 23');
    await seen('.reference-zone-widget .ref-tree', /\$done/);
    await press('Escape');
  });
});
