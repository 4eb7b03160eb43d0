/**
 * The exponential of a float32, rounded to float32, as text: what `expOfEach` does with a whole array, in place. A call would be
 * slower than `Math.exp` itself wherever the engine does not compile it into the loop that makes it.
 */
import { exp32Constants } from '../numeric/elementary32/exp.ts';
import { roundedExpConstants } from '../numeric/elementary32/rounded-exp.ts';

const { perUnit, shift, cubic, quadratic, linear } = exp32Constants;
const { least, most, origin, above, below } = roundedExpConstants;

/** Below it, the result is less than half of the least float32. */
const none = -104;
/** Nearer to 0, the result is nearer to 1 than 1 ± 2⁻²⁵, and what is rounded elsewhere begins farther away. */
const tiny = 2 ** -26;

/** Names that the text uses besides `f`, which rounds: one of these for all places, and `powersOfTwo` as a parameter. */
export const exponentialDeclarations = 'let e_x, e_k, e_r;';
/** The name, in generated code, of the table of powers of two. */
export const exponentialTable = 'powersOfTwo';

/** The float32 nearest to `Math.exp` of the number that the text `x` gives. */
export function exponentialText(x: string): string {
  const value = `((${cubic} * e_r + ${quadratic}) * (e_r * e_r) + (${linear} * e_r + 1)) * ${exponentialTable}[(e_k | 0) + ${origin}]`;
  const fromTable = [
    `e_r = ${perUnit} * e_x`,
    `e_k = e_r + ${shift} - ${shift}`,
    'e_r -= e_k',
    `e_r = ${value}`,
    `(e_k = f(e_r * ${above})) === f(e_r * ${below})`,
  ];
  const inside = `e_x > ${least} && e_x < ${most} && (${fromTable.join(', ')})`;
  return `((e_x = ${x}) > ${-tiny} && e_x < ${tiny} ? 1 : ${inside} ? e_k : e_x < ${none} ? 0 : f(Math.exp(e_x)))`;
}
