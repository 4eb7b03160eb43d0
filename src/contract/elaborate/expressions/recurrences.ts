/**
 * Sequences with a first element: `s_0 = 0, s_t = γ·s_{t-1} + x_t`, and `y_0 = x_0, y_i = x_i - x_{i-1}`, which reads
 * none of its own earlier values. The elements are computed in order, each from those before it.
 */
import type { Range } from '../../../diagnostics/source.ts';
import { call, choose, element, integer, recurrence, tabulate, variable } from '../../../math/term/build.ts';
import { integerValue } from '../../../math/term/fold.ts';
import { linearIn } from '../../../math/term/sizes.ts';
import { INTEGER, REAL, type IndexBinder, type Term, type Type } from '../../../math/term/term.ts';
import { freeVariables, mapParts } from '../../../math/term/traverse.ts';
import { commonType, elementTypeOf, makeType } from '../../../math/term/types.ts';
import { closeIndex, indexTerm, useIndex } from '../operators/binders.ts';
import { fail, giveUp, reading, type Context, type Problem } from '../context/context.ts';
import { closeBinders, guarded, isolated, openFrame } from '../context/frames.ts';
import { factsOf, openPlace, unbounded, type Expected } from './left-index.ts';
import { childScope, type DefinitionCase, type Entry, type IndexVariable, type Scope } from '../context/scope.ts';
import { stepsOf, type Steps } from './sequence-steps.ts';
import type { Value } from '../context/value.ts';
import { scalar, scalarTerm, shapeOfValue, tensor, valueOf, valueText } from '../context/values.ts';

/** What the elements of one sequence are computed from. */
interface Sequence {
  readonly name: string;
  readonly steps: Steps;
  readonly scope: Scope;
  /** One per written index. */
  readonly indices: readonly IndexVariable[];
  /** Axes of an element that is a vector or a matrix itself. */
  readonly row: readonly Term[];
  /** The name by which the body reads earlier elements. */
  readonly self: string;
}

/** The sequence that `cases` define, or null if they define no sequence. */
export function elaborateSequence(
  ctx: Context,
  name: string,
  cases: readonly DefinitionCase[],
  scope: Scope,
  expected: Expected,
): Value | null {
  const steps = stepsOf(name, cases);
  if (steps === null) return null;
  const rank = steps.general.indices.length;
  if (expected.shape !== null && expected.shape.length < rank)
    return fail(ctx, 'PV-4016', steps.general.range, `${name} has more indices here than axes in its codomain`);
  const row = expected.shape?.slice(rank) ?? rowOf(ctx, name, steps, scope, expected);
  const sequence = open(ctx, { name, steps, scope, row }, expected);
  const places = row.map((size): IndexBinder => ({ name: ctx.fresh('r'), from: integer(0), to: size }));
  const bound = [...sequence.indices.map((index) => index.name), ...places.map((place) => place.name), sequence.self];
  const frame = openFrame('binder', bound);
  ctx.frames.push(frame);
  const body = elementAt(
    ctx,
    sequence,
    places.map((place) => variable(place.name, INTEGER)),
  );
  ctx.frames.pop();
  const open_ = sequence.indices.find(unbounded);
  if (open_ && !ctx.problem) notBounded(ctx, name, open_);
  if (ctx.problem) return scalar(integer(0));
  const binders = [...sequence.indices.map((index) => closeIndex(ctx, index)), ...places];
  const closed = closeBinders(ctx, frame, binders, body, true);
  if (!freeVariables(closed).has(sequence.self)) return valueOf(tabulate(binders, closed));
  const { type } = tabulate(binders, closed);
  return valueOf(recurrence(sequence.self, binders, typed(closed, sequence.self, type)));
}

function open(
  ctx: Context,
  { name, steps, scope, row }: Pick<Sequence, 'name' | 'steps' | 'scope' | 'row'>,
  expected: Expected,
): Sequence {
  const facts = factsOf(ctx, steps.general, expected);
  const indices = steps.general.indices.map((index, axis) =>
    openPlace(
      ctx,
      axis === steps.axis
        ? { written: steps.written, range: index.range, shift: steps.shift, before: steps.first }
        : { written: index.kind === 'name' ? index.text : 'i', range: index.range, shift: 0, before: 0 },
      facts,
      scope,
      expected.shape?.[axis] ?? null,
    ),
  );
  return { name, steps, scope, indices, row, self: ctx.fresh(name) };
}

