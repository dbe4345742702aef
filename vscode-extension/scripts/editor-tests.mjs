/**
 * Runs tests/editor in a real VS Code with the packaged extension, seen by a real browser.
 *
 * usage: editor-tests.mjs --vscode FOLDER --vsix FILE --browser PROGRAM --pictures FOLDER [--only TEXT]
 *
 * FOLDER is `lib/vscode` of code-server: VS Code with its own server. The tests run in its
 * extension host, and ask this process for what a user does and sees (tests/editor/screen.ts).
 * Prints a line of JSON for each test, and one for the end.
 */

import { createServer } from 'node:http';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { build } from 'esbuild';

import { openBrowser, Workbench } from './workbench.mjs';

const MINUTES = 60_000;
const LONGEST = 8 * MINUTES; // each test has a limit of its own; this is for a VS Code that hangs

const extension = path.resolve(import.meta.dirname, '..');
const string = { type: 'string' };
const { values: given } = parseArgs({
  options: { vscode: string, vsix: string, browser: string, pictures: string, only: string },
});

function print(fact) {
  const line = `${JSON.stringify(fact)}\n`;
  process.stdout.write(line);
  appendFileSync(path.join(given.pictures, 'results.jsonl'), line);
}

/** Bundles the tests to where they find mocha; each file of tests is one suite. */
async function bundle(folder) {
  const source = path.join(extension, 'tests', 'editor');
  await build({
    entryPoints: readdirSync(source)
      .filter(name => name === 'index.ts' || name.endsWith('.test.ts'))
      .map(name => path.join(source, name)),
    outdir: folder,
    bundle: true,
    packages: 'external',
    external: ['vscode'],
    format: 'cjs',
    platform: 'node',
    target: 'node20',
  });
  // The extension that VS Code considers to be in development.
  const manifest = { name: 'tests', publisher: 'ptx-ls', version: '0.0.1', engines: { vscode: '*' } };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
}

/** Answers the extension host: results are printed, all else is done on the screen. */
async function listen(screen) {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) {
      text += part;
    }
    const { result, act, argument } = JSON.parse(text);
    try {
      if (result !== undefined) {
        print(result);
      }
      const value = act === undefined ? undefined : await screen(act, argument);
      response.end(JSON.stringify({ value }));
    } catch (error) {
      response.end(JSON.stringify({ error: String(error?.stack ?? error) }));
    }
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return server;
}

mkdirSync(given.pictures, { recursive: true });
const made = mkdtempSync(path.join(extension, 'dist-tests-'));
const home = mkdtempSync(path.join(tmpdir(), 'ptx-vscode-'));
const workspace = path.join(home, 'workspace');
let page;
let status = 1;
const bridge = await listen((act, argument) => {
  // The text of a function of the tests themselves.
  const act_ = new Function(`return (${act})`)();
  return act_(page, argument);
});
const workbench = new Workbench(given.vscode, home, {
  PTX_TESTS_SCREEN: `http://127.0.0.1:${bridge.address().port}/`,
  PTX_TESTS_PICTURES: path.resolve(given.pictures),
  PTX_TESTS_ONLY: given.only ?? '',
});
let browser;
try {
  mkdirSync(workspace);
  await Promise.all([bundle(made), workbench.install(path.resolve(given.vsix))]);
  const [port, opened] = await Promise.all([workbench.start(), openBrowser(given.browser)]);
  browser = opened;
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  status = await workbench.runTests(page, port, workspace, made, LONGEST);
} catch (error) {
  print({ failure: String(error?.stack ?? error) });
} finally {
  if (status !== 0) {
    await page?.screenshot({ path: path.join(given.pictures, 'at-the-end.png') }).catch(() => {});
  }
  await browser?.close();
  await workbench.stop();
  bridge.closeAllConnections();
  bridge.close();
  rmSync(made, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
writeFileSync(path.join(given.pictures, 'vscode.log'), workbench.log.join('\n'));
print({ status, complaints: workbench.log.filter(it => it.includes('[ptx-ls.ptx-ls]:')) });
process.exitCode = status;
