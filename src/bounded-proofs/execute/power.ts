import { exactPower } from '../exact-power.ts';
import type { BooleanExpression, NumberExpression } from '../expression.ts';
import { demand, refuse, type Execution } from './execution.ts';
import { demandFinite, unlessNaN, type Site } from './site.ts';
import { expressionOf, isFloat32, isZero, settled, type NumberValue } from './value.ts';

/** `base ** exponent` and `Math.pow`: under `float32` the rounded power of float64. */
export function power(execution: Execution, base: NumberValue, exponent: NumberValue, site: Site): NumberValue {
  if (isZero(exponent)) return 1;
  if (isInfinite(base) || isInfinite(exponent)) return infinitePower(execution, base, exponent, site);
  const [b, e] = [expressionOf(execution, base, site.place), expressionOf(execution, exponent, site.place)];
  demandValue(execution, [b, e], exponent, site);
  if (isZero(base) && typeof exponent === 'number') {
    if (exponent < 0) return 0;
    return typeof base === 'number' ? base ** exponent : base;
  }
  if (isZero(base)) {
    // An exponent that is known only at run time may be 0 too: 0 ** 0 is 1.
    const { graph } = execution;
    return settled(execution, graph.if(graph.equal(e, graph.integer(0)), graph.integer(1), graph.integer(0)));
  }
  if (execution.reading === 'real') return settled(execution, exactPower(execution.graph, b, e));
  if (!isFloat32(execution, base) || !isFloat32(execution, exponent))
    refuse(
      execution,
      site.place,
      'a power of a whole number beyond 2²⁴, which is not a float32, has no model in proofs',
    );
  const result = execution.graph.machinePower(b, e);
  demandFinite(execution, result, site);
  return result;
}

const isInfinite = (value: NumberValue): boolean => typeof value === 'number' && !Number.isFinite(value);

function infinitePower(execution: Execution, base: NumberValue, exponent: NumberValue, site: Site): number {
  if (typeof base === 'number' && typeof exponent === 'number') return unlessNaN(execution, base ** exponent, site);
  refuse(execution, site.place, 'a power with an infinity in it is computed here');
  return 0;
}

/** Where a power has a value: positive bases; 0 to what is not negative; negative bases to whole numbers. */
function demandValue(
  execution: Execution,
  [base, exponent]: readonly [NumberExpression, NumberExpression],
  known: NumberValue,
  { path, place, text }: Site,
): void {
  const { graph } = execution;
  const zero = graph.integer(0);
  const vanishes = graph.equal(base, zero);
  const note = (kind: 'division' | 'invalid', condition: BooleanExpression, what: string): void => {
    demand(execution, path, { kind, place, condition, text: () => `${text()} ${what}` });
  };
  if (typeof known === 'number') {
    if (!Number.isInteger(known)) note('invalid', graph.lessEqual(zero, base), 'has a base that is not negative');
    if (known < 0) note('division', graph.not(vanishes), 'does not divide by 0');
    return;
  }
  const whole = graph.equal(graph.step('floor', exponent), exponent);
  const defined = graph.or([
    graph.less(zero, base),
    graph.and([vanishes, graph.lessEqual(zero, exponent)]),
    graph.and([graph.less(base, zero), whole]),
  ]);
  note('invalid', defined, 'has a value');
}
