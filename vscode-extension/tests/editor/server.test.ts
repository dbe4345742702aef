import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';

import { execute, open, scale, until, untilReported, withSetting } from './editing.ts';
import { click, picture, seen, texts } from './screen.ts';

// Newer versions show no message by itself while tests run, but keep it in the list of the bell.
const MESSAGE = '.notification-list-item';
const ITEM = '.statusbar-item';
const RUNNING = /ptx-ls \d+\./;
const FAULTY = scale('%rd2;\n', '%rd2;\n\tfoo.u32 %r1;\n');

/** The process of the server: a child of this one. */
function processes(): number[] {
  const listed = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return listed
    .split('\n')
    .map(line => /^\s*(\d+)\s+(\d+)\s.*\bserve\s*$/.exec(line))
    .flatMap(it => (it !== null && Number(it[2]) === process.pid ? [Number(it[1])] : []));
}

/** Kills the server, and waits for the next one if there has to be one. */
async function kill(): Promise<void> {
  const [old] = await until('one server runs', () => {
    const found = processes();
    return found.length === 1 && found;
  });
  process.kill(old as number, 'SIGKILL');
  await until('it is gone', () => !processes().includes(old as number));
}

/** What the file in the editor has is reported again after something changed. */
async function checkThatItWorks(name: string): Promise<void> {
  const { document } = await open(name, FAULTY);
  await untilReported(document, 'unknown-opcode: foo');
  await seen(ITEM, RUNNING);
}

/** Shows the list of messages, and waits for one. */
async function checkIsTold(message: RegExp): Promise<void> {
  await until(`a message is ${message}`, async () => {
    await execute('notifications.showList');
    return (await texts(MESSAGE)).some(it => message.test(it));
  });
}

/** Starts the server by the button of a message, and clears the list. */
async function restartByButton(): Promise<void> {
  await click(`${MESSAGE} .monaco-button`, 'Restart Server');
  await execute('notifications.clearAll');
}

describe('the server', () => {
  it('is started again when it was killed', async () => {
    await checkThatItWorks('killed.ptx');
    await kill();
    await until('another one runs', () => processes().length === 1);
    await checkThatItWorks('again.ptx');
  });

  it('that dies again and again is given up with a message, and started by its button', async () => {
    await checkThatItWorks('dying.ptx');
    // A server that is killed before it has answered for the first time counts as broken.
    const given = /crashed \d+ times|ended while it was starting|did not start/;
    const hasEnded = async () => {
      await execute('notifications.showList');
      return (await texts(MESSAGE)).some(it => given.test(it));
    };
    while (!(await hasEnded())) {
      processes().forEach(it => process.kill(it, 'SIGKILL'));
      await until('another one runs or is given up', async () => processes().length > 0 || hasEnded());
    }
    await picture('crashed');
    await restartByButton();
    await checkThatItWorks('revived.ptx');
  });

  it('that finds no Python is missed with a message', async () => {
    await open('no-python.ptx', FAULTY);
    const before = process.env['PATH'];
    process.env['PATH'] = '/nowhere';
    try {
      await execute('ptx.restartServer');
      await checkIsTold(/no Python 3\.\d+ or newer was found/);
      await seen(`${ITEM}.error-kind`, 'ptx-ls');
      await picture('no-python');
    } finally {
      process.env['PATH'] = before;
    }
    await restartByButton();
    await checkThatItWorks('python.ptx');
  });

  it('of the user that fails is told of, and the setting counts at once', async () => {
    await checkThatItWorks('command.ptx');
    await withSetting('ptx.server.command', ['/no/such/program'], async () => {
      await checkIsTold(/ptx\.server\.command.*did not start/);
      await picture('no-program');
    }, vscode.ConfigurationTarget.Global);
    await checkThatItWorks('command-again.ptx');
    await execute('notifications.clearAll');
    assert.equal(processes().length, 1);
  });
});
