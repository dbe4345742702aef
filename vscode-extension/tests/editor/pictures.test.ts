/** Makes the pictures of the README and of the extension's page; see CONTRIBUTING.md. */

import { readFileSync } from 'node:fs';
import * as path from 'node:path';

import * as vscode from 'vscode';

import { execute, open, until, withSetting } from './editing.ts';
import { onScreen, press, seen } from './screen.ts';

const EXAMPLES = path.join(__dirname, '..', '..', 'examples');
const MATMUL = `.version 8.0
.target sm_80
.address_size 64

.visible .entry tile(.param .u64 a, .param .u64 b, .param .u64 d)
{
    .reg .b32   %a<4>, %b<2>, %thread;
    .reg .f32   %d<4>;
    .reg .b64   %from, %offset;

    ld.param.u64        %from, [a];
    mov.u32             %thread, %tid.x;
    mul.wide.u32        %offset, %thread, 16;
    add.u64             %from, %from, %offset;
    ld.global.v4.b32    {%a0, %a1, %a2, %a3}, [%from];
    ld.param.u64        %from, [b];
    mad.wide.u32        %from, %thread, 8, %from;
    ld.global.v2.b32    {%b0, %b1}, [%from];

    mov.f32             %d0, 0f3F800000;
    mov.f32             %d1, %d0;
    mov.f32             %d2, %d0;
    mov.f32             %d3, %d0;
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
        {%d0, %d1, %d2, %d3},
        {%a0, %a<|>1, %a2, %a3},
        {%b0, %b1},
        {%d0, %d1, %d2, %d3};

    ld.param.u64        %from, [d];
    add.u64             %from, %from, %offset;
    st.global.v4.f32    [%from], {%d0, %d1, %d2, %d3};
    ret;
}
`;

/** The text of an example, with `marked`, which has the cursor, in place of the same text. */
function example(name: string, marked: string): string {
  const whole = readFileSync(path.join(EXAMPLES, name), 'utf8');
  return whole.replace(marked.replace('<|>', ''), () => marked);
}

/** Keeps a picture of the editors, without the bars around them. */
function pictureOfEditors(name: string): Promise<unknown> {
  const to = `${process.env['PTX_TESTS_PICTURES']}/${name}.png`;
  return onScreen(async (page, file) => {
    const clip = (await page.locator('.part.editor').boundingBox()) ?? undefined;
    await page.screenshot({ path: file, ...(clip === undefined ? {} : { clip }) });
  }, to);
}

function resize(width: number, height: number): Promise<void> {
  const to = { width, height };
  return onScreen((page, size) => page.setViewportSize(size), to);
}

function theme(name: string | undefined): Thenable<void> {
  const global = vscode.ConfigurationTarget.Global;
  return vscode.workspace.getConfiguration('workbench').update('colorTheme', name, global);
}

describe('pictures of the README', () => {
  before(async () => {
    await theme('Default Dark Modern');
    await execute('notifications.clearAll');
    await execute('workbench.action.closeSidebar');
    await execute('workbench.action.closePanel');
    await execute('workbench.action.closeAuxiliaryBar');
  });

  after(async () => {
    await press('Escape');
    await resize(1280, 800);
    await theme(undefined);
  });

  it('of the hover on a register of a matrix', async () => {
    await resize(860, 710);
    await withSetting('editor.hover.above', false, async () => {
      await open('matmul.ptx', MATMUL);
      // A lens that appears later moves the lines, which closes the hover.
      await execute('revealLine', { lineNumber: 1, at: 'top' });
      await seen('.codelens-decoration', /./);
      await execute('revealLine', { lineNumber: 15, at: 'top' });
      await seen('.view-line', /0f3F800000.*1\.0/);
      await execute('editor.action.showHover');
      await seen('.monaco-hover', /16x16/);
      await onScreen(page => page.waitForSelector('.monaco-hover img'));
      await pictureOfEditors('readme-hover');
      await onScreen(page => page.waitForSelector('.monaco-hover img', { timeout: 1000 }));
      await press('Escape');
    });
  });

  it('of quick fixes', async () => {
    await resize(860, 560);
    await open('mistakes.ptx', example('mistakes.ptx', 'setp.n<|>eq'));
    await seen('.squiggly-error');
    await press('Control+.');
    await seen('.action-widget', 'Replace with');
    await pictureOfEditors('readme-quick-fix');
    await press('Escape');
  });

  it('of control flow', async () => {
    await resize(1060, 720);
    await open('saxpy.ptx', example('saxpy.ptx', 'fma<|>.rn.f32'));
    await execute('ptx.showControlFlow');
    await until('the picture is seen', () =>
      onScreen(async page => {
        const found = await Promise.all(page.frames().map(it => it.locator('.block').count()));
        return found.some(count => count > 0);
      }),
    );
    await pictureOfEditors('readme-control-flow');
  });
});
