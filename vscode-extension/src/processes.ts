/** Runs a program to its end and tells what it printed. */

import { execFile, type ExecFileException } from 'node:child_process';

import type { Outcome } from './discovery.ts';

const LONGEST = 20_000; // ms

/** Runs a program in a folder; never throws. */
export function run(command: string, args: readonly string[], cwd: string): Promise<Outcome> {
  return new Promise(resolve => {
    const options = { cwd, timeout: LONGEST, windowsHide: true };
    try {
      execFile(command, [...args], options, (error, stdout, stderr) => {
        if (error === null) {
          resolve({ ok: true, output: stdout.trim() });
          return;
        }
        const lines = stderr.trim().split(/\r?\n/);
        resolve({ ok: false, why: lines.at(-1) || reason(error) });
      });
    } catch (error) {
      resolve({ ok: false, why: String(error) });
    }
  });
}

function reason(error: ExecFileException): string {
  if (error.code === 'ENOENT') {
    return 'not found';
  }
  return error.killed ? `no answer within ${LONGEST / 1000} seconds` : error.message;
}
