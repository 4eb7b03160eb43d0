/** Values of one input at which a term has a wanted value: each operation around the input is undone. */
import { compileScalar, type CompiledScalar } from '../../math/compile/scalar.ts';
import type { FunctionName } from '../../math/functions.ts';
import type { Term } from '../../math/term/term.ts';
import { occurrences } from '../../math/term/traverse.ts';

/** Values by name. */
export type Lookup = (name: string) => number;

const compiled = new WeakMap<Term, CompiledScalar>();

/** The value of a scalar term. */
export function valueAt(term: Term, lookup: Lookup): number {
  const known = compiled.get(term) ?? compileScalar(term);
  compiled.set(term, known);
  return known(lookup);
}

/** What the left or right argument must be; the other one is known. Of some, several values are possible. */
type Undo = (wanted: number, other: number, own: number) => readonly number[];

const both = (x: number): readonly number[] => [x, -x];
const same: Undo = (wanted) => [wanted];

const undoFirst: Readonly<Partial<Record<FunctionName, Undo>>> = {
  add: (wanted, other) => [wanted - other],
  subtract: (wanted, other) => [wanted + other],
  multiply: (wanted, other) => [wanted / other],
  divide: (wanted, other) => [wanted * other],
  'floor-divide': (wanted, other) => [wanted * other],
  modulo: (wanted, other, own) => {
    const below = own - (((own % other) + other) % other) + wanted;
    return [below, below + other];
  },
  power: (wanted, other) => both(wanted ** (1 / other)),
  minimum: same,
  maximum: same,
  clamp: same,
  negate: (wanted) => [-wanted],
  absolute: both,
  floor: same,
  ceiling: same,
  round: same,
  sqrt: (wanted) => [wanted ** 2],
  exp: (wanted) => [Math.log(wanted)],
  log: (wanted) => [Math.exp(wanted)],
};

const undoSecond: Readonly<Partial<Record<FunctionName, Undo>>> = {
  add: (wanted, other) => [wanted - other],
  subtract: (wanted, other) => [other - wanted],
  multiply: (wanted, other) => [wanted / other],
  divide: (wanted, other) => [other / wanted],
  minimum: same,
  maximum: same,
};

/** Values of `name` at which `term` is `wanted`, the other names as `lookup` says; none if `name` occurs twice in it. */
export function solutions(term: Term, name: string, wanted: number, lookup: Lookup): readonly number[] {
  if (term.kind === 'variable') return term.name === name && Number.isFinite(wanted) ? [wanted] : [];
  if (term.kind !== 'call') return [];
  const at = term.arguments.findIndex((one) => occurrences(one, name).count > 0);
  const inner = term.arguments[at];
  if (!inner || term.arguments.some((one, i) => i !== at && occurrences(one, name).count > 0)) return [];
  const undo = (at === 0 ? undoFirst : at === 1 ? undoSecond : {})[term.fn];
  const other = term.arguments[at === 0 ? 1 : 0];
  const values = undo?.(wanted, other ? valueAt(other, lookup) : Number.NaN, valueAt(inner, lookup)) ?? [];
  return values.flatMap((value) => solutions(inner, name, value, lookup));
}