function notBounded(ctx: Context, name: string, index: IndexVariable): void {
  const { written, range } = index;
  const hint = `say it in the codomain, ${name} ∈ F32^m with m = …, or write 0 ≤ ${written} < m`;
  fail(ctx, 'PV-4006', range, `nothing says how far the index ${written} of ${name} runs`, hint);
}

/** The shape of one element, found by applying the rule with numbers in place of earlier elements. */
function rowOf(ctx: Context, name: string, steps: Steps, scope: Scope, expected: Expected): readonly Term[] {
  const { problem, remarks } = ctx;
  const before = remarks.length;
  let row: readonly Term[] = [];
  isolated(ctx, () => {
    const trial = open(ctx, { name, steps, scope, row: [] }, expected);
    const zero: Value = { kind: 'family', name, rank: steps.general.indices.length, at: () => scalar(integer(0)) };
    row = shapeOfValue(ctx.elaborate(steps.general.body, scopeOf(trial, zero, null)));
    return integer(0);
  });
  // Errors are found again, and reported, when the elements are elaborated.
  if (ctx.problem !== problem) row = [];
  ctx.problem = problem;
  remarks.splice(before);
  return row;
}

/** The names of a case: indices by the name that they have there, and the sequence itself. */
function scopeOf(sequence: Sequence, itself: Value, base: DefinitionCase | null): Scope {
  const { steps, indices, scope, name } = sequence;
  const entries = (base ?? steps.general).indices.flatMap((written, axis): (readonly [string, Entry])[] => {
    const index = indices[axis];
    if (!index || (axis === steps.axis && base !== null)) return [];
    if (axis === steps.axis && steps.shift > 0) {
      const value = scalar(call('subtract', indexTerm(index), integer(steps.shift)));
      return [[steps.written, { kind: 'value', value }]];
    }
    return written.kind === 'name' ? [[written.text, { kind: 'index', index }]] : [];
  });
  return childScope(scope, [[name, { kind: 'value', value: itself }], ...entries]);
}

/** One element: the first ones as given, the others by the rule. */
function elementAt(ctx: Context, sequence: Sequence, row: readonly Term[]): Term {
  const { steps } = sequence;
  const itself = earlier(ctx, sequence, row);
  const time = timeOf(sequence);
  const general = guarded(ctx, () => caseTerm(ctx, sequence, steps.general, scopeOf(sequence, itself, null), row));
  return [...steps.bases]
    .filter(([place]) => place >= 0)
    .reduce((otherwise, [place, base]) => {
      const given = guarded(ctx, () => caseTerm(ctx, sequence, base, scopeOf(sequence, itself, base), row));
      return chosen(ctx, call('equal', time, integer(place)), given, otherwise, base.range);
    }, general);
}

function chosen(ctx: Context, condition: Term, then: Term, otherwise: Term, range: Range): Term {
  const type = commonType(elementTypeOf(then.type), elementTypeOf(otherwise.type));
  if (type === null) fail(ctx, 'PV-4003', range, 'the elements of a sequence have one kind');
  return choose(condition, then, otherwise, type ?? REAL);
}

function timeOf({ indices, steps }: Sequence): Term {
  const index = indices[steps.axis];
  return index ? indexTerm(index) : integer(0);
}

function caseTerm(
  ctx: Context,
  { name }: Sequence,
  { body, text }: DefinitionCase,
  scope: Scope,
  row: readonly Term[],
): Term {
  const value = reading(ctx, text, () => ctx.elaborate(body, scope));
  if (value.kind === 'tensor' && value.shape.length === row.length && row.length > 0) return value.at(row);
  if (value.kind === 'tensor' && !ctx.problem)
    fail(ctx, 'PV-4003', body.range, `${name} at an index is ${valueText(value)}`, `state its shape in the codomain`);
  return scalarTerm(ctx, value, body.range, `${name} at an index`);
}

