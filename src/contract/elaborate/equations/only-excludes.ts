/** Words of a domain that exclude inputs, and words that may change what the formula means. */
import { lex } from '../../../math/notation/lex.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { childrenOf } from '../context/syntax-parts.ts';

const unitsOrBases = /\b(?:bits?|nats?|base|degrees?|radians?|percent|percentages?)\b/iu;

/** Whether the words of a domain can only exclude inputs: they do not say what a function of the formula is, or in which unit it counts. */
export function onlyExcludes({ notation }: FormalText, formula: FormalText): boolean {
  const called = new Set(partsOf(formula).flatMap(calledIn));
  return notation.prose.every(
    ({ text }) => !unitsOrBases.test(text) && !lex(text).some((token) => called.has(token.text)),
  );
}

/** The names of functions that are applied in a part. */
function calledIn(part: Expression): readonly string[] {
  const own = part.kind === 'call' && part.callee.kind === 'name' ? [part.callee.text] : [];
  return [...own, ...childrenOf(part).flatMap(calledIn)];
}

function partsOf({ notation }: FormalText): readonly Expression[] {
  // The left side of `f(x) = …` names what is defined.
  return notation.statements.flatMap(({ body, definitions }) => [
    ...(body.kind === 'relation' ? body.operands.slice(1) : [body]),
    ...definitions,
  ]);
}
