/** The commands of the palette, and what the server's own do when code actions run them. */

import * as vscode from 'vscode';
import { ExecuteCommandRequest, type LanguageClient, type Location } from 'vscode-languageclient/node';

import { showRequirements } from './requirements.ts';
import type { Pages } from './pages.ts';
import type { CommandHook, Server } from './server.ts';

const NAME_AT_CURSOR = /[%.]?[A-Za-z_][\w.:]*/;

/** Registers the commands; `hook` hands those of the server to us that show something. */
export function register(
  context: vscode.ExtensionContext,
  server: Server,
  pages: Pages,
  output: vscode.LogOutputChannel,
): void {
  const commands: Record<string, (...args: never[]) => unknown> = {
    'ptx.restartServer': () => server.start(),
    'ptx.showOutput': () => output.show(),
    'ptx.openSettings': () =>
      vscode.commands.executeCommand(
        'workbench.action.openSettings',
        `@ext:${context.extension.id}`,
      ),
    'ptx.showRequirements': () => requirements(server, pages),
    'ptx.explainRuleByName': (name?: string) => explainRule(context, server, pages, name),
    'ptx.showInstructionPage': (name?: unknown) => showInstruction(server, pages, name),
    'ptx.checkWorkspace': () => checkWorkspace(server),
    'ptx.openSourceLine': () => openSourceLine(server),
    'ptx.showReferences': (uri: string, position: never, places: Location[]) =>
      showReferences(server, uri, position, places),
  };
  for (const [name, command] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, command));
  }
}

/** Code actions run `ptx.explainRule` itself; its page is shown instead of returned. */
export const hook: CommandHook = (command, args) => {
  const [name] = args;
  if (command === 'ptx.explainRule' && typeof name === 'string') {
    return Promise.resolve(vscode.commands.executeCommand('ptx.explainRuleByName', name));
  }
  return undefined;
};

/** Runs a command of the server. What it refuses is told to the user. */
async function ask(client: LanguageClient, command: string, ...args: unknown[]): Promise<unknown> {
  try {
    return await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showWarningMessage(`PTX: ${why}`);
    return undefined;
  }
}

async function requirements(server: Server, pages: Pages): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const { client } = server;
  if (client === undefined || document?.languageId !== 'ptx') {
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  const found = await ask(client, 'ptx.requirements', uri);
  if (found !== undefined) {
    pages.show('Requirements', showRequirements(document.uri.path.replace(/.*\//, ''), found));
  }
}

async function explainRule(
  context: vscode.ExtensionContext,
  server: Server,
  pages: Pages,
  given?: string,
): Promise<void> {
  const { client } = server;
  const name = client && (given ?? (await chooseRule(context)));
  const page = client && name && (await ask(client, 'ptx.explainRule', name));
  if (typeof page === 'string') {
    pages.show(`Rule ${name}`, `# ${name}\n\n${page}`);
  }
}

/** Lets the user choose a rule; those that report something in the file come first. */
async function chooseRule(context: vscode.ExtensionContext): Promise<string | undefined> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const reported = new Set(
    (uri === undefined ? [] : vscode.languages.getDiagnostics(uri))
      .map(it => (typeof it.code === 'object' ? it.code.value : it.code))
      .map(String),
  );
  const items = ruleNames(context)
    .map(label => ({ label, description: reported.has(label) ? 'in this file' : '' }))
    .sort((one, other) => Number(reported.has(other.label)) - Number(reported.has(one.label)));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: 'Rule to explain' });
  return chosen?.label;
}

/** The names of the rules, which the manifest lists for the setting that silences them. */
function ruleNames(context: vscode.ExtensionContext): string[] {
  const manifest = context.extension.packageJSON as {
    contributes: {
      configuration: { properties: Record<string, { items?: { enum?: string[] } }> }[];
    };
  };
  const properties = manifest.contributes.configuration.map(it => it.properties);
  return properties.flatMap(it => it['ptx.lint.ignore']?.items?.enum ?? []);
}

async function showInstruction(server: Server, pages: Pages, given?: unknown): Promise<void> {
  const { client } = server;
  // Menus pass the URI of the editor, links and other callers the name.
  const name = client && (typeof given === 'string' ? given : await chooseName());
  const page = client && name && (await ask(client, 'ptx.showInstruction', name, { links: true }));
  if (typeof page === 'string') {
    pages.show(`PTX: ${name}`, page);
  }
}

/** Asks for a name of PTX; the one at the cursor is proposed. */
function chooseName(): Thenable<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  const range =
    editor?.document.languageId === 'ptx'
      ? editor.document.getWordRangeAtPosition(editor.selection.active, NAME_AT_CURSOR)
      : undefined;
  return vscode.window.showInputBox({
    prompt: 'An opcode with or without modifiers, a special register, directive, type or target',
    placeHolder: 'ld.global.nc',
    value: range === undefined ? '' : (editor?.document.getText(range) ?? ''),
  });
}

async function checkWorkspace(server: Server): Promise<void> {
  const { client } = server;
  if (client === undefined) {
    return;
  }
  const found = (await ask(client, 'ptx.lintWorkspace')) as Record<string, number> | undefined;
  if (found !== undefined) {
    const counts = `${found['error']} errors, ${found['warning']} warnings`;
    void vscode.window.showInformationMessage(`PTX: ${counts} in ${found['files']} files.`);
  }
}

async function openSourceLine(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const { client } = server;
  if (client === undefined || editor?.document.languageId !== 'ptx') {
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  await ask(client, 'ptx.openSource', uri, editor.selection.active.line);
}

async function showReferences(
  server: Server,
  uri: string,
  position: never,
  places: Location[],
): Promise<void> {
  const { client } = server;
  if (client === undefined) {
    return;
  }
  const { protocol2CodeConverter: converter } = client;
  await vscode.commands.executeCommand(
    'editor.action.showReferences',
    converter.asUri(uri),
    converter.asPosition(position),
    places.map(it => converter.asLocation(it)),
  );
}
