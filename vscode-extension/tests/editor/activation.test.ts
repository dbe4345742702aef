import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { open, SCALE, until } from './editing.ts';
import { picture, seen } from './screen.ts';

describe('activation', () => {
  it('happens when the first PTX file is opened', async () => {
    const extension = vscode.extensions.getExtension('ptx-ls.ptx-ls');
    assert.ok(extension, 'the extension is not installed');
    await open('note.txt', 'text');
    assert.equal(extension.isActive, false);
    await open('first.ptx', SCALE);
    await until('the extension is active', () => extension.isActive);
    const { version } = extension.packageJSON as { version: string };
    await seen('.statusbar-item', `ptx-ls ${version}`);
    await picture('activated');
  });
});
