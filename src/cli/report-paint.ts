import { Chalk } from 'chalk';
import type { Paint } from '../report/format.ts';

/** The colours of the text report, from the terminal's own theme; no colour leaves the text as it is. */
export function reportPaint(color: boolean): Paint {
  if (!color) return (_, text) => text;
  // Whether to colour is already decided, so chalk must not look at the process again.
  const { green, red, yellow, dim, bold } = new Chalk({ level: 1 });
  const styles = { good: green, bad: red, doubt: yellow, none: dim, dim, strong: bold } as const;
  return (style, text) => styles[style](text);
}
