/** What a user does and sees: asked of the process that holds the browser. */

import type { Page } from 'playwright-core';

const PATIENCE = 45_000; // ms; a machine may be busy

/** What a test says of itself. */
export interface Result {
  test: string;
  error: string | null;
  skipped: boolean;
  seconds: number;
}

/**
 * Runs a function with the page of VS Code, in the other process: it sees nothing but its two
 * arguments, and these and what it returns travel as JSON.
 */
export async function onScreen<A, R>(
  act: (page: Page, argument: A) => Promise<R>,
  argument?: A,
): Promise<R> {
  return (await ask({ act: act.toString(), argument })) as R;
}

export async function tell(result: Result): Promise<void> {
  await ask({ result });
}

async function ask(what: object): Promise<unknown> {
  const place = process.env['PTX_TESTS_SCREEN'] ?? '';
  const response = await fetch(place, { method: 'POST', body: JSON.stringify(what) });
  const { value, error } = (await response.json()) as { value?: unknown; error?: string };
  if (error !== undefined) {
    throw new Error(`on the screen: ${error}`);
  }
  return value;
}

/** Keeps a picture of the whole window. */
export function picture(name: string): Promise<unknown> {
  const path = `${process.env['PTX_TESTS_PICTURES']}/${name}.png`;
  return onScreen(async (page, to) => void (await page.screenshot({ path: to })), path);
}

/** Presses keys, one after the other: `Control+Space`, `F2`. */
export function press(...keys: string[]): Promise<void> {
  return onScreen(async (page, all) => {
    for (const key of all) {
      await page.keyboard.press(key);
    }
  }, keys);
}

export function type(text: string): Promise<void> {
  return onScreen((page, given) => page.keyboard.type(given), text);
}

/** The texts of what a CSS selector finds now. */
export function texts(selector: string): Promise<string[]> {
  return onScreen(async (page, css) => {
    const found = await page.locator(css).allInnerTexts();
    return found.map(it => it.replace(/\u00a0/g, ' ').replace(/[\u200b-\u200f]/g, ''));
  }, selector);
}

/** Waits until something that has this text is seen, and returns all that it says. */
export function seen(selector: string, text: string | RegExp = ''): Promise<string> {
  const [source, flags] = typeof text === 'string' ? [quoted(text), ''] : [text.source, text.flags];
  return onScreen(
    async (page, { css, pattern, marks, timeout }) => {
      const filter = { hasText: new RegExp(pattern, marks) };
      const found = page.locator(css).filter(filter).first();
      await found.waitFor({ state: 'visible', timeout });
      return (await found.innerText()).replace(/\u00a0/g, ' ');
    },
    { css: selector, pattern: source, marks: flags, timeout: PATIENCE },
  );
}

/** Waits until nothing that has this text is seen. */
export function gone(selector: string, text = ''): Promise<void> {
  return onScreen(
    async (page, { css, words, timeout }) => {
      await page.locator(css).filter({ hasText: words }).first().waitFor({ state: 'hidden', timeout });
    },
    { css: selector, words: text, timeout: PATIENCE },
  );
}

export function click(selector: string, text = ''): Promise<void> {
  return onScreen(
    async (page, { css, words, timeout }) => {
      await page.locator(css).filter({ hasText: words }).first().click({ timeout });
    },
    { css: selector, words: text, timeout: PATIENCE },
  );
}

/**
 * Rests the mouse on something until a hover that matches is seen. Lenses and hints that come late
 * move the text away under the mouse, so it is moved there again now and then.
 */
export function hovered(selector: string, text: string, shown: RegExp): Promise<void> {
  return onScreen(
    async (page, { css, words, pattern, marks, timeout }) => {
      const hover = page.locator('.monaco-hover').filter({ hasText: new RegExp(pattern, marks) });
      const end = Date.now() + timeout;
      for (;;) {
        await page.mouse.move(0, 0);
        await page.locator(css).filter({ hasText: words }).last().hover({ timeout });
        try {
          await hover.first().waitFor({ state: 'visible', timeout: timeout / 9 });
          return;
        } catch (error) {
          if (Date.now() > end) {
            throw error;
          }
        }
      }
    },
    { css: selector, words: text, pattern: shown.source, marks: shown.flags, timeout: PATIENCE },
  );
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