/** The sequence as its own rule sees it: at an index, an element that comes before. */
function earlier(ctx: Context, sequence: Sequence, row: readonly Term[]): Value {
  const { name, steps } = sequence;
  const rank = steps.general.indices.length;
  const read = (indices: readonly Term[]): Term => readEarlier(ctx, sequence, indices, row);
  const at = (indices: readonly Term[]): Value => {
    if (indices.length === rank + sequence.row.length || sequence.row.length === 0) return scalar(read(indices));
    return tensor(REAL, sequence.row, (rest) => read([...indices, ...rest]));
  };
  return { kind: 'family', name, rank: rank + sequence.row.length, at };
}

function readEarlier(ctx: Context, sequence: Sequence, indices: readonly Term[], row: readonly Term[]): Term {
  const { steps, name, self } = sequence;
  const { range } = steps.general;
  const place = indices[steps.axis] ?? integer(0);
  const origin: Range = { ...range };
  const back = stepsBack(sequence, place);
  if (
    indices.length !== sequence.indices.length + sequence.row.length ||
    back === null ||
    !inOrder(sequence, indices)
  ) {
    giveUp(
      ctx,
      range,
      `${name} is a recurrence that pv does not unroll: its elements are computed in order, each from a fixed number of steps before`,
      `write the index that counts the steps first, and earlier elements as ${name}_{${steps.written}-1}`,
    );
    return integer(0);
  }
  indices.forEach((index, axis) => {
    const own = sequence.indices[axis];
    const known = index.kind === 'variable' ? ctx.indices.get(index.name) : undefined;
    if (axis !== steps.axis && known && own?.declared) useIndex(ctx, known, own.declared, name, range);
  });
  ctx.reads.set(origin, { text: ctx.text, shown: name, range, indices: [], problem: noStart(ctx, sequence, range) });
  const stored: Term = { ...element(variable(self, makeSequence(indices.length)), indices), origin };
  return [...steps.bases]
    .filter(([at]) => at < 0 && at >= -back)
    .reduce((otherwise, [at, base]) => {
      const given = guarded(ctx, () => caseTerm(ctx, sequence, base, scopeOf(sequence, outside, base), row));
      return chosen(ctx, call('equal', place, integer(at)), given, otherwise, base.range);
    }, stored);
}

/** Elements before the first are given without the sequence. */
const outside: Value = { kind: 'family', name: 'an earlier element', rank: 0, at: () => scalar(integer(0)) };

/** A placeholder type of that rank until the sizes are known. */
function makeSequence(rank: number): Type {
  return makeType(
    REAL,
    Array.from({ length: rank }, () => integer(0)),
  );
}

/** How many steps before the current one `place` is: c of t - c, 0 for a fixed element; null if it is neither. */
function stepsBack({ indices, steps }: Sequence, place: Term): number | null {
  const fixed = integerValue(place);
  if (fixed !== null) return fixed >= 0 ? 0 : null;
  const index = indices[steps.axis];
  const linear = index ? linearIn(place, index.name) : null;
  const rest = linear?.coefficient === 1 ? integerValue(linear.rest) : null;
  return rest !== null && rest < 0 ? -rest : null;
}

/** Whether the element comes before the current one in row-major order, at the latest in the step before. */
function inOrder({ indices, steps }: Sequence, places: readonly Term[]): boolean {
  return indices
    .slice(0, steps.axis)
    .every((index, axis) => places[axis]?.kind === 'variable' && places[axis].name === index.name);
}

function noStart(ctx: Context, { name, steps }: Sequence, range: Range): Problem {
  const { written } = steps;
  return {
    kind: 'undetermined',
    code: 'PV-4020',
    message: `${name} is defined by its own earlier values, a recurrence, and nothing says where it starts`,
    hint: `give the first element, ${name}_0 = …, or one step with the previous state as an input: ${name}_{${written}-1} ∈ F32 in the domain`,
    text: ctx.text,
    range,
  };
}

/** The occurrences of `self` with the type that is known now. */
function typed(term: Term, self: string, type: Type): Term {
  if (term.kind === 'variable') return term.name === self ? { ...term, type } : term;
  return mapParts(term, (part) => typed(part, self, type));
}
