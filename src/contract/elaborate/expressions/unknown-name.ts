import { closest } from '../../../base/text.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import { builtinNames } from '../operators/builtins.ts';
import { fail, type Context } from '../context/context.ts';
import { lookup, visibleNames, type Scope } from '../context/scope.ts';
import type { Value } from '../context/value.ts';

/** Reports a name that nothing declares, with the closest name that something does. */
export function unknownName(ctx: Context, name: string, at: Expression, scope: Scope, asFunction = false): Value {
  const stem = name.replace(/_[^_]{1,2}$/u, '');
  const candidates = [...visibleNames(scope), ...builtinNames];
  const close = closest(name, candidates) ?? (stem === name ? null : closest(stem, candidates));
  const hint =
    asWritten(ctx, name, at) ??
    (close === null || close === name || (close === stem && isWhole(stem, scope))
      ? asFunction
        ? `define it with where, or as an equation: ${name}(x) = …`
        : `declare it in the domain (${stem} ∈ F32^n) or define it with where`
      : `did you mean ${close}?`);
  return fail(ctx, 'PV-4001', at.range, `nothing declares ${name}`, hint);
}

/** `d_k` next to a size d is a number of its own, not an element of d. */
function isWhole(name: string, scope: Scope): boolean {
  const entry = lookup(scope, name);
  return entry?.kind === 'value' && entry.value.kind === 'scalar' && entry.value.term.type.kind === 'integer';
}

/** What to write if the text around the name shows what is meant: `Var[x]`. */
function asWritten(ctx: Context, name: string, { range }: Expression): string | null {
  const { text } = ctx.text;
  const small = name.toLowerCase();
  const isMoment = (small === 'var' || small === 'std') && /^(?:\w+)?\[/u.test(text.slice(range.start));
  return isMoment ? `write ${small}(…), with the tensor in round brackets` : null;
}
