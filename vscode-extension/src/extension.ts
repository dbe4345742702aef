/** Entry of the extension. */

import * as vscode from 'vscode';

import * as commands from './commands.ts';
import { CONTROL_FLOW, SYNCHRONIZATION } from './picture-page.ts';
import { PictureView } from './picture-view.ts';
import { MachineCode, SCHEME } from './machine-code.ts';
import { Pages } from './pages.ts';
import { onChoice } from './python-extension.ts';
import { Server } from './server.ts';
import { Status } from './status.ts';
import * as tasks from './tasks.ts';

let server: Server | undefined;

/** Called by VS Code when the first PTX file is opened. */
export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel('PTX', { log: true });
  const status = new Status();
  const pages = new Pages();
  const started = new Server(context, output, status, commands.hook);
  server = started;
  const flow = new PictureView(started, context.extensionUri, CONTROL_FLOW);
  const synchronization = new PictureView(started, context.extensionUri, SYNCHRONIZATION);
  const machineCode = new MachineCode();
  commands.register(context, started, { pages, flow, synchronization, machineCode, output });
  context.subscriptions.push(
    output,
    status,
    pages,
    flow,
    synchronization,
    machineCode,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, machineCode),
    vscode.tasks.registerTaskProvider('ptxas', tasks.provider),
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.start()),
    vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('ptx.server.command')) {
        void started.start();
      }
    }),
  );
  void started.start().then(() => {
    const listener = onChoice(() => void started.start());
    if (listener !== undefined) {
      context.subscriptions.push(listener);
    }
  });
}

/** Called by VS Code when it ends. */
export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
