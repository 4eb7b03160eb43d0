/** Which equation a name means where several of the contract define it: the one whose inputs fit the arguments. */
import type { Range } from '../../../diagnostics/source.ts';
import type { Argument } from '../../../math/notation/syntax.ts';
import { shapeOf } from '../../../math/term/types.ts';
import { giveUp, type Context } from '../context/context.ts';
import { lookup, type EquationEntry, type Scope } from '../context/scope.ts';
import type { Value } from '../context/value.ts';
import { rankOf } from '../context/values.ts';

/** The equation that `entry` means with these arguments; null after a problem, which `ctx` then has. */
export function rivalFor(
  ctx: Context,
  entry: EquationEntry,
  args: readonly Argument[],
  scope: Scope,
  range: Range,
): EquationEntry | null {
  if (!entry.rivals && entry.exact !== true) return entry;
  const values = args.map(({ value }) => ctx.elaborate(value, scope));
  if (ctx.problem) return null;
  const all = [entry, ...(entry.rivals ?? [])];
  const fitting = all.filter((one) => fits(one, args, values, scope));
  const whole = fitting.filter((one) => takesAll(one, args));
  const [only, more] = whole.length === 1 ? whole : fitting;
  if (only && !more) return only;
  const names = all.map(({ name }) => name).join(' and ');
  giveUp(ctx, range, only ? definedTwice(names) : `these are not the inputs of ${names}`, distinctNames);
  return null;
}

/** What is said where the arguments do not tell equations apart. */
export const definedTwice = (names: string): string => `${names} define this symbol, and nothing says which is meant`;
/** How to mend that. */
export const distinctNames = 'give each equation a symbol of its own';

/** Whether each argument has as many axes as its input, and the other inputs have values. Nothing is known of an equation without a model. */
function fits(
  { model: of }: EquationEntry,
  args: readonly Argument[],
  values: readonly Value[],
  scope: Scope,
): boolean {
  const model = of();
  if (model === null) return true;
  const given = new Set(args.map(({ label }, i) => label ?? model.parameters[i]?.name));
  if (model.parameters.some(({ name }) => !given.has(name) && lookup(scope, name)?.kind !== 'value')) return false;
  return args.every(({ label }, i) => {
    const input = label === null ? model.parameters[i] : model.parameters.find(({ name }) => name === label);
    const value = values[i];
    if (!input) return label !== null && model.sizes.includes(label);
    return value !== undefined && rankOf(value) === shapeOf(input.type).length;
  });
}

/** Whether the arguments are all inputs, or there are none and the left side names none either. */
function takesAll({ model: of }: EquationEntry, args: readonly Argument[]): boolean {
  const model = of();
  return model !== null && (args.length === 0 ? model.bare === true : args.length === model.parameters.length);
}
