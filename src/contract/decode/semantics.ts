import type { Semantics } from '../contract.ts';

/** Null for any other word: the schema has reported it. */
export function semanticsOf(text: string | null): Semantics | null {
  return text === 'real' || text === 'ieee' || text === 'ulp' || text === 'statistical' ? text : null;
}
