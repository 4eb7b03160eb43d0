import { escapeXml } from '../xml.ts';

/** HTML that is safe to place in a page. Only {@link safe} and {@link trusted} make it. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Part[] | null | false;

/** HTML with every interpolated text escaped; markup and lists of parts are inserted unchanged; null and false insert nothing. */
export function safe(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: strings.map((text, i) => text + (i < parts.length ? place(parts[i] ?? null) : '')).join('') };
}

/** Markup made by pv or one of its libraries, which contains no unescaped user text. */
export function trusted(markup: string): Markup {
  return { markup };
}

function place(part: Part): string {
  if (part === null || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return String(part).split('\n').map(escapeXml).join('\n');
  return isList(part) ? part.map(place).join('') : part.markup;
}

const isList = (part: Markup | readonly Part[]): part is readonly Part[] => Array.isArray(part);
