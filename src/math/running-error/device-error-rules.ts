/**
 * The rules of the running error on a graphics device that computes within the accuracy that WGSL demands (W3C, WebGPU
 * Shading Language, section 15.7.4.1, "Accuracy of Concrete Floating Point Expressions"; Vulkan's is the same except for tanh).
 *
 * Nothing is rounded to nearest there: `+ − ·` give either neighbour of the exact result, one unit in the last place, which
 * is 2·2⁻²⁴ of it at most. Division errs by 2.5 units, a root by those of `1 / inverseSqrt(x)`, `exp` by 3 + 2·|x|; to each of
 * these comes one unit for the last rounding, since SwiftShader and llvmpipe were seen up to 5 % beyond (`pv calibrate`).
 * Subnormal operands and results may become 0 (15.7.2), which adds 2⁻¹²⁶ to each operation. A sum of k terms is bounded
 * in any order of additions: k·2·2⁻²⁴·Σ|t|. So the bound needs no factor to pay for anything, to first order.
 */
import { call, choose, decimal, integer } from '../term/build.ts';
import {
  errorOfRoot,
  errorOfSelection,
  exact,
  plus,
  propagated,
  selections,
  throughSlope,
  type ErrorRules,
  type Operand,
} from './error-rules.ts';
import type { FunctionName } from '../functions.ts';
import { REAL, type Term } from '../term/term.ts';
import { zero } from '../term/zero.ts';

/** 2⁻¹²⁶ in units of 2⁻²⁴, rounded up: what taking a subnormal number for 0 changes at most. */
const flushed = decimal('1.97215226305253e-31');

/** `unbounded` is called for each operation for which WGSL states no accuracy; the result is then not a bound. */
export function deviceErrors(unbounded: (operation: string) => void): ErrorRules {
  return {
    ofCall: (term, result, operands) => errorOnDevice(term.fn, result, operands, unbounded),
    ofConstant: (value) => call('multiply', integer(2), call('absolute', value)),
    ofSummand: (value, count) =>
      plus(flushed, call('multiply', call('multiply', integer(2), count()), call('absolute', value))),
    // A factor may be flushed, and relative to a product of the others that is not a bound.
    ofFactor: () => {
      unbounded('∏');
      return zero;
    },
  };
}

function errorOnDevice(
  fn: FunctionName,
  result: Term,
  [a, b, c]: readonly Operand[],
  unbounded: (operation: string) => void,
): Term {
  if (a === undefined || exact.has(fn)) return zero;
  if (fn === 'round32') return plus(plus(a.error, times(2, magnitude(a.value))), flushed);
  if (selections.has(fn)) return errorOfSelection(fn, a, b, c);
  const own = ownError(fn, result, a.value, b?.value ?? a.value);
  if (own === null) unbounded(fn);
  const passedOn =
    b !== undefined
      ? propagated(fn, a, b, result)
      : fn === 'sqrt'
        ? errorOfRoot(a, result)
        : throughSlope(fn, a, result);
  return plus(plus(passedOn, own ?? zero), flushed);
}

/** What an operation adds to exact operands, in units of 2⁻²⁴; null if WGSL gives no bound. */
function ownError(fn: FunctionName, result: Term, a: Term, b: Term): Term | null {
  const size = magnitude(result);
  switch (fn) {
    case 'add':
    case 'subtract':
    case 'multiply':
      return times(2, size);
    case 'divide':
      return times(7, size);
    // 2 units of inverseSqrt, then a division.
    case 'sqrt':
      return times(13, size);
    case 'reciprocal-sqrt':
      return times(20, size);
    case 'exp':
      return call('multiply', exponentialUnits(a), size);
    case 'expm1':
      return sum(call('multiply', exponentialUnits(a), call('exp', a)), times(2, size));
    case 'log':
    case 'log2':
      return logarithm(size);
    case 'log10':
      return sum(logarithm(size), times(4, size));
    // log(1 + a), the sum rounded first.
    case 'log1p':
      return sum(integer(2), logarithm(size));
    case 'power':
      return power(result, a, b);
    // (exp(a) ∓ exp(−a)) / 2.
    case 'sinh':
    case 'cosh':
      return call('multiply', sum(integer(4), exponentialUnits(a)), call('cosh', a));
    // The worse of 1e-5 and sinh / cosh.
    case 'tanh':
      return call('maximum', decimal('167.8'), sum(integer(31), times(8, magnitude(a))));
    case 'atan':
      return times(8194, size);
    // 1 / (1 + exp(−a)), log(1 + exp(a)): neither is a function of WGSL.
    case 'sigmoid':
      return call('multiply', sum(integer(9), exponentialUnits(a)), size);
    case 'softplus':
      return sum(sum(integer(2), exponentialUnits(a)), logarithm(size));
    default:
      return null;
  }
}

/** 3 + 2·|a| units in the last place, and one. */
function exponentialUnits(a: Term): Term {
  return sum(integer(8), times(4, magnitude(a)));
}

/** 2⁻²¹ in [0.5, 2], and 3 units in the last place elsewhere, and one. */
function logarithm(size: Term): Term {
  return sum(integer(8), times(8, size));
}

/** `exp2(b · log2(a))`; a small whole exponent is a product in kernels, since no shader takes powers of negative numbers. */
function power(result: Term, a: Term, b: Term): Term {
  const size = magnitude(result);
  const exponent = b.kind === 'number' ? Number(b.value) : NaN;
  if (Number.isInteger(exponent) && Math.abs(exponent) <= 8)
    return times(2 * Math.max(0, Math.abs(exponent) - 1) + (exponent < 0 ? 5 : 0), size);
  const log2 = call('log2', a);
  const product = magnitude(call('multiply', b, log2));
  const ofProduct = sum(call('multiply', magnitude(b), logarithm(magnitude(log2))), times(2, product));
  const relative = sum(exponentialUnits(product), ofProduct);
  // 0 to a power is 0, and what underflows is flushed: log2 has nothing to say there.
  return choose(call('greater', size, integer(0)), call('multiply', relative, size), integer(0), REAL);
}

function magnitude(term: Term): Term {
  return call('absolute', term);
}

function times(factor: number, term: Term): Term {
  return factor === 0 ? zero : call('multiply', integer(factor), term);
}

function sum(a: Term, b: Term): Term {
  return call('add', a, b);
}
