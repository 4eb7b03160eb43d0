/** Helper definitions where they are used: functions are inlined, tensors computed once and named. */
import type { Range } from '../../../diagnostics/source.ts';
import { call, choose, integer, tabulate, variable } from '../../../math/term/build.ts';
import { integerValue } from '../../../math/term/fold.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import { printTerm } from '../../../math/term/print-term.ts';
import { exactQuotient, linearIn } from '../../../math/term/sizes.ts';
import { substitute } from '../../../math/term/traverse.ts';
import { INTEGER, type IndexBinder, type Term } from '../../../math/term/term.ts';
import { closeIndex, equalSizes, indexScope, integerTerm, openIndex, writeOut } from '../operators/binders.ts';
import { countingFromOne } from '../operators/from-one.ts';
import { fail, giveUp, reading, type Context } from '../context/context.ts';
import { closeBinders, guarded, inFrame, openFrame, share } from '../context/frames.ts';
import { specOfFacts, type IndexFact } from '../operators/index-ranges.ts';
import { factsOf, openPlace, unbounded, type Expected } from './left-index.ts';
import { elaborateSequence } from './recurrences.ts';
import { childScope, lookup, type Definition, type DefinitionCase, type Scope } from '../context/scope.ts';
import { mentions } from '../context/syntax-parts.ts';
import type { Value } from '../context/value.ts';
import { materialize, overAxes, scalar, scalarTerm, valueOf } from '../context/values.ts';

/** The value of a definition applied to `args` (none for tensors and numbers). */
export function expandDefinition(ctx: Context, definition: Definition, args: readonly Value[], range: Range): Value {
  if (ctx.active.has(definition)) {
    return fail(
      ctx,
      'PV-4015',
      range,
      `${definition.name} is defined in terms of itself`,
      "a recurrence in time is written as one step: m'_i = β·m_i + …, with the previous state as an input",
    );
  }
  if (definition.parameters.length > 0) return expand(ctx, definition, args, range);
  const [root] = ctx.frames;
  const known = root?.definitions.get(definition);
  if (known) return known;
  const value = expand(ctx, definition, [], range);
  if (root && isClosed(ctx, value)) root.definitions.set(definition, value);
  return value;
}

function expand(ctx: Context, definition: Definition, args: readonly Value[], range: Range): Value {
  const shared = args.map((arg, i) => shareValue(ctx, arg, range, definition.parameters[i] ?? definition.name));
  const entries = definition.parameters.map(
    (name, i) => [name, { kind: 'value', value: shared[i] ?? scalar(integer(0)) }] as const,
  );
  ctx.active.add(definition);
  const value = reading(ctx, definition.text, () =>
    elaborateCases(
      ctx,
      { head: definition, cases: definition.cases },
      childScope(definition.scope, entries),
      nothingKnown,
    ),
  );
  ctx.active.delete(definition);
  return ctx.problem ? value : shareValue(ctx, value, range, definition.name);
}

function shareValue(ctx: Context, value: Value, range: Range, hint: string): Value {
  if (value.kind === 'scalar') return scalar(share(ctx, value.term, hint));
  return value.kind === 'tensor' ? materialize(ctx, value, range, hint) : value;
}

/** Whether the value is a name of the outermost frame, so that every place can use it. */
function isClosed(ctx: Context, value: Value): boolean {
  const term = value.kind === 'scalar' ? value.term : value.kind === 'tensor' ? value.whole : null;
  return term?.kind === 'variable' && ctx.frames[0]?.bound.has(term.name) === true;
}

const nothingKnown: Expected = { shape: null, facts: [] };

