/** Statements that are wrong where K is 1000, and may be right where it is 1024. */
import type { Contract } from '../../contract/contract.ts';
import type { Goal } from '../../contract/goal.ts';
import { ambiguousScale } from '../../math/notation/ambiguous-scale.ts';

/** Why what breaks a claim decides nothing, if a number of it or of its equations may be another one; else null. */
export function openScale({ formal, claim, applications, domain }: Goal, { equations }: Contract): string | null {
  const names = new Set([...domain.sizes, ...domain.variables].map(({ name }) => name));
  const used = new Set(applications.map(({ equation }) => equation));
  const own = equations.filter(({ name }) => used.has(name) || claim.startsWith(`${name}.`));
  const texts = [formal, ...own.flatMap((one) => [one.formula.text, one.domain?.text ?? ''])];
  const [found] = texts.flatMap((text) => ambiguousScale(text, (letter) => names.has(letter)) ?? []);
  return found === undefined ? null : `${found} may be meant with ${found.endsWith('K') ? 'K = 1024' : 'M = 1024²'}`;
}
