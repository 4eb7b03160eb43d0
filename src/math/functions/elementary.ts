import { erf } from '../../numeric/error-function.ts';
import { binomial, factorial, sigmoid, softplus } from '../../numeric/special-functions.ts';
import { exactExp } from './exact-exponential.ts';
import {
  exactBinomial,
  exactCosh,
  exactErf,
  exactExpm1,
  exactFactorial,
  exactLog1p,
  exactSigmoid,
  exactSinh,
  exactSoftplus,
  exactTanh,
  trigonometric,
} from './exact-elementary.ts';
import { numeric } from './numeric-row.ts';
import { called, command, type NumericRow } from './row.ts';

type Float64 = NumericRow['float64'];
type Exact = NumericRow['exact'];

/** A function that JavaScript's `Math` has under the same name. */
function native(
  name:
    'exp' | 'expm1' | 'log' | 'log1p' | 'log2' | 'log10' | 'sin' | 'cos' | 'tan' | 'tanh' | 'sinh' | 'cosh' | 'atan',
  latex: string,
  exact: Exact,
): NumericRow {
  const float64: Float64 = Math[name];
  return numeric(
    1,
    { text: called(name), latex: called(latex) },
    { float64, exact, javascript: (a) => `Math.${name}(${a})` },
  );
}

/** A function of `numeric/`. */
function own(name: string, float64: Float64, exact: Exact): NumericRow {
  return numeric(
    1,
    { text: called(name), latex: called(`\\operatorname{${name}}`) },
    { float64, exact, javascript: (a) => `m.${name}(${a})` },
  );
}

/** Roots, exponentials, logarithms, trigonometric and special functions. */
export const elementary = {
  sqrt: numeric(
    1,
    { text: called('√'), latex: command('\\sqrt') },
    {
      float64: (a) => Math.sqrt(a),
      exact: (_, a) => a.squareRoot(),
      javascript: (a) => `Math.sqrt(${a})`,
    },
  ),
  'reciprocal-sqrt': numeric(
    1,
    { text: called('rsqrt'), latex: called('\\operatorname{rsqrt}') },
    {
      float64: (a) => 1 / Math.sqrt(a),
      exact: (d, a) => new d(1).dividedBy(a.squareRoot()),
      javascript: (a) => `(1 / Math.sqrt(${a}))`,
    },
  ),
  exp: native('exp', '\\exp', exactExp),
  expm1: native('expm1', '\\operatorname{expm1}', exactExpm1),
  log: native('log', '\\log', (_, a) => a.ln()),
  log1p: native('log1p', '\\operatorname{log1p}', exactLog1p),
  log2: native('log2', '\\log_2', (_, a) => a.log(2)),
  log10: native('log10', '\\log_{10}', (_, a) => a.log(10)),
  sin: native(
    'sin',
    '\\sin',
    trigonometric((a) => a.sin()),
  ),
  cos: native(
    'cos',
    '\\cos',
    trigonometric((a) => a.cos()),
  ),
  tan: native(
    'tan',
    '\\tan',
    trigonometric((a) => a.tan()),
  ),
  tanh: native('tanh', '\\tanh', exactTanh),
  sinh: native('sinh', '\\sinh', exactSinh),
  cosh: native('cosh', '\\cosh', exactCosh),
  atan: native('atan', '\\arctan', (_, a) => a.atan()),
  erf: own('erf', erf, exactErf),
  sigmoid: own('sigmoid', sigmoid, exactSigmoid),
  softplus: own('softplus', softplus, exactSoftplus),
  pi: numeric(
    0,
    { text: called('π'), latex: called('\\pi') },
    { float64: () => Math.PI, exact: (d) => d.acos(-1), javascript: () => 'Math.PI' },
  ),
  e: numeric(
    0,
    { text: called('e'), latex: called('e') },
    { float64: () => Math.E, exact: (d) => new d(1).exp(), javascript: () => 'Math.E' },
  ),
  factorial: numeric(
    1,
    {
      text: { style: 'postfix', symbol: '!', precedence: 11 },
      latex: { style: 'postfix', symbol: '!', precedence: 11 },
    },
    {
      result: 'widest',
      float64: factorial,
      exact: exactFactorial,
      javascript: (a) => `m.factorial(${a})`,
    },
  ),
  binomial: numeric(
    2,
    { text: called('binomial'), latex: command('\\binom') },
    {
      result: 'widest',
      float64: binomial,
      exact: exactBinomial,
      javascript: (a, b) => `m.binomial(${a}, ${b})`,
    },
  ),
} as const;
