/** `/` of integers as Rust has them: `(n + m - 1) / m` with `n: usize, m: usize` is rounded down. */
import type { BinaryOperator } from '../../../math/notation/syntax.ts';
import type { Range } from '../../../diagnostics/source.ts';
import { freeVariables } from '../../../math/term/traverse.ts';
import { giveUp, type Context, type MachineIntegers } from '../context/context.ts';
import type { Value } from '../context/value.ts';

/**
 * The operator that `/` of `a` and `b` means. What a quotient of such integers means is not known where the result is a real
 * number, or is not declared: a programmer rounds it, and a mathematician does not.
 */
export function quotientOperator(ctx: Context, a: Value, b: Value, range: Range): BinaryOperator {
  const { machine } = ctx;
  const names = [a, b].map((value) =>
    value.kind === 'scalar' && value.term.type.kind === 'integer' ? [...freeVariables(value.term)] : null,
  );
  const [left, right] = names;
  if (!machine || !left || !right || roundsItself.test(ctx.text.text)) return '/';
  const signs = [...left, ...right].map((name) => machine.signed.get(name));
  if (signs.every((sign) => sign === undefined)) return '/';
  if (machine.result && !signs.includes(true)) return '//';
  giveUp(
    ctx,
    range,
    'a quotient of integers of a programming language may be rounded, or be a fraction',
    'write a // b or ⌊a / b⌋ for the one, or declare the inputs in ℤ or ℕ for the other',
  );
  return '/';
}

/** Who writes ⌈n / m⌉ means the fraction: of a rounded quotient it would say nothing. `ceil_div` is only a name. */
const roundsItself = /(?<![\p{L}_])(?:ceil|ceiling|floor|round|trunc|[lr]floor|[lr]ceil)(?![\p{L}\p{Nd}_])|[⌈⌊]|\/\//u;

/** The integers of a programming language among `inputs`; null if there are none. */
export function machineIntegers(
  inputs: Iterable<{ readonly name: string; readonly machine?: 'signed' | 'unsigned' }>,
  result: boolean,
): MachineIntegers | null {
  const signed = [...inputs].flatMap(({ name, machine }) => (machine ? [[name, machine === 'signed'] as const] : []));
  return signed.length > 0 ? { signed: new Map(signed), result } : null;
}
