import { escapeXml } from '../xml.ts';

/** HTML that is safe to place in a page. Only {@link safe} and {@link trusted} make it. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Part[] | null | false;

/** HTML with every interpolated text escaped; markup, and lists of parts, are placed as they are; null and false are nothing. */
export function safe(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: strings.map((text, i) => text + (i < parts.length ? place(parts[i] ?? null) : '')).join('') };
}

/** Markup that pv or a library of its own made and that holds no text of the user unescaped. */
export function trusted(markup: string): Markup {
  return { markup };
}

function place(part: Part): string {
  if (part === null || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return String(part).split('\n').map(escapeXml).join('\n');
  return isList(part) ? part.map(place).join('') : part.markup;
}

const isList = (part: Markup | readonly Part[]): part is readonly Part[] => Array.isArray(part);