/** The value that `name_{indices} = body` defines: one case, or several whose patterns (2k, 2k+1) share an axis. */
export function elaborateCases(
  ctx: Context,
  { head: { name }, cases }: { readonly head: { readonly name: string }; readonly cases: readonly DefinitionCase[] },
  scope: Scope,
  expected: Expected,
): Value {
  const [first] = cases;
  if (!first) return scalar(integer(0));
  const recursive = cases.find(({ body }) => mentionsItself(body, name, scope));
  if (recursive || isStarted(cases)) {
    const sequence = elaborateSequence(ctx, name, cases, scope, expected);
    if (sequence) return sequence;
  }
  if (recursive && (recursive.indices.length > 0 || lookup(scope, name)?.kind !== 'definition'))
    return giveUp(
      ctx,
      recursive.range,
      `${name} is defined by its own earlier values, a recurrence that pv does not unroll`,
      `write ${name}_0 = … and ${name}_t = …, or one step with the previous state as an input: ${name}'_i = …`,
    );
  if (cases.length === 1 && first.indices.length === 0) return ctx.elaborate(first.body, scope);
  if (cases.length === 1 && first.indices.every((index) => index.kind === 'name'))
    return tabulated(ctx, name, first, scope, expected);
  return patterned(ctx, name, cases, scope, expected);
}

/** Whether some case gives a single element, as in `s_0 = 0`, among others. */
function isStarted(cases: readonly DefinitionCase[]): boolean {
  return cases.length > 1 && cases.some(({ indices }) => indices.some((index) => index.kind === 'number'));
}

/** Whether `body` uses the name that it defines; an input of the same name is unrelated. */
function mentionsItself(body: Expression, name: string, scope: Scope): boolean {
  const own = lookup(scope, name);
  if (own !== null && own.kind !== 'equation' && own.kind !== 'definition') return false;
  return mentions(body, (text) => text === name || (text.startsWith(`${name}_`) && lookup(scope, text) === null));
}

function tabulated(ctx: Context, name: string, one: DefinitionCase, scope: Scope, known: Expected): Value {
  const { shape: expected } = known;
  const wrongAxes = (count: number): Value =>
    fail(
      ctx,
      'PV-4016',
      one.range,
      `${name} has ${count} ${count === 1 ? 'index' : 'indices'} here and ${expected?.length ?? 0} in its codomain`,
    );
  if (expected !== null && expected.length < one.indices.length) return wrongAxes(one.indices.length);
  const facts = factsOf(ctx, one, known);
  const indices = one.indices.map((index, axis) => {
    const written = index.kind === 'name' ? index.text : 'i';
    return openPlace(ctx, { written, range: index.range, shift: 0, before: 0 }, facts, scope, expected?.[axis] ?? null);
  });
  const frame = openFrame(
    'binder',
    indices.map((index) => index.name),
  );
  ctx.frames.push(frame);
  const value = ctx.elaborate(one.body, indexScope(scope, indices));
  // `o_i = Σ_j A_ij·V_j` computes row i.
  const rest = value.kind === 'tensor' && !value.row ? value.shape : [];
  const { body, binders: inner } =
    value.kind === 'tensor' && rest.length > 0
      ? overAxes(ctx, rest, (at) => value.at(at))
      : { body: scalarTerm(ctx, value, one.body.range, `${name} at an index`), binders: [] };
  ctx.frames.pop();
  const axes = indices.length + rest.length;
  if (expected !== null && !ctx.problem && expected.length !== axes) return wrongAxes(axes);
  if (expected === null && indices.some(unbounded)) return family(ctx, name, one, scope);
  const binders = indices.map((index) => closeIndex(ctx, index));
  const whole = valueOf(fromZero(ctx, [...binders, ...inner], closeBinders(ctx, frame, binders, body, true)));
  return countingFromOne(
    whole,
    indices.map(({ base }) => base === 1),
  );
}

/** The tensor whose first element is the one at the start of each range. */
function fromZero(ctx: Context, binders: readonly IndexBinder[], body: Term): Term {
  if (binders.every(({ from }) => integerValue(from) === 0)) return tabulate(binders, body);
  const places = binders.map(({ name, from, to }): IndexBinder => ({
    name: ctx.fresh(name),
    from: integer(0),
    to: call('subtract', to, from),
  }));
  const values = new Map(
    binders.map(({ name, from }, axis) => {
      const place = variable(places[axis]?.name ?? name, INTEGER);
      return [name, call('add', place, from)] as const;
    }),
  );
  return tabulate(places, substitute(body, values, ctx.fresh));
}

