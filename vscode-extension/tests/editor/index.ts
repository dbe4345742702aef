/** What VS Code runs in its extension host: all suites, each result told to the outside. */

import { readdirSync } from 'node:fs';
import * as path from 'node:path';

import Mocha from 'mocha';

import { picture, tell } from './screen.ts';

const LONGEST = 240_000; // ms for one test on a busy machine

export async function run(): Promise<void> {
  const mocha = new Mocha({
    timeout: LONGEST,
    ui: 'bdd',
    reporter: 'min',
    rootHooks: { afterEach: pictureOfFailure },
    ...(process.env['PTX_TESTS_ONLY'] ? { fgrep: process.env['PTX_TESTS_ONLY'] } : {}),
  });
  for (const name of readdirSync(__dirname).sort()) {
    if (name.endsWith('.test.js')) {
      mocha.addFile(path.join(__dirname, name));
    }
  }
  const told: Promise<unknown>[] = [];
  const failed = await new Promise<number>(resolve => {
    const runner = mocha.run(resolve);
    runner.on('pass', test => told.push(tell(outcome(test))));
    runner.on('pending', test => told.push(tell({ ...outcome(test), skipped: true })));
    runner.on('fail', (test, error) => told.push(tell(outcome(test, error.stack ?? error.message))));
  });
  await Promise.allSettled(told);
  if (failed > 0) {
    throw new Error(`${failed} tests failed`);
  }
}

function outcome(test: Mocha.Runnable, error: string | null = null) {
  return { test: test.fullTitle(), error, skipped: false, seconds: (test.duration ?? 0) / 1000 };
}

async function pictureOfFailure(this: Mocha.Context): Promise<void> {
  const test = this.currentTest;
  if (test?.isFailed()) {
    await picture(`failed-${test.fullTitle().replace(/\W+/g, '-')}`);
  }
}
