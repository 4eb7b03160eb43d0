/**
 * What languages and books mean differently: a remainder's sign, the base of a logarithm, the divisor of a variance. A statement that is
 * false as pv reads it stays false, and the reason says under which other convention it would hold.
 */
import { roundedToZero } from '../../contract/exact/ground-value.ts';
import { call, choose, integer } from '../../math/term/build.ts';
import { termKey } from '../../math/term/term-key.ts';
import type { Term } from '../../math/term/term.ts';
import type { Convention } from './under-convention.ts';

/** The conventions; `name` ends the sentence `it holds …`. */
export const otherConventions: readonly Convention[] = [
  {
    name: roundedToZero,
    read: (term) =>
      readCall(term, 'floor-divide', truncated) ??
      readCall(term, 'modulo', (a, b) => call('subtract', a, call('multiply', b, truncated(a, b)))),
  },
  { name: 'with logarithms to base 10', read: (term) => readCall(term, 'log', (x) => call('log10', x)) },
  { name: 'with logarithms to base 2', read: (term) => readCall(term, 'log', (x) => call('log2', x)) },
  { name: 'with the variance of a sample, which divides by n − 1', read: ofSample },
];

function readCall(term: Term, fn: string, read: (a: Term, b: Term) => Term): Term | null {
  if (term.kind !== 'call' || term.fn !== fn) return null;
  const [a, b = integer(1)] = term.arguments;
  return a ? read(a, b) : null;
}

function truncated(a: Term, b: Term): Term {
  const quotient = call('divide', a, b);
  const [down, up] = [call('floor', quotient), call('ceiling', quotient)];
  return choose(call('less', quotient, integer(0)), up, down, down.type);
}

/** `Σ_i (x_i - s / n)² / n` with another divisor. */
function ofSample(term: Term): Term | null {
  const [sum, n] = term.kind === 'call' && term.fn === 'divide' ? term.arguments : [];
  if (!n || sum?.kind !== 'reduce' || sum.operator !== 'sum' || sum.body.kind !== 'call') return null;
  const [deviation] = sum.body.fn === 'power' ? sum.body.arguments : [];
  const [, mean] = deviation?.kind === 'call' && deviation.fn === 'subtract' ? deviation.arguments : [];
  const divisor = mean?.kind === 'call' && mean.fn === 'divide' ? mean.arguments[1] : undefined;
  if (!divisor || termKey(divisor) !== termKey(n)) return null;
  return call('divide', sum, call('subtract', n, integer(1)));
}
