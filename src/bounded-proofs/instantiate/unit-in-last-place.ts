/**
 * The unit in the last place of a number that is not known: no node computes it, so a variable represents it, between bounds
 * that hold for the right value.
 *
 * For r = RN(x) with 2^e ≤ |r| < 2^(e+1), e ≥ −126, the unit is 2^(e−23): above 2⁻²⁴·|r| and at most 2⁻²³·|r|; below the
 * smallest normal number it is 2⁻¹⁴⁹, which is also the least there is (IEEE 754-2019, §3.3). Beyond the largest float32
 * it is that of the largest. Up to there x is at most half a unit from r, also where r is a power of two that x was rounded
 * up to: then the unit of x's own binade is the half of r's.
 */
import { MAX_FLOAT32, ulp32 } from '../../numeric/float.ts';
import { fraction, fromFloat, toFloat, type Rational } from '../../numeric/rational.ts';
import { roundRational32 } from '../../numeric/round-rational.ts';
import type { BooleanExpression, NumberExpression } from '../expression.ts';
import type { Translation } from './translation.ts';

const power = (exponent: number): Rational =>
  exponent < 0 ? fraction(1n, 1n << BigInt(-exponent)) : fraction(1n << BigInt(exponent));

const smallest = power(-149);

/** The unit as an auxiliary variable that premises bound; one for each number. */
export function ulpOf(translation: Translation, of: NumberExpression): NumberExpression {
  const { graph, auxiliaries, premises } = translation;
  const known = auxiliaries.find(({ standsFor }) => standsFor?.kind === 'ulp32' && standsFor.of === of);
  if (known) return known.expression;
  if (of.kind === 'constant') return graph.constant(fromFloat(ulp32(toFloat(roundRational32(of.value)))));
  const name = `ulp:${auxiliaries.length}`;
  const expression = graph.variable(name);
  auxiliaries.push({
    expression,
    name,
    format: 'real',
    low: smallest,
    high: power(104),
    choices: null,
    standsFor: { kind: 'ulp32', of },
  });
  const largest = graph.constant(fromFloat(MAX_FLOAT32));
  const magnitude = graph.minimum(graph.absolute(graph.round32(of)), largest);
  const upper = graph.maximum(graph.constant(smallest), graph.multiply(graph.constant(power(-23)), magnitude));
  premises.push(
    graph.lessEqual(graph.multiply(graph.constant(power(-24)), magnitude), expression),
    graph.lessEqual(expression, upper),
    halfUnit(translation, of, expression),
  );
  return expression;
}

/** Where nothing overflows, |RN(x) − x| is at most half a unit. */
function halfUnit(translation: Translation, of: NumberExpression, unit: NumberExpression): BooleanExpression {
  const { graph } = translation;
  const roundings: NumberExpression[] = [];
  const rounded = roundedParts(translation, of, roundings);
  const [least, largest] = [graph.constant(fromFloat(-MAX_FLOAT32)), graph.constant(fromFloat(MAX_FLOAT32))];
  return graph.or([
    ...roundings.flatMap((one) => [graph.less(one, least), graph.less(largest, one)]),
    graph.lessEqual(
      graph.absolute(graph.subtract(rounded, of)),
      graph.multiply(graph.constant(fraction(1n, 2n)), unit),
    ),
  ]);
}

/**
 * RN(x) as code writes it, so that the two are one expression: of a choice the choice of what its parts are rounded to, and
 * nothing of what is a float32 already. Its roundings are noted.
 */
function roundedParts(translation: Translation, x: NumberExpression, roundings: NumberExpression[]): NumberExpression {
  const { graph, float32Variables } = translation;
  const parts = (one: NumberExpression): NumberExpression => roundedParts(translation, one, roundings);
  if (x.kind === 'if') return graph.if(x.condition, parts(x.then), parts(x.otherwise));
  if (x.kind === 'negate') return graph.negate(parts(x.operand));
  if (x.kind === 'variable' && float32Variables.has(x.name)) return x;
  const rounding = graph.round32(x);
  roundings.push(rounding);
  return rounding;
}
