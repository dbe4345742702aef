/** The client of the LSP library, with its pop-ups about its own failures taken over. */

import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  State,
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

  override error(message: string, data?: unknown, showNotification: boolean | 'force' = true): void {
    const isFailure = showNotification === 'force';
    // Without a server there is one message, not one for each request that it does not answer.
    const isShown = !isFailure && this.state === State.Running && !isBrokenPipe(data);
    super.error(message, data, isShown && showNotification);
    if (isFailure) {
      this.#onFailure(message);
    }
  }
}

/** Whether something could not be written because the server has just ended; that is told once. */
function isBrokenPipe(data: unknown): boolean {
  const code = data instanceof Error ? (data as NodeJS.ErrnoException).code : undefined;
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED';
}
