/** Inputs that a domain bounds as indices are (`0 ≤ i < n`), or of which it may say in words that they are whole, and of which it gives no type. */
import type { Contract } from '../../contract/contract.ts';
import type { Goal } from '../../contract/goal.ts';
import type { InputVariable } from '../../math/domain.ts';
import type { Term } from '../../math/term/term.ts';
import { partsOf } from '../../math/term/traverse.ts';
import type { WorkSubject } from '../../plan/check.ts';

const isIndexName = (name: string): boolean => /^[ijkl]$/u.test(name);

/** The inputs that are bounded as indices are, of which the contract says no type, and with them what they are divided by (`k mod w`). */
export function undeclaredIndices(
  { domain, predicate }: Goal,
  subjects: readonly WorkSubject[],
  { equations }: Contract,
): readonly string[] {
  const texts = equations.flatMap(({ domain: said }) => (said ? [said.text] : []));
  const untyped = domain.variables.filter(({ name, element, shape }) => {
    const typed = new RegExp(String.raw`(?<![\p{L}\p{N}_])${name}(?:\s*,\s*\p{L}\w*)*\s*(?:∈|:|\bin\b|\bis\b)`, 'u');
    return element.kind !== 'integer' && shape.length === 0 && !texts.some((text) => typed.test(text));
  });
  const own = new Set(subjects.map(({ equation }) => equation));
  const said = equations.flatMap(({ name, domain: one }) => (one && own.has(name) ? one.notation.prose : []));
  if (said.some(({ text }) => integers.test(text)))
    return domain.variables
      .filter(({ element, shape }) => element.kind !== 'integer' && shape.length === 0)
      .map(({ name }) => name);
  const indices = untyped.filter(isBoundedAsIndex);
  if (indices.length === 0) return [];
  const divisors = new Set([predicate, ...subjects.map(({ model }) => model.body)].flatMap(divisorsIn));
  return untyped.filter((one) => indices.includes(one) || divisors.has(one.name)).map(({ name }) => name);
}

/** `all positive integers`, `a, b positive integers`, `(all in ℕ⁺)`. */
const integers = /\b(?:integers?|ints?|naturals?|whole|counts?)\b|[ℕℤ]/iu;

function divisorsIn(term: Term): readonly string[] {
  const found: string[] = [];
  const seen = new Set<Term>();
  const stack = [term];
  for (let at = stack.pop(); at; at = stack.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const [, by] = at.kind === 'call' && (at.fn === 'modulo' || at.fn === 'floor-divide') ? at.arguments : [];
    if (by?.kind === 'variable') found.push(by.name);
    stack.push(...partsOf(at));
  }
  return found;
}

/** From 0 or 1 on, and by name or up to a whole number. */
function isBoundedAsIndex({ name, lower, upper }: InputVariable): boolean {
  const start = lower && !lower.open && lower.value.kind === 'number' ? Number(lower.value.value) : Number.NaN;
  const isFromStart = (start === 0 && upper?.open === true) || (start === 1 && upper?.open === false);
  const isToWhole = upper?.value.kind === 'variable' && upper.value.type.kind === 'integer';
  return isFromStart && (isIndexName(name) || isToWhole);
}
