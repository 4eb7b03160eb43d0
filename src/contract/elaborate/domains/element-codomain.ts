/** `w ∈ [0, 1]^N` of a formula `w(n) = …` with `n ∈ [0, N-1]`: n is an index, and each value w(n) lies in [0, 1]. */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Equation, FormalText } from '../../contract.ts';
import { namesOf } from '../context/syntax-parts.ts';
import { readType } from '../inputs/type-expressions.ts';
import { sidesOf } from './definition-heads.ts';

/** Where the values lie, and a domain in which the index and the length are whole numbers. */
interface OfElements {
  readonly codomain: FormalText;
  readonly domain: FormalText;
}

/** Null if the codomain is not that of such values. */
export function elementCodomain({ formula, domain, codomain }: Equation): OfElements | null {
  const written = codomain && vectorSet(codomain);
  const index = argumentOf(formula);
  if (domain === null || codomain === null || written === null || index === null) return null;
  const { said, sizes } = written;
  if (sizes.length === 0 || !domain.notation.statements.some((one) => isAbout(one, index, sizes))) return null;
  const whole = readNotation(`${[index, ...sizes].join(', ')} ∈ ℤ`, 'domain').statements;
  const { notation } = domain;
  return {
    codomain: { ...codomain, text: said, notation: readNotation(said, 'domain') },
    domain: { ...domain, notation: { ...notation, statements: [...whole, ...notation.statements] } },
  };
}

/** `w ∈ [0, 1]` and N of `w ∈ [0, 1]^N` or `w: [0, 1]^N`; null of anything else. */
function vectorSet({ text: written }: FormalText): { readonly said: string; readonly sizes: readonly string[] } | null {
  const text = written.replace(/^(\s*\p{L}[\p{L}\p{M}\p{N}_]*\s*):(?=\s)/u, '$1∈');
  const { status, statements } = readNotation(text, 'domain');
  const [only, more] = statements;
  if (status !== 'math' || !only || more) return null;
  const { body } = only;
  const [member, set] = body.kind === 'relation' && body.operators.join('') === '∈' ? body.operands : [null, body];
  const [axis, further] = (set && readType(set)?.axes) ?? [];
  if (set?.kind !== 'binary' || !axis || further || (member && member.kind !== 'name')) return null;
  const of = ({ range: { start, end } }: Expression): string => text.slice(start, end);
  return { said: member ? `${of(member)} ∈ ${of(set.left)}` : of(set.left), sizes: namesOf(axis) };
}

/** n of `w(n) = …`. */
function argumentOf({ notation }: FormalText): string | null {
  const [only, more] = notation.statements;
  const left = only && !more ? sidesOf(only.body)?.left : undefined;
  const [argument, another] = left?.kind === 'call' ? left.arguments : [];
  return argument?.value.kind === 'name' && !another ? argument.value.text : null;
}

/** `n ∈ [0, N-1]`, `0 ≤ n < N`. */
function isAbout({ body }: Statement, index: string, sizes: readonly string[]): boolean {
  const names = namesOf(body);
  return body.kind === 'relation' && [index, ...sizes].every((name) => names.includes(name));
}
