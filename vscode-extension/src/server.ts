/** The server as VS Code sees it: found, started, watched, started again. */

import * as fs from 'node:fs';

import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  type LanguageClient,
  type LanguageClientOptions,
  State,
} from 'vscode-languageclient/node';

import { Abilities } from './abilities.ts';
import { PtxClient } from './client.ts';
import { complaint, find, type Found, type Launch } from './discovery.ts';
import { withPages } from './markup.ts';
import { complain } from './messages.ts';
import { run } from './processes.ts';
import { chosenPython } from './python-extension.ts';
import type { Status } from './status.ts';

const PATIENCE = 20_000; // ms until the user is told that a server does not answer
const MOST_RESTARTS = 4; // after crashes within WHILE
const WHILE = 180_000; // ms

/** Answers commands of the server that are run by their own names, as from code actions. */
export type CommandHook = (command: string, args: unknown[]) => Promise<unknown> | undefined;

/** One server at a time. No failure of it is silent. */
export class Server {
  #client: LanguageClient | undefined;
  #pending: Promise<void> = Promise.resolve();
  #wanted = 0;
  #hasFailed = false;
  #crashes: number[] = [];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly output: vscode.LogOutputChannel,
    private readonly status: Status,
    private readonly hook: CommandHook,
  ) {}

  /** The running client; a message tells the user if there is none. */
  get client(): LanguageClient | undefined {
    if (this.#client?.state === State.Running) {
      return this.#client;
    }
    complain('PTX: the server is not running.');
    return undefined;
  }

  /** Whether it answers; for callers that do not wait for an answer. */
  get isRunning(): boolean {
    return this.#client?.state === State.Running;
  }

  /** Starts the server, or ends it and starts it anew. Calls meanwhile are one. */
  start(): Promise<void> {
    this.#crashes = [];
    return this.#startAnew();
  }

  #startAnew(): Promise<void> {
    const number = ++this.#wanted;
    this.#pending = this.#pending.then(async () => {
      if (number === this.#wanted) {
        await this.#stop();
        await this.#start();
      }
    });
    return this.#pending;
  }

  /** Ends the server for good. */
  stop(): Promise<void> {
    this.#wanted += 1;
    this.#pending = this.#pending.then(() => this.#stop());
    return this.#pending;
  }

  async #start(): Promise<void> {
    this.#hasFailed = false;
    this.status.show({ kind: 'starting' });
    const { launch, attempts } = await this.#find();
    for (const attempt of attempts) {
      this.output.info(`not ${attempt.what}: ${attempt.why}`);
    }
    if (launch === undefined) {
      this.#fail(complaint(attempts));
      return;
    }
    this.output.info(`${launch.origin}: ${[launch.command, ...launch.args].join(' ')}`);
    const client = this.#create(launch);
    this.#client = client;
    const started = client.start().catch((error: unknown) => {
      if (this.#client !== client) {
        return undefined; // another one was wanted meanwhile
      }
      this.#fail(`PTX: the server (${launch.origin}) did not start: ${messageOf(error)}`);
      // Else it would try to start again whenever there is something to tell the server.
      this.#client = undefined;
      return client.dispose().catch(() => {});
    });
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>(resolve => {
      timer = setTimeout(() => {
        this.#fail(`PTX: the server (${launch.origin}) does not answer.`);
        resolve(); // so that it can be restarted; should it answer after all, it is used
      }, PATIENCE);
    });
    await Promise.race([started, patience]);
    clearTimeout(timer);
  }

  #find(): Promise<Found> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return find({
      command: vscode.workspace.getConfiguration('ptx').get<string[]>('server.command', []),
      isTrusted: vscode.workspace.isTrusted,
      folders: folders.filter(it => it.uri.scheme === 'file').map(it => it.uri.fsPath),
      libs: this.context.asAbsolutePath('bundled/libs'),
      platform: process.platform,
      chosenPython,
      isFile: path => fs.statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
      run: (command, args) => run(command, args, this.context.extensionPath),
    });
  }

  #create(launch: Launch): LanguageClient {
    const options: LanguageClientOptions = {
      documentSelector: [
        { scheme: 'file', language: 'ptx' },
        { scheme: 'untitled', language: 'ptx' },
      ],
      outputChannel: this.output,
      // The server then starts no program, and reads no source that a document names.
      initializationOptions: vscode.workspace.isTrusted ? undefined : { restricted: true },
      errorHandler: this.#errorHandler(() => client, launch),
      initializationFailedHandler: () => false,
      // Documents cannot add links: the server escapes all of their text.
      markdown: {
        isTrusted: { enabledCommands: ['ptx.showInstructionPage', 'ptx.explainRuleByName'] },
      },
      middleware: {
        provideHover: async (document, position, token, next) => {
          const found = await next(document, position, token);
          for (const part of found?.contents ?? []) {
            if (part instanceof vscode.MarkdownString) {
              part.value = withPages(part.value);
            }
          }
          return found;
        },
        executeCommand: (command, args, next) => this.hook(command, args) ?? next(command, args),
      },
    };
    const { command, args } = launch;
    const client = new PtxClient({ command, args }, options, message => {
      if (client.initializeResult !== undefined) {
        this.#fail(message); // before that, `start` tells it
      }
    });
    client.registerFeature(new Abilities(this.context.extension.packageJSON));
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        this.#hasFailed = false;
        const version = client.initializeResult?.serverInfo?.version ?? '';
        this.status.show({ kind: 'running', version, origin: launch.origin });
      }
    });
    return client;
  }

  /**
   * Starts a server that crashed anew, but not for ever, and not one that never ran.
   *
   * The library's own restart does not survive that the next server crashes while it starts.
   */
  #errorHandler(clientOf: () => LanguageClient, launch: Launch): ErrorHandler {
    return {
      // The library would end the session for good where a message cannot be written; that the
      // process has ended is told to `closed`, which may start it again.
      error: error => {
        this.output.warn(`The connection to the server failed: ${error.message}`);
        return { action: ErrorAction.Continue, handled: true };
      },
      closed: () => {
        const client = clientOf();
        if (client === this.#client) { // else it was stopped by us
          this.#hasEnded(client.initializeResult !== undefined, launch);
        }
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    };
  }

  #hasEnded(hasRun: boolean, launch: Launch): void {
    if (!hasRun) {
      this.#fail(`PTX: the server (${launch.origin}) ended while it was starting.`);
      return;
    }
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter(it => now - it < WHILE), now];
    if (this.#crashes.length > MOST_RESTARTS) {
      this.#fail(`PTX: the server crashed ${this.#crashes.length} times and will not be restarted.`);
    } else {
      this.output.warn('The server ended; restarting it.');
      void this.#startAnew();
    }
  }

  /** Tells the first failure since the start; those that follow from it are only logged. */
  #fail(message: string): void {
    this.output.error(message);
    if (this.#hasFailed) {
      return;
    }
    this.#hasFailed = true;
    this.status.show({ kind: 'stopped', why: message });
    complain(message);
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client?.state === State.Starting) {
      client.serverProcess?.kill(); // it would not answer `shutdown` either
    }
    try {
      await client?.dispose();
    } catch (error) {
      this.output.warn(`The server did not stop when asked to: ${String(error)}`);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
