/** The commands of the palette, and what the server's own do when code actions run them. */

import * as vscode from 'vscode';
import type { LanguageClient, Location } from 'vscode-languageclient/node';

import type { PictureView } from './picture-view.ts';
import type { MachineCode } from './machine-code.ts';
import type { Pages } from './pages.ts';
import { ask } from './requests.ts';
import { showRequirements } from './requirements.ts';
import { showResources } from './resources.ts';
import type { CommandHook, Server } from './server.ts';

const NAME_AT_CURSOR = /[%.]?[A-Za-z_][\w.:]*/;

/** Where commands show what they found. */
export interface Views {
  readonly pages: Pages;
  readonly flow: PictureView;
  readonly synchronization: PictureView;
  readonly machineCode: MachineCode;
  readonly output: vscode.LogOutputChannel;
}

/** Registers the commands; `hook` hands those of the server to us that show something. */
export function register(context: vscode.ExtensionContext, server: Server, views: Views): void {
  const { pages, flow, synchronization, machineCode, output } = views;
  const commands: Record<string, (...args: never[]) => unknown> = {
    'ptx.restartServer': () => server.start(),
    'ptx.showOutput': () => output.show(),
    'ptx.openSettings': () =>
      vscode.commands.executeCommand(
        'workbench.action.openSettings',
        `@ext:${context.extension.id}`,
      ),
    'ptx.showRequirements': () => requirements(server, pages),
    'ptx.showControlFlow': () => flow.show(),
    'ptx.showSynchronization': () => synchronization.show(),
    // The server offers the flow of values as a call hierarchy, of which this is the view.
    'ptx.showValueFlow': () => vscode.commands.executeCommand('references-view.showCallHierarchy'),
    'ptx.assembleFile': () => assemble(server, pages),
    'ptx.showMachineCode': () => showMachineCode(server, machineCode),
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

/** Our commands by those of the server that return what they show. */
const SHOWING: Record<string, string> = {
  'ptx.requirements': 'ptx.showRequirements',
  'ptx.minTarget': 'ptx.showRequirements',
  'ptx.showCfg': 'ptx.showControlFlow',
  'ptx.showSync': 'ptx.showSynchronization',
  'ptx.showSass': 'ptx.showMachineCode',
  'ptx.assemble': 'ptx.assembleFile',
  'ptx.lintWorkspace': 'ptx.checkWorkspace',
  'ptx.showInstruction': 'ptx.showInstructionPage',
  'ptx.explainRule': 'ptx.explainRuleByName',
  'ptx.openSource': 'ptx.openSourceLine',
};

/**
 * Code actions run `ptx.explainRule` itself; its page is shown instead of returned. A command of
 * the server without arguments, as a key may be bound to it, is ours for what is in the editor.
 */
export const hook: CommandHook = (command, args) => {
  const ours = SHOWING[command];
  const isRule = command === 'ptx.explainRule' && typeof args[0] === 'string';
  if (ours !== undefined && (args.length === 0 || isRule)) {
    return Promise.resolve(vscode.commands.executeCommand(ours, ...args));
  }
  return undefined;
};

/** The file in the active editor, if it is PTX, and the server. */
function active(server: Server): { client: LanguageClient; file: vscode.Uri; uri: string } | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const { client } = server;
  if (client === undefined || document?.languageId !== 'ptx') {
    return undefined;
  }
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  return { client, file: document.uri, uri };
}

function nameOf(file: vscode.Uri): string {
  return file.path.replace(/.*\//, '');
}

async function requirements(server: Server, pages: Pages): Promise<void> {
  const at = active(server);
  const found = at && (await ask(at.client, 'ptx.requirements', at.uri));
  if (at !== undefined && found !== undefined) {
    pages.show('Requirements', showRequirements(nameOf(at.file), found));
  }
}

async function assemble(server: Server, pages: Pages): Promise<void> {
  const at = active(server);
  const found = at && (await ask(at.client, 'ptx.assemble', at.uri));
  if (at !== undefined && found !== undefined) {
    pages.show('Assembled', showResources(nameOf(at.file), found));
  }
}

async function showMachineCode(server: Server, machineCode: MachineCode): Promise<void> {
  const at = active(server);
  const found = at && (await ask(at.client, 'ptx.showSass', at.uri));
  if (at !== undefined && typeof found === 'string') {
    await machineCode.show(at.file, found);
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
    pages.show(`Rule ${name}`, `# ${name}\n\n${page}`, 'ptx.explainRuleByName');
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

/** The names of the rules: the manifest lists them, then `all` and groups, for a setting. */
function ruleNames(context: vscode.ExtensionContext): string[] {
  const manifest = context.extension.packageJSON as {
    contributes: {
      configuration: { properties: Record<string, { items?: { enum?: string[] } }> }[];
    };
  };
  const properties = manifest.contributes.configuration.map(it => it.properties);
  const names = properties.flatMap(it => it['ptx.lint.ignore']?.items?.enum ?? []);
  return names.slice(0, names.indexOf('all'));
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

/** Asks for a PTX name; the one at the cursor is proposed. */
function chooseName(): Thenable<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  const range =
    editor?.document.languageId === 'ptx'
      ? editor.document.getWordRangeAtPosition(editor.selection.active, NAME_AT_CURSOR)
      : undefined;
  return vscode.window.showInputBox({
    prompt: 'A PTX name or a chapter such as memory-model, or words to search for',
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
    const errors = counted(found['error'] ?? 0, 'error');
    const warnings = counted(found['warning'] ?? 0, 'warning');
    const files = counted(found['files'] ?? 0, 'file');
    void vscode.window.showInformationMessage(`PTX: ${errors} and ${warnings} in ${files}.`);
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

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
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