/** A definition without a known range is expanded at each place that indexes it. */
function family(ctx: Context, name: string, one: DefinitionCase, scope: Scope): Value {
  const { text } = ctx;
  const at = (terms: readonly Term[]): Value => {
    if (terms.length !== one.indices.length)
      return fail(ctx, 'PV-4005', one.range, `${name} takes ${one.indices.length} indices`);
    const entries = one.indices.map(
      (index, i) =>
        [index.kind === 'name' ? index.text : '', { kind: 'value', value: scalar(terms[i] ?? integer(0)) }] as const,
    );
    return reading(ctx, text, () => ctx.elaborate(one.body, childScope(scope, entries)));
  };
  return { kind: 'family', name, rank: one.indices.length, at };
}

/** One index place of a pattern: `c·k + r` (an own index when `name` is not null), or the fixed place `r`. */
interface Pattern {
  readonly name: string | null;
  readonly coefficient: number;
  readonly remainder: number;
}

/** `f_{2k} = …, f_{2k+1} = …`: one axis cut into residues; each index i belongs to the case i mod c with k = ⌊i/c⌋. */
function patterned(ctx: Context, name: string, cases: readonly DefinitionCase[], scope: Scope, known: Expected): Value {
  const { shape: expected } = known;
  const [first] = cases;
  if (!first) return scalar(integer(0));
  const rank = first.indices.length;
  if (expected === null || expected.length !== rank) {
    return fail(
      ctx,
      'PV-4006',
      first.range,
      `nothing says how far the indices of ${name} run`,
      `say it in the codomain: ${name} ∈ F32^d`,
    );
  }
  const patterns = cases.map((one) => one.indices.map((index) => patternOf(ctx, index, scope)));
  const problem = coverage(patterns, rank);
  if (ctx.problem === null && problem !== null)
    return fail(ctx, 'PV-4023', first.range, `${name}: ${problem}`, 'give every case of the pattern once: 2k and 2k+1');
  checkDivisible(ctx, name, patterns, expected, first.range);
  cases.forEach((one, i) => {
    checkRanges(ctx, name, { facts: factsOf(ctx, one, known), pattern: patterns[i] ?? [], shape: expected }, scope);
  });
  const binders = expected.map((size, axis): IndexBinder => ({
    name: ctx.fresh(axis === 0 ? 'i' : 'j'),
    from: integer(0),
    to: size,
  }));
  const places = binders.map((binder) => variable(binder.name, INTEGER));
  const body = inFrame(
    ctx,
    openFrame(
      'binder',
      binders.map((b) => b.name),
    ),
    () => chooseCase(ctx, name, cases, patterns, places, scope),
  );
  return valueOf(tabulate(binders, body));
}

/** A range that is written for k of `f_{2k}` must be the whole range: elements beyond it would have no value. */
function checkRanges(
  ctx: Context,
  name: string,
  one: { readonly facts: readonly IndexFact[]; readonly pattern: readonly Pattern[]; readonly shape: readonly Term[] },
  scope: Scope,
): void {
  one.pattern.forEach((place, axis) => {
    const written = one.facts.find(({ binder }) => binder.name === place.name);
    const size = one.shape[axis];
    if (place.name === null || !written || !size) return;
    const { range } = written.binder;
    const { from, to } = specOfFacts(ctx, { written: place.name, range }, one.facts, scope);
    const whole = exactQuotient(writeOut(ctx, size), integer(place.coefficient));
    const count = whole ?? call('floor-divide', size, integer(place.coefficient));
    const isWhole = (from === null || integerValue(from) === 0) && (to === null || equalSizes(ctx, to, count));
    if (ctx.problem || isWhole) return;
    const message = `${place.name} must run from 0 to ${printTerm(count)} for ${name} to have a value everywhere`;
    reading(ctx, written.text, () =>
      fail(ctx, 'PV-4016', range, message, `leave the range out, or write ${place.name} ∈ [0, ${printTerm(count)})`),
    );
  });
}

