import { Chalk, type ChalkInstance } from 'chalk';
import type { Palette } from '../diagnostics/render.ts';

/**
 * Whether a stream gets colour: `NO_COLOR` wins, then `FORCE_COLOR` (0 and false mean no), then the terminal decides.
 * Sources: no-color.org (any non-empty value), force-color.org; `TERM=dumb` cannot show colour.
 */
export function wantsColor(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force, TERM: term } = env;
  if (no !== undefined && no !== '') return false;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && term !== 'dumb';
}

/** Colours that are the same on every stream: the sixteen of the terminal's own theme, or none. */
export function palette(color: boolean): ChalkInstance {
  return new Chalk({ level: color ? 1 : 0 });
}

/** The colours of code frames; null on a stream without colour. */
export function diagnosticPalette(color: boolean): Palette | null {
  if (!color) return null;
  const { red, yellow, cyan, bold, dim } = palette(true);
  return { error: red.bold, warning: yellow.bold, note: cyan.bold, strong: bold, faint: dim };
}
