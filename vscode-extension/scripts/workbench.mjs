/** VS Code's own server, started with a home of its own, and its workbench in a browser. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';

import { chromium } from 'playwright-core';

/** What would come between a test and what it looks at. */
const SETTINGS = {
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'editor.minimap.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'workbench.editor.enablePreview': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};
const LISTENS = /Extension host agent listening on (\d+)/;

/** Starts a browser without a window. */
export function openBrowser(program) {
  const quiet = ['background-networking', 'component-update', 'gpu', 'quic', 'sync'];
  const args = ['--no-sandbox', '--no-first-run', ...quiet.map(it => `--disable-${it}`)];
  return chromium.launch({ executablePath: program, headless: true, args });
}

/** One VS Code. */
export class Workbench {
  /** The log of VS Code. */
  log = [];
  #process;
  #base;
  #env;

  constructor(vscode, home, variables) {
    const data = path.join(home, 'data');
    const extensions = path.join(home, 'extensions');
    const machine = path.join(data, 'data', 'Machine');
    mkdirSync(machine, { recursive: true });
    mkdirSync(extensions);
    writeFileSync(path.join(machine, 'settings.json'), JSON.stringify(SETTINGS));
    this.#base = [
      path.join(vscode, 'out', 'server-main.js'),
      '--accept-server-license-terms',
      ...['--server-data-dir', data],
      ...['--extensions-dir', extensions],
    ];
    // No shop for extensions, and nothing of the user's own.
    this.#env = { ...process.env, HOME: home, EXTENSIONS_GALLERY: '{}', ...variables };
  }

  /** Installs the extension. */
  async install(vsix) {
    const said = [];
    const args = [...this.#base, '--install-extension', vsix];
    const child = spawn(process.execPath, args, { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', data => said.push(data));
    child.stderr.on('data', data => said.push(data));
    const [code] = await once(child, 'close');
    if (code !== 0) {
      throw new Error(`the extension was not installed:\n${Buffer.concat(said)}`);
    }
  }

  /** Starts the server, and returns its port. */
  start() {
    const args = [
      ...this.#base,
      ...['--host', '127.0.0.1', '--port', '0'],
      ...['--telemetry-level', 'off', '--without-connection-token'],
      '--disable-workspace-trust',
      '--enable-smoke-test-driver', // else it takes no tests
    ];
    const options = { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] };
    const child = spawn(process.execPath, args, options);
    this.#process = child;
    let said = '';
    return new Promise((resolve, reject) => {
      const hear = data => {
        said += data;
        const port = LISTENS.exec(said)?.[1];
        if (port !== undefined) {
          said = '';
          resolve(Number(port));
        }
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.on('exit', code => reject(new Error(`VS Code ended with ${code}:\n${said}`)));
    });
  }

  /** Opens a folder, runs the tests in its extension host and returns their exit status. */
  async runTests(page, port, folder, tests, limit) {
    const ended = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the tests came to no end')), limit);
      void page.exposeFunction('codeAutomationExit', code => {
        clearTimeout(timer);
        resolve(code);
      });
    });
    await page.exposeFunction('codeAutomationLog', (type, args) => {
      this.log.push(`${type}: ${format(...args)}`);
    });
    const remote = place => `vscode-remote://127.0.0.1:${port}${place}`;
    const payload = [
      ['extensionDevelopmentPath', remote(tests)],
      ['extensionTestsPath', remote(path.join(tests, 'index.js'))],
      ['skipWelcome', 'true'],
    ];
    const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) });
    await page.goto(`http://127.0.0.1:${port}/?${query}`, { waitUntil: 'domcontentloaded' });
    return ended;
  }

  /** Ends the server, which ends what it started. */
  async stop() {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null) {
      return;
    }
    const closed = once(child, 'exit');
    child.kill();
    await closed;
  }
}
