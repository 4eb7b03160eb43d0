import { Chalk } from 'chalk';
import type { Palette } from '../diagnostics/render.ts';

/** The colours of code frames, from the sixteen of the terminal's own theme; null on a stream without colour. */
export function diagnosticPalette(color: boolean): Palette | null {
  if (!color) return null;
  // Whether to colour is already decided, so chalk must not look at the process again.
  const { red, yellow, cyan, bold, dim } = new Chalk({ level: 1 });
  return { error: red.bold, warning: yellow.bold, note: cyan.bold, strong: bold, faint: dim };
}
