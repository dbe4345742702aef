/** Runs in the panel of a picture: zoom, panning, keys, and blocks that lead to the text. */

import type { Area, FromPage, ToPage } from '../picture-page.ts';
import { first, fitting, type Place, scaled, stepped } from './zoom.ts';

interface Host {
  postMessage(message: FromPage): void;
  getState(): State | undefined;
  setState(state: State): void;
}

/** State kept for a new picture of the same function; `isChosen`: the user has zoomed. */
interface State {
  name: string;
  place: Place;
  isChosen: boolean;
}

declare function acquireVsCodeApi(): Host;

const FAR = 4; // pixels that a pointer moves before it pans

const host = acquireVsCodeApi();
const view = element<HTMLElement>('#view');
const picture = element<SVGSVGElement>('#view svg');
const name = document.body.dataset['name'] ?? '';
const width = picture.width.baseVal.value;
const height = picture.height.baseVal.value;
const blocks = [...picture.querySelectorAll<SVGGElement>('g.block')];
const head = picture.querySelector<SVGGElement>('g.head');
const links = [...picture.querySelectorAll<SVGPathElement>('path.link[data-from]')];
const before = host.getState();
const isSame = before?.name === name;
let isChosen = isSame && before.isChosen;
let scale = 1;

function element<Kind extends Element>(selector: string): Kind {
  const found = document.querySelector<Kind>(selector);
  if (found === null) {
    throw new Error(`no ${selector}`);
  }
  return found;
}

function now(): Place {
  return { scale, left: view.scrollLeft, top: view.scrollTop };
}

function show(place: Place): void {
  scale = place.scale;
  picture.setAttribute('width', String(width * scale));
  picture.setAttribute('height', String(height * scale));
  view.scrollLeft = place.left;
  view.scrollTop = place.top;
  element('#scale').textContent = `${Math.round(scale * 100)}%`;
  keep();
}

/** Keeps the place, and the title in view. */
function keep(): void {
  host.setState({ name, place: now(), isChosen });
  head?.setAttribute('transform', `translate(${view.scrollLeft / scale} 0)`);
}

function area(): Area {
  return [view.clientWidth, view.clientHeight];
}

/** Shows all of the picture, or as much as is readable, until the user zooms. */
function begin(): void {
  show({ scale: first(width, height, ...area()), left: 0, top: 0 });
}

function step(isIn: boolean, x = view.clientWidth / 2, y = view.clientHeight / 2): void {
  isChosen = true;
  show(stepped(now(), isIn, x, y));
}

function fit(): void {
  isChosen = true;
  show(scaled(now(), fitting(width, height, view.clientWidth, view.clientHeight), 0, 0));
}

function full(): void {
  isChosen = true;
  show(scaled(now(), 1, view.clientWidth / 2, view.clientHeight / 2));
}

function lineOf(block: SVGGElement, end: 'first' | 'last'): number {
  return Number(block.dataset[end]);
}

function reveal(block: SVGGElement): void {
  host.postMessage({ kind: 'reveal', line: lineOf(block, 'first') });
}

/** Marks the block of a line, and the links from and to it. */
function mark(line: number | undefined, isShown: boolean): void {
  const block = blocks.find(
    it => line !== undefined && lineOf(it, 'first') <= line && line <= lineOf(it, 'last'),
  );
  for (const other of blocks) {
    other.classList.toggle('here', other === block);
  }
  const number = block?.dataset['block'];
  for (const link of links) {
    const { from, to } = link.dataset;
    link.classList.toggle('of-here', number !== undefined && (from === number || to === number));
  }
  if (isShown) {
    block?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}

/**
 * Moves the focus along a link: down to where it leads, or up to where it comes from. In a picture
 * without links, moves it to the next or the last block.
 */
function follow(block: SVGGElement, isDown: boolean): boolean {
  const [here, there] = isDown ? (['from', 'to'] as const) : (['to', 'from'] as const);
  const link = links.find(
    it => it.dataset[here] === block.dataset['block'] && it.dataset[there] !== it.dataset[here],
  );
  const other = blocks.find(it => it.dataset['block'] === link?.dataset[there]);
  const next = links.length > 0 ? other : blocks[blocks.indexOf(block) + (isDown ? 1 : -1)];
  next?.focus();
  return next !== undefined;
}

function blockOf(target: EventTarget | null): SVGGElement | null {
  return target instanceof Element ? target.closest<SVGGElement>('g.block') : null;
}

const KEYS: Record<string, () => void> = {
  '+': () => step(true),
  '=': () => step(true),
  '-': () => step(false),
  '0': fit,
  '1': full,
};

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const block = blockOf(event.target);
  const action = KEYS[event.key];
  let isDone = true;
  if (action !== undefined) {
    action();
  } else if (block !== null && (event.key === 'Enter' || event.key === ' ')) {
    reveal(block);
  } else if (block !== null && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    isDone = follow(block, event.key === 'ArrowDown');
  } else {
    isDone = false;
  }
  if (isDone) {
    event.preventDefault();
  }
});

view.addEventListener(
  'wheel',
  event => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const area = view.getBoundingClientRect();
      step(event.deltaY < 0, event.clientX - area.left, event.clientY - area.top);
    }
  },
  { passive: false },
);
view.addEventListener('scroll', keep, { passive: true });

let grip: { x: number; y: number; place: Place; isMoving: boolean } | undefined;
view.addEventListener('pointerdown', event => {
  if (event.button === 0 && event.pointerType !== 'touch') {
    grip = { x: event.clientX, y: event.clientY, place: now(), isMoving: false };
  }
});
window.addEventListener('pointermove', event => {
  if (grip === undefined) {
    return;
  }
  const [x, y] = [event.clientX - grip.x, event.clientY - grip.y];
  if (!grip.isMoving && Math.hypot(x, y) > FAR) {
    grip.isMoving = true;
    view.classList.add('moving');
  }
  if (grip.isMoving) {
    view.scrollLeft = grip.place.left - x;
    view.scrollTop = grip.place.top - y;
  }
});
window.addEventListener('pointerup', event => {
  const hasMoved = grip?.isMoving ?? true;
  grip = undefined;
  view.classList.remove('moving');
  const block = hasMoved || event.button !== 0 ? null : blockOf(event.target);
  if (block !== null) {
    reveal(block);
  }
});
window.addEventListener('pointercancel', () => {
  grip = undefined;
  view.classList.remove('moving');
});

for (const block of blocks) {
  block.setAttribute('tabindex', '0');
  block.setAttribute('role', 'button');
  block.setAttribute('aria-label', (block.querySelector('title')?.textContent ?? '').split('\n', 1)[0] ?? '');
}
element('#in').addEventListener('click', () => step(true));
element('#out').addEventListener('click', () => step(false));
element('#fit').addEventListener('click', fit);
element('#full').addEventListener('click', full);
element('#svg').addEventListener('click', () => host.postMessage({ kind: 'save', isPicture: true }));
element('#other').addEventListener('click', () =>
  host.postMessage({ kind: 'save', isPicture: false }),
);
window.addEventListener('message', (event: MessageEvent<ToPage>) => {
  mark(event.data.cursor, event.data.isShown);
});

window.addEventListener('resize', () => host.postMessage({ kind: 'resized', area: area() }));

if (isSame && isChosen) {
  show(before.place);
} else {
  begin();
  // A row of a timeline is as wide as the picture: its middle would hide its line and its name.
  blocks[0]?.scrollIntoView({ block: 'nearest', inline: links.length > 0 ? 'center' : 'start' });
}
host.postMessage({ kind: 'ready', area: area() });
