import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { execute, find, moveTo, open, scale, SCALE, until } from './editing.ts';
import { picture, texts } from './screen.ts';

const WIDGET = '.token-inspect-widget';

/** What VS Code's own inspector says of the character behind the first `text`. */
async function inspect(editor: vscode.TextEditor, text: string): Promise<string> {
  const place = find(editor.document, text, text.length - 1);
  await moveTo(editor.document, place);
  await execute('editor.action.inspectTMScopes');
  const said = await until(`${text} is inspected`, async () => {
    const [shown] = await texts(WIDGET);
    return shown?.includes('textmate scopes') && shown;
  });
  await execute('editor.action.inspectTMScopes'); // the second time closes it
  await until('the inspector is closed', async () => (await texts(WIDGET)).length === 0);
  return said;
}

async function checkScopes(editor: vscode.TextEditor, expected: Record<string, string>) {
  for (const [text, scope] of Object.entries(expected)) {
    const said = await inspect(editor, text);
    assert.ok(said.split(/\s+/).includes(scope), `${text}: ${said}`);
  }
}

/** Waits for the token type of the server: its colours come a moment after those of the grammar. */
async function checkTypes(editor: vscode.TextEditor, expected: Record<string, RegExp>) {
  for (const [text, type] of Object.entries(expected)) {
    await until(`${text} is ${type}`, async () => type.test(await inspect(editor, text)));
  }
}

describe('colours', () => {
  it('of the grammar, in PTX', async () => {
    const editor = await open('scopes.ptx', `// note\n${SCALE}`);
    assert.equal(editor.document.languageId, 'ptx');
    await checkScopes(editor, {
      '// no': 'comment.line.double-slash.ptx',
      '.vers': 'keyword.control.directive.ptx',
      '.visible .entry sca': 'entity.name.function.ptx',
      'ld': 'keyword.other.memory.ptx',
      '%rd1': 'variable.other.register.ptx',
      '%tid': 'variable.language.special-register.ptx',
      '0f3F80': 'constant.numeric.float.ptx',
    });
  });

  it('of the grammar, in CUDA C++', async () => {
    const code = 'void f() { asm volatile("mov.u32 %0, %%tid.x;" : "=r"(x)); }\n';
    const editor = await open('inline.cu', code);
    assert.equal(editor.document.languageId, 'cuda-cpp');
    await checkScopes(editor, {
      'mov': 'keyword.other.data-movement.ptx',
      '%%ti': 'variable.language.special-register.ptx',
    });
  });

  it('of the server', async () => {
    const editor = await open('tokens.ptx', scale('\tret;', '\tret;\n\tadd.u32 %r3, %r1, 7;'));
    await checkTypes(editor, {
      'ld.pa': /semantic token type\s+stateSpace/,
      '@%p1 br': /semantic token type\s+opcode[^]*modifiers[^]*controlFlow/,
      'setp.ge.u32 %p': /modifiers[^]*predicate/,
      '[%rd': /modifiers[^]*address/,
      '$do': /semantic token type\s+label/,
      'add.u32 %r': /modifiers[^]*unreachable/,
    });
    await picture('colours');
  });

  it('of a file that only its first line tells', async () => {
    const editor = await open('kernel', `\n${SCALE}`.trimStart());
    assert.equal(editor.document.languageId, 'ptx');
  });
});
