import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { execute, find, moveTo, open, SCALE, untilReported } from './editing.ts';
import { picture, press, type } from './screen.ts';

const LEAST = 10_000_000;

/** A module with that many characters at least, of many functions, with a fault in the last. */
function module(): string {
  const [head, body] = SCALE.split(/(?=\.visible)/, 2) as [string, string];
  const steps = '\tmad.lo.u32 %r2, %r2, %r1, 3;\n\tred.global.add.u32 [%rd3], %r2;\n'.repeat(200);
  const long = body.replace('$done:\n', `${steps}$done:\n`);
  const parts = [head];
  for (let size = 0, number = 0; size < LEAST; number += 1) {
    const part = long.replace('scale', `scale_${number}`);
    parts.push(part);
    size += part.length;
  }
  parts.push(body.replace('scale', 'last').replace('ret;', 'rett;'));
  return parts.join('');
}

describe('a file of ten megabytes', () => {
  it('is opened, checked and edited', async () => {
    const editor = await open('large.ptx', module());
    const { document } = editor;
    assert.equal(document.languageId, 'ptx');
    await untilReported(document, 'unknown-opcode: rett');
    await moveTo(editor.document, find(document, 'rett'));
    await press('Backspace');
    await untilReported(document);
    await picture('large');
    await press('End');
    await type(' // 𝄞\n\tfoo.u32 %r1;');
    await untilReported(document, 'unknown-opcode: foo');
    const place = find(document, '.entry last', 8);
    const hovers = await execute<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, place);
    const said = hovers.flatMap(it => it.contents).map(it => (it as vscode.MarkdownString).value);
    assert.match(said.join(), /last/);
  });
});
