import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { execute, find, open, scale, SCALE, until, withSetting } from './editing.ts';
import { gone, picture, press, seen, type } from './screen.ts';

const SNIPPET = vscode.CompletionItemKind.Snippet;
const ROW = '.suggest-widget .monaco-list-row';
const FOCUSED = `${ROW}.focused`;

describe('writing', () => {
  it('completes after each dot', async () => {
    const { document } = await open('dots.ptx', scale('$done:', '\t<|>\n$done:'));
    const line = find(document, '\t\n$done:', 1).line;
    await type('ld.');
    await seen(ROW, /^\.global/);
    await picture('completion');
    await type('glob');
    await seen(FOCUSED, '.global');
    await press('Tab');
    await type('.n');
    await seen(FOCUSED, '.nc');
    await press('Tab');
    await type('.b3');
    await seen(FOCUSED, '.b32');
    await press('Tab');
    const whole = () => document.lineAt(line).text.replace(/\s+/g, ' ').trim();
    await until('the opcode has operands', () => whole().endsWith(';'));
    assert.equal(whole(), 'ld.global.nc.b32 d, [a];');
  });

  it('offers nothing but modifiers behind a dot', async () => {
    const { document, selection } = await open('only.ptx', scale('$done:', '\tld.<|>\n$done:'));
    const { items } = await execute<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      selection.active,
      '.',
    );
    const labels = items.map(it => (typeof it.label === 'string' ? it.label : it.label.label));
    assert.ok(labels.includes('.param'), labels.join(' '));
    assert.ok(!labels.includes('.entry') && items.every(it => it.kind !== SNIPPET), labels.join(' '));
  });

  it('is laid out', async () => {
    const { document } = await open('layout.ptx', SCALE.replaceAll(', ', ' ,'));
    await press('Control+Shift+I');
    await until('the commas are in place', () => !document.getText().includes(' ,'));
    assert.match(document.getText(), / setp\.ge\.u32 +%p1, %r2, %r1;/);
  });

  it('heeds a changed setting at once', async () => {
    const { document } = await open('setting.ptx', SCALE);
    const hint = '.view-line:has-text("threadIdx.x")';
    await seen(hint);
    await withSetting('ptx.inlayHints.specialRegisters', false, async () => {
      await gone(hint);
      await seen('.view-line', /0f3F800000.*1\.0/); // the others are there
    });
    await seen(hint);
    assert.equal(document.getText(), SCALE);
  });
});
