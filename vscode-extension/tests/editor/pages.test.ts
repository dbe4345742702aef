import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { execute, find, open, scale, SCALE, until } from './editing.ts';
import { onScreen, picture, seen } from './screen.ts';

const PATIENCE = 45_000;
const SYNCHRONIZING = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 from)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<2>;
    .shared .align 16 .b8 tile[64];
    ld.param.u64 %rd1, [from];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, tile;
    cp.async.ca.shared.global [%r1], [%rd2], 16;
    cp.async.commit_group;
    cp.async.wait_group 0;
    bar.sync 0;
    ret;
}
`;

/**
 * Waits for a page where `css` finds this text; clicks on `clicked`, and returns the policy.
 * A picture is drawn again when the view has its size: that replaces the frame, also under a click.
 */
async function page(css: string, text: string, clicked?: [css: string, text: string]): Promise<string> {
  return onScreen(
    async (window, { css, text, clicked, timeout }) => {
      const end = Date.now() + timeout;
      for (;;) {
        for (const frame of window.frames()) {
          const found = frame.locator(css).filter({ hasText: text }).first();
          if (await found.isVisible().catch(() => false)) {
            try {
              const policy = frame.locator('meta[http-equiv="Content-Security-Policy"]').first();
              const content = (await policy.getAttribute('content')) ?? '';
              if (clicked !== undefined) {
                await frame.locator(clicked[0]).filter({ hasText: clicked[1] }).first().click();
              }
              return content;
            } catch (error) {
              if (!frame.isDetached()) {
                throw error;
              }
            }
          }
        }
        if (Date.now() > end) {
          throw new Error(`no page with ${css} ${text}`);
        }
        await window.waitForTimeout(50);
      }
    },
    { css, text, clicked, timeout: PATIENCE },
  );
}

async function checkPolicy(heading: string): Promise<void> {
  assert.match(await page('h1', heading), /^default-src 'none'/);
}

describe('pages', () => {
  it('of an instruction, with links that work', async () => {
    await open('page.ptx', SCALE);
    await execute('ptx.showInstructionPage', 'ld.global.nc');
    await checkPolicy('ld');
    await picture('page');
    await page('h1', 'ld', ['a', 'ldu']);
    await seen('.tab', 'PTX: ldu');
    await checkPolicy('ldu');
  });

  it('of a rule', async () => {
    await execute('ptx.explainRuleByName', 'unknown-opcode');
    await checkPolicy('unknown-opcode');
  });

  it('of what a file requires', async () => {
    await open('required.ptx', SCALE);
    await execute('ptx.showRequirements');
    await checkPolicy('required.ptx');
    await picture('requirements');
  });

  it('of control flow, whose blocks lead to the code', async () => {
    const editor = await open('flow.ptx', scale('mul.wide', 'mul<|>.wide'));
    await execute('ptx.showControlFlow');
    assert.match(await page('.block', 'mul.wide'), /^default-src 'none'/);
    await picture('control-flow');
    await page('.block', 'mul.wide', ['.block', 'ret']);
    const there = find(editor.document, '$done:', 0).line;
    await until('the cursor is in the last block', () => {
      const [shown] = vscode.window.visibleTextEditors;
      return shown !== undefined && shown.selection.active.line >= there;
    });
    const uri = vscode.Uri.joinPath(editor.document.uri, '..', 'other-flow.ptx');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(scale('mul.wide.u32', 'mul.wide.s32')));
    const other = await vscode.workspace.openTextDocument(uri);
    const selection = new vscode.Range(find(other, 'mul.wide', 0), find(other, 'mul.wide', 0));
    await vscode.window.showTextDocument(other, { viewColumn: vscode.ViewColumn.One, selection });
    await page('.block', 'mul.wide.s32'); // the panel follows into the other file
  });

  it('of synchronization, from the beginning of its rows where it is narrow', async () => {
    const resize = (width: number) =>
      onScreen((window, to) => window.setViewportSize({ width: to, height: 800 }), width);
    await resize(700);
    try {
      await open('narrow.ptx', SYNCHRONIZING.replace('mov.u32', 'mov<|>.u32'));
      await execute('ptx.showSync');
      await page('.sync .block', 'cp.async.wait_group');
      const [left, hidden] = await onScreen(async window => {
        for (const frame of window.frames()) {
          const view = frame.locator('#view');
          if ((await frame.locator('.sync').count()) > 0) {
            return view.evaluate(it => [it.scrollLeft, it.scrollWidth - it.clientWidth] as const);
          }
        }
        throw new Error('no timeline');
      });
      assert.ok(hidden > 20, `${hidden} pixels are hidden`);
      assert.ok(left < 5, `scrolled by ${left}`);
    } finally {
      await resize(1280);
    }
  });

  it('of synchronization, whose rows lead to the code', async () => {
    const text = SYNCHRONIZING.replace('mov.u32', 'mov<|>.u32');
    const editor = await open('synchronization.ptx', text);
    await execute('ptx.showSync');
    assert.match(await page('.sync .block', 'cp.async.wait_group'), /^default-src 'none'/);
    await picture('synchronization');
    await page('.sync .block', 'cp.async.wait_group', ['.sync .block', 'bar.sync']);
    const there = find(editor.document, 'bar.sync', 0).line;
    await until('the cursor is at the barrier', () => {
      const [shown] = vscode.window.visibleTextEditors;
      return shown?.selection.active.line === there;
    });
  });
});
