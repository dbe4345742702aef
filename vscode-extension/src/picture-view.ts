/** A picture of the function at the cursor, in a panel that follows the cursor. */

import { randomBytes } from 'node:crypto';

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

import {
  fileName,
  pictureDocument,
  type Area,
  type FromPage,
  type Picture,
  type PictureKind,
  type ToPage,
} from './picture-page.ts';
import { ask, messageOf, request } from './requests.ts';
import type { Server } from './server.ts';

const PAUSE = 400; // ms without an edit or a move after which the picture is drawn again
const SVG = { format: 'svg' };
const USUAL: Area = [830, 950]; // the server's choice
const SLIGHT = 0.1; // a change of the view's size, relative to it, that asks for no other picture

/** One picture of a kind at a time. */
export class PictureView {
  readonly #listeners: vscode.Disposable[];
  #panel: vscode.WebviewPanel | undefined;
  #picture: Picture | undefined;
  #uri: vscode.Uri | undefined;
  #area: Area | undefined;
  #timer: NodeJS.Timeout | undefined;
  #wanted = 0;
  #isStale = false;

  constructor(
    private readonly server: Server,
    private readonly root: vscode.Uri,
    private readonly kind: PictureKind,
  ) {
    this.#listeners = [
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#follow(textEditor)),
      vscode.window.onDidChangeActiveTextEditor(editor => this.#follow(editor)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.#isOf(document)) {
          this.#isStale = true;
          this.#later();
        }
      }),
    ];
  }

  /** Shows the function at the cursor of the active editor. */
  async show(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const { client } = this.server;
    if (client === undefined || editor?.document.languageId !== 'ptx') {
      return;
    }
    const { line } = editor.selection.active;
    const number = ++this.#wanted;
    const wanted = this.#wantedPicture();
    const found = await ask(client, this.kind.command, uriOf(client, editor.document.uri), line, wanted);
    if (found === undefined || number !== this.#wanted) {
      return;
    }
    this.#uri = editor.document.uri;
    this.#draw(found as Picture);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#panel?.dispose();
    for (const listener of this.#listeners) {
      listener.dispose();
    }
  }

  #isOf(document: vscode.TextDocument): boolean {
    return this.#panel !== undefined && document.uri.toString() === this.#uri?.toString();
  }

  /** Shows the function at the cursor of an editor, which may be of another file. */
  #follow(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.languageId !== 'ptx' || this.#panel?.visible !== true) {
      return;
    }
    const { line } = editor.selection.active;
    if (!this.#isOf(editor.document)) {
      this.#later(line, editor.document.uri);
      return;
    }
    this.#tell({ cursor: line, isShown: true });
    if (!this.#isStale && !this.#isWithin(line)) {
      this.#later(line);
    }
  }

  #wantedPicture(): object {
    return this.kind.isFitted && this.#area !== undefined ? { ...SVG, area: this.#area } : SVG;
  }

  /** Draws again for a view of another size. */
  #fit(area: Area): void {
    const [before, now] = [this.#area ?? USUAL, area];
    const isOther = now.some((size, at) => Math.abs(size / (before[at] ?? size) - 1) > SLIGHT);
    if (this.kind.isFitted && isOther && now.every(size => size > 0)) {
      this.#area = area;
      this.#later();
    }
  }

  #isWithin(line: number): boolean {
    const shown = this.#picture;
    return shown !== undefined && shown.first <= line && line <= shown.last;
  }

  /** Draws again after a pause: the function at a line, or at the cursor, of this or another file. */
  #later(line = this.#cursor() ?? this.#picture?.first ?? 0, uri = this.#uri): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refresh(line, uri), PAUSE);
  }

  async #refresh(line: number, uri: vscode.Uri | undefined): Promise<void> {
    const panel = this.#panel;
    if (uri === undefined || panel?.visible !== true || !this.server.isRunning) {
      return;
    }
    const { client } = this.server;
    if (client === undefined) {
      return;
    }
    const number = ++this.#wanted;
    try {
      const wanted = this.#wantedPicture();
      const found = await request(client, this.kind.command, uriOf(client, uri), line, wanted);
      if (number === this.#wanted && panel === this.#panel) {
        this.#uri = uri;
        this.#draw(found as Picture);
      }
    } catch (error) {
      // Between functions there is nothing to show; what was shown stays, and says if it is old.
      if (number === this.#wanted && panel === this.#panel && this.#isStale && this.#picture) {
        this.#draw(this.#picture, messageOf(error));
      }
    }
  }

  #draw(picture: Picture, note = ''): void {
    this.#picture = picture;
    this.#isStale = note !== '';
    const panel = (this.#panel ??= this.#open());
    panel.title = `${this.kind.title}: ${picture.source ?? (picture.name || 'function')}`;
    const script = panel.webview.asWebviewUri(vscode.Uri.joinPath(this.root, 'dist', 'picture.js'));
    const nonce = randomBytes(16).toString('base64');
    const { cspSource } = panel.webview;
    panel.webview.html = pictureDocument(
      this.kind,
      picture,
      script.toString(),
      cspSource,
      nonce,
      note,
    );
    if (!panel.visible) {
      panel.reveal(undefined, true);
    }
  }

  #open(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      this.kind.panel,
      this.kind.title,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.root, 'dist')] },
    );
    panel.webview.onDidReceiveMessage((message: FromPage) => this.#take(message));
    panel.onDidChangeViewState(() => {
      if (panel.visible && this.#isStale) {
        this.#later();
      }
    });
    panel.onDidDispose(() => {
      if (this.#panel === panel) {
        this.#panel = this.#picture = this.#uri = undefined;
      }
    });
    return panel;
  }

  #take(message: FromPage): void {
    switch (message.kind) {
      case 'ready':
        this.#tell({ cursor: this.#cursor(), isShown: true });
        this.#fit(message.area);
        break;
      case 'resized':
        this.#fit(message.area);
        break;
      case 'reveal':
        void this.#reveal(message.line);
        break;
      case 'save':
        void this.#save(message.isPicture);
        break;
    }
  }

  #tell(message: ToPage): void {
    void this.#panel?.webview.postMessage(message);
  }

  #editor(): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find(it => this.#isOf(it.document));
  }

  #cursor(): number | undefined {
    return this.#editor()?.selection.active.line;
  }

  async #reveal(line: number): Promise<void> {
    const uri = this.#uri;
    if (uri === undefined) {
      return;
    }
    const viewColumn = this.#editor()?.viewColumn ?? vscode.ViewColumn.One;
    const document = await vscode.workspace.openTextDocument(uri);
    const place = document.lineAt(Math.min(line, document.lineCount - 1));
    const start = place.range.start.translate(0, place.firstNonWhitespaceCharacterIndex);
    const editor = await vscode.window.showTextDocument(document, { viewColumn });
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(place.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  async #save(isPicture: boolean): Promise<void> {
    const [picture, uri] = [this.#picture, this.#uri];
    if (picture === undefined || uri === undefined) {
      return;
    }
    const text = isPicture ? picture.svg : await this.#other(picture, uri);
    if (text === undefined) {
      return;
    }
    const { ending, formatName } = this.kind;
    const name = fileName(picture.name, isPicture ? 'svg' : ending);
    const folder = uri.scheme === 'file' ? uri : vscode.workspace.workspaceFolders?.[0]?.uri;
    const to = await vscode.window.showSaveDialog({
      ...(folder && { defaultUri: vscode.Uri.joinPath(folder, uri === folder ? '..' : '.', name) }),
      filters: isPicture ? { SVG: ['svg'] } : { [formatName]: [ending] },
    });
    if (to === undefined) {
      return;
    }
    try {
      await vscode.workspace.fs.writeFile(to, Buffer.from(text, 'utf8'));
    } catch (error) {
      void vscode.window.showErrorMessage(`PTX: the picture was not saved: ${messageOf(error)}`);
    }
  }

  /** The same in the other format. */
  async #other(picture: Picture, uri: vscode.Uri): Promise<string | undefined> {
    const { client } = this.server;
    const line = this.#cursor() ?? picture.first;
    const at = picture.first <= line && line <= picture.last ? line : picture.first;
    const { command, format } = this.kind;
    const found = client && (await ask(client, command, uriOf(client, uri), at, { format }));
    return typeof found === 'string' ? found : undefined;
  }
}

function uriOf(client: LanguageClient, uri: vscode.Uri): string {
  return client.code2ProtocolConverter.asUri(uri);
}
