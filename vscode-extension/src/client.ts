/** The client of the LSP library, with its pop-ups about its own failures taken over. */

import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
} from 'vscode-languageclient/node';

/** Tells failures of the connection to a callback; the library would show them without help. */
export class PtxClient extends LanguageClient {
  readonly #onFailure: (message: string) => void;

  constructor(
    server: ServerOptions,
    options: LanguageClientOptions,
    onFailure: (message: string) => void,
  ) {
    super('ptx', 'PTX', server, options);
    this.#onFailure = onFailure;
  }

  override error(message: string, data?: unknown, showNotification?: boolean | 'force'): void {
    const isFailure = showNotification === 'force';
    super.error(message, data, isFailure ? false : showNotification);
    if (isFailure) {
      this.#onFailure(message);
    }
  }
}