/** With an odd d the cases 2k and 2k+1 would reach past its end. */
function checkDivisible(
  ctx: Context,
  name: string,
  patterns: readonly (readonly Pattern[])[],
  shape: readonly Term[],
  range: Range,
): void {
  shape.forEach((size, axis) => {
    const modulus = patterns[0]?.[axis]?.coefficient ?? 1;
    if (modulus < 2 || ctx.problem || exactQuotient(writeOut(ctx, size), integer(modulus)) !== null) return;
    const known = size.kind === 'variable' ? (ctx.sizeMultiples.get(size.name) ?? 1) : 1;
    if (known % modulus !== 0)
      fail(
        ctx,
        'PV-4016',
        range,
        `the cases of ${name} need ${printTerm(size)} to be a multiple of ${modulus}`,
        `say so in the domain: ${printTerm(size)} mod ${modulus} = 0`,
      );
  });
}

function patternOf(ctx: Context, index: Expression, scope: Scope): Pattern {
  const names = namesIn(index).filter((text) => lookup(scope, text) === null);
  const [written] = names;
  if (written === undefined) {
    const place = integerValue(integerTerm(ctx, index, scope, 'an index'));
    if (place === null)
      fail(ctx, 'PV-4023', index.range, 'an index on the left side is a name, a number, or a pattern such as 2k+1');
    return { name: null, coefficient: 0, remainder: place ?? 0 };
  }
  const trial = openIndex(ctx, { written, from: null, to: null, range: index.range });
  const linear = linearIn(integerTerm(ctx, index, indexScope(scope, [trial]), 'an index'), trial.name);
  const remainder = linear ? integerValue(linear.rest) : null;
  if (!linear || linear.coefficient < 1 || remainder === null) {
    fail(ctx, 'PV-4023', index.range, 'an index on the left side is a name, a number, or a pattern such as 2k+1');
    return { name: written, coefficient: 1, remainder: 0 };
  }
  return { name: written, coefficient: linear.coefficient, remainder };
}

function namesIn(expression: Expression): readonly string[] {
  if (expression.kind === 'name') return [expression.text];
  if (expression.kind === 'binary') return [...namesIn(expression.left), ...namesIn(expression.right)];
  return [];
}

/** What is missing from the patterns, or null: on one axis the residues of one modulus, each once; elsewhere plain names. */
function coverage(patterns: readonly (readonly Pattern[])[], rank: number): string | null {
  for (const row of patterns) if (row.length !== rank) return 'its cases have different numbers of indices';
  for (let axis = 0; axis < rank; axis++) {
    const column = patterns.map((row) => row[axis]).filter((p) => p !== undefined);
    const modulus = column[0]?.coefficient ?? 1;
    if (modulus < 1 || column.some((p) => p.coefficient !== modulus))
      return 'its cases use different patterns on one axis';
    const residues = new Set(column.map((p) => p.remainder));
    const plain = modulus === 1 && residues.size === 1 && residues.has(0);
    const full =
      residues.size === modulus && column.length === modulus && [...residues].every((r) => r >= 0 && r < modulus);
    if (!plain && !full) return `its cases do not cover every index modulo ${modulus} exactly once`;
  }
  return null;
}

function chooseCase(
  ctx: Context,
  name: string,
  cases: readonly DefinitionCase[],
  patterns: readonly (readonly Pattern[])[],
  places: readonly Term[],
  scope: Scope,
): Term {
  const branches = cases.map((one, i) => {
    const row = patterns[i] ?? [];
    const entries = row.flatMap((pattern, axis) => {
      const place = places[axis] ?? integer(0);
      const value = scalar(call('floor-divide', place, integer(Math.max(1, pattern.coefficient))));
      return pattern.name === null ? [] : [[pattern.name, { kind: 'value', value }] as const];
    });
    const body = guarded(ctx, () =>
      scalarTerm(ctx, ctx.elaborate(one.body, childScope(scope, entries)), one.body.range, `${name} at an index`),
    );
    const tests = row.flatMap((pattern, axis) =>
      pattern.coefficient > 1
        ? [
            call(
              'equal',
              call('modulo', places[axis] ?? integer(0), integer(pattern.coefficient)),
              integer(pattern.remainder),
            ),
          ]
        : [],
    );
    return { test: tests.reduce<Term | null>((all, next) => (all ? call('and', all, next) : next), null), body };
  });
  const last = branches.at(-1)?.body ?? integer(0);
  return branches
    .slice(0, -1)
    .reduceRight(
      (otherwise, branch) => (branch.test ? choose(branch.test, branch.body, otherwise) : branch.body),
      last,
    );
}
