/** Tells the server what this client can do beyond what the LSP library tells it. */

import type { ClientCapabilities, StaticFeature } from 'vscode-languageclient/node';

/** Commands of ours that the server may put into code lenses and code actions. */
const COMMANDS = ['ptx.showReferences', 'ptx.explainRule'];

/** Lists our commands and the token types that the manifest contributes. */
export class Abilities implements StaticFeature {
  readonly #tokenTypes: readonly string[];

  constructor(manifest: unknown) {
    this.#tokenTypes = contributedTokenTypes(manifest);
  }

  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const experimental: object = capabilities.experimental ?? {};
    capabilities.experimental = { ...experimental, commands: { commands: COMMANDS } };
    const tokens = capabilities.textDocument?.semanticTokens;
    if (tokens !== undefined) {
      tokens.tokenTypes = [...new Set([...tokens.tokenTypes, ...this.#tokenTypes])];
    }
  }

  initialize(): void {}

  getState() {
    return { kind: 'static' as const };
  }

  clear(): void {}
}

function contributedTokenTypes(manifest: unknown): string[] {
  const { contributes } = manifest as { contributes?: { semanticTokenTypes?: { id: string }[] } };
  return (contributes?.semanticTokenTypes ?? []).map(it => it.id);
}
