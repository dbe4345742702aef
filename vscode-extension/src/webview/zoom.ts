/** How large a picture is shown, and which part of it. */

export interface Place {
  scale: number;
  left: number;
  top: number;
}

const LEAST = 0.02;
const MOST = 4;
const STEP = 1.25;
const READABLE = 0.64; // slightly below what the server fits its pictures to

/** The place after a step in or out that keeps what is at a point of the view where it is. */
export function stepped(before: Place, isIn: boolean, x: number, y: number): Place {
  return scaled(before, before.scale * (isIn ? STEP : 1 / STEP), x, y);
}

/** The place at another scale. */
export function scaled(before: Place, wanted: number, x: number, y: number): Place {
  const scale = Math.min(MOST, Math.max(LEAST, wanted));
  const grown = scale / before.scale;
  return {
    scale,
    left: Math.max(0, (before.left + x) * grown - x),
    top: Math.max(0, (before.top + y) * grown - y),
  };
}

/** The scale at which all of a picture is seen, but never larger than it is. */
export function fitting(width: number, height: number, viewWidth: number, viewHeight: number): number {
  const scale = Math.min(1, viewWidth / width, viewHeight / height);
  return Math.min(MOST, Math.max(LEAST, scale));
}

/** The scale to begin with: all of it, or else as wide as the view, but still to be read. */
export function first(width: number, height: number, viewWidth: number, viewHeight: number): number {
  const whole = fitting(width, height, viewWidth, viewHeight);
  return whole >= READABLE ? whole : Math.min(1, Math.max(READABLE, viewWidth / width));
}
