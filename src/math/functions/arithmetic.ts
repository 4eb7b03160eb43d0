import { floorDivide, modulo, power, roundHalfEven } from '../../numeric/special-functions.ts';
import {
  exactClamp,
  exactFloorDivide,
  exactMaximum,
  exactMinimum,
  exactModulo,
  exactSign,
} from './exact-arithmetic.ts';
import { numeric } from './numeric-row.ts';
import { around, called, command, infix, prefix } from './row.ts';

const same = (notation: ReturnType<typeof infix>) => ({ text: notation, latex: notation });

/** Operators and piecewise-linear functions. */
export const arithmetic = {
  add: numeric(2, same(infix('+', 7)), {
    result: 'widest',
    float64: (a, b) => a + b,
    exact: (_, a, b) => a.plus(b),
    javascript: (a, b) => `(${a} + ${b})`,
  }),
  subtract: numeric(2, same(infix('-', 7)), {
    result: 'widest',
    float64: (a, b) => a - b,
    exact: (_, a, b) => a.minus(b),
    javascript: (a, b) => `(${a} - ${b})`,
  }),
  multiply: numeric(
    2,
    { text: infix('·', 8), latex: infix('\\cdot', 8) },
    {
      result: 'widest',
      float64: (a, b) => a * b,
      exact: (_, a, b) => a.times(b),
      javascript: (a, b) => `(${a} * ${b})`,
    },
  ),
  divide: numeric(
    2,
    { text: infix('/', 8), latex: command('\\frac') },
    {
      float64: (a, b) => a / b,
      exact: (_, a, b) => a.dividedBy(b),
      javascript: (a, b) => `(${a} / ${b})`,
    },
  ),
  negate: numeric(1, same(prefix('-', 9)), {
    result: 'widest',
    float32: 'exact',
    float64: (a) => -a,
    exact: (_, a) => a.negated(),
    javascript: (a) => `(-${a})`,
  }),
  power: numeric(2, same(infix('^', 10)), {
    float64: power,
    exact: (_, a, b) => a.toPower(b),
    javascript: (a, b) => `m.power(${a}, ${b})`,
  }),
  modulo: numeric(
    2,
    { text: infix('mod', 8), latex: infix('\\bmod', 8) },
    {
      result: 'widest',
      float64: modulo,
      exact: (_, a, b) => exactModulo(a, b),
      javascript: (a, b) => `m.modulo(${a}, ${b})`,
    },
  ),
  'floor-divide': numeric(
    2,
    { text: infix('//', 8), latex: infix('\\mathbin{//}', 8) },
    {
      result: 'widest',
      float64: floorDivide,
      exact: (_, a, b) => exactFloorDivide(a, b),
      javascript: (a, b) => `m.floorDivide(${a}, ${b})`,
    },
  ),
  absolute: numeric(
    1,
    { text: around('|', '|'), latex: around('\\left|', '\\right|') },
    {
      result: 'widest',
      float32: 'exact',
      float64: (a) => Math.abs(a),
      exact: (_, a) => a.abs(),
      javascript: (a) => `Math.abs(${a})`,
    },
  ),
  sign: numeric(
    1,
    { text: called('sign'), latex: called('\\operatorname{sign}') },
    {
      result: 'integer',
      float32: 'exact',
      float64: (a) => Math.sign(a),
      exact: exactSign,
      javascript: (a) => `Math.sign(${a})`,
    },
  ),
  floor: numeric(
    1,
    { text: around('⌊', '⌋'), latex: around('\\left\\lfloor', '\\right\\rfloor') },
    {
      result: 'integer',
      float32: 'exact',
      float64: (a) => Math.floor(a),
      exact: (_, a) => a.floor(),
      javascript: (a) => `Math.floor(${a})`,
    },
  ),
  ceiling: numeric(
    1,
    { text: around('⌈', '⌉'), latex: around('\\left\\lceil', '\\right\\rceil') },
    {
      result: 'integer',
      float32: 'exact',
      float64: (a) => Math.ceil(a),
      exact: (_, a) => a.ceil(),
      javascript: (a) => `Math.ceil(${a})`,
    },
  ),
  /** Ties to the even integer, as IEEE 754, NumPy and PyTorch do. */
  round: numeric(
    1,
    { text: called('round'), latex: called('\\operatorname{round}') },
    {
      result: 'integer',
      float32: 'exact',
      float64: roundHalfEven,
      exact: (d, a) => a.toDecimalPlaces(0, d.ROUND_HALF_EVEN),
      javascript: (a) => `m.roundHalfEven(${a})`,
    },
  ),
  minimum: numeric(
    2,
    { text: called('min'), latex: called('\\min') },
    {
      result: 'widest',
      float32: 'exact',
      float64: (a, b) => Math.min(a, b),
      exact: exactMinimum,
      javascript: (a, b) => `Math.min(${a}, ${b})`,
    },
  ),
  maximum: numeric(
    2,
    { text: called('max'), latex: called('\\max') },
    {
      result: 'widest',
      float32: 'exact',
      float64: (a, b) => Math.max(a, b),
      exact: exactMaximum,
      javascript: (a, b) => `Math.max(${a}, ${b})`,
    },
  ),
  /** `clamp(x, low, high)` = min(max(x, low), high). */
  clamp: numeric(
    3,
    { text: called('clamp'), latex: called('\\operatorname{clamp}') },
    {
      result: 'widest',
      float32: 'exact',
      float64: (a, low, high) => Math.min(Math.max(a, low), high),
      exact: exactClamp,
      javascript: (a, low, high) => `Math.min(Math.max(${a}, ${low}), ${high})`,
    },
  ),
} as const;
