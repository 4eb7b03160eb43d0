/**
 * Derivatives of terms, as terms: forward mode (Griewank & Walther, Evaluating Derivatives, 2nd ed., section 3.1) carried
 * out on the formula, so that the result is exact mathematics like the formula itself.
 *
 * Where a function has no derivative, its branches decide: |x| has slope 0 at 0, max(a, b) that of a where a = b, the
 * largest element of a vector that of the first of equal ones, a choice that of the branch taken. Rounding functions and
 * comparisons have slope 0. A function that is defined through such branches and smooth all the same (the shifted
 * softmax) has its true derivative.
 */
import { call, choose, element, integer, recurrence, reduce, tabulate, variable } from '../term/build.ts';
import type { FunctionName } from '../functions.ts';
import { logSlope, powerSlope, slopeOf } from './slopes.ts';
import { either, minus, over, plus, sameIndices, scale, sparse, sumOver, where, wrap, type Ranges } from './sparse.ts';
import type { FreshName } from '../term/symbols.ts';
import { INTEGER, REAL, type IndexBinder, type Term } from '../term/term.ts';
import { partsOf, substitute } from '../term/traverse.ts';
import { elementTypeOf, makeType, shapeOf } from '../term/types.ts';
import { isZero, zero } from '../term/zero.ts';

/** The tangent of an element of a named tensor; of a number, with no indices. */
type Direction = (indices: readonly Term[]) => Term;

interface Walk {
  readonly fresh: FreshName;
  /** Of every name whose tangent is not 0. */
  readonly directions: ReadonlyMap<string, Direction>;
  readonly ranges: Ranges;
  /** Names given in the current place, in order; `of` is the part of the formula that `value` is written for. */
  readonly lets: { readonly name: string; readonly value: Term; readonly of: Term }[];
}

/** A function of the table that has no derivative, or a kernel, in `term`: then {@link jacobianVector} has no meaning. */
export function obstacleTo(term: Term): FunctionName | 'kernel' | null {
  if (term.kind === 'apply') return 'kernel';
  if (term.kind === 'call' && roundings.has(term.fn)) return term.fn;
  for (const part of partsOf(term)) {
    const found = obstacleTo(part);
    if (found !== null) return found;
  }
  return null;
}

const roundings: ReadonlySet<FunctionName> = new Set(['round32', 'ulp32', 'ulp-distance'] as const);

/** What is differentiated, and by what. */
export interface DerivativeOf {
  /** The function's result over its inputs; its bound names differ from those that `fresh` may return. */
  readonly body: Term;
  /** The input, a number or a tensor of numbers, that it is differentiated by. */
  readonly parameter: Extract<Term, { kind: 'variable' }>;
  readonly fresh: FreshName;
}

/** J·v: the derivative of `body` along `vector`, which has the shape of the parameter; shaped as `body`. */
export function jacobianVector({ body, parameter, fresh }: DerivativeOf, vector: Term): Term {
  const directions = new Map([[parameter.name, (indices: readonly Term[]) => element(vector, indices)]]);
  const tangent = scoped({ fresh, directions, ranges: new Map(), lets: [] }, (walk) => tangentOf(body, walk));
  return isZero(tangent) ? constant(zero, shapeOf(body.type), fresh) : tangent;
}

/** Jᵀ·g: the derivative of Σ g·body by each element of the parameter; shaped as the parameter, `cotangent` as `body`. */
export function vectorJacobian({ body, parameter, fresh }: DerivativeOf, cotangent: Term): Term {
  const binders = shapeOf(parameter.type).map((size): IndexBinder => ({
    name: fresh('k'),
    from: integer(0),
    to: size,
  }));
  const names = binders.map((binder) => binder.name);
  const directions = new Map([
    [parameter.name, (indices: readonly Term[]) => where(sameIndices(indices, names), integer(1))],
  ]);
  const ranges = new Map(binders.map((binder) => [binder.name, binder] as const));
  const walk: Walk = { fresh, directions, ranges, lets: [] };
  const tangent = scoped(walk, (inner) => tangentOf(body, inner));
  return tabulate(binders, contracted(tangent, body, cotangent, walk), REAL);
}

/** Σ g·tangent over all elements. */
function contracted(tangent: Term, body: Term, cotangent: Term, walk: Walk): Term {
  const lets: { readonly name: string; readonly value: Term }[] = [];
  let core = tangent;
  for (; core.kind === 'let'; core = core.body) lets.push(core);
  const shape = shapeOf(body.type);
  if (isZero(core) || shape.length === 0) return wrap(lets, scale(cotangent, core));
  const binders =
    core.kind === 'tabulate'
      ? core.binders
      : shape.map((size): IndexBinder => ({ name: walk.fresh('i'), from: zero, to: size }));
  const indices = binders.map((binder) => variable(binder.name, INTEGER));
  const own = core.kind === 'tabulate' ? core.body : element(core, indices);
  const inner: { readonly name: string; readonly value: Term }[] = [];
  let value = own;
  for (; value.kind === 'let'; value = value.body) inner.push(value);
  return wrap(lets, sumOver(binders, null, wrap(inner, scale(element(cotangent, indices), value)), walk));
}

function constant(value: Term, shape: readonly Term[], fresh: FreshName): Term {
  return tabulate(
    shape.map((size) => ({ name: fresh('i'), from: zero, to: size })),
    value,
    REAL,
  );
}

/** Runs `body` with its own scope for names and wraps the result in those that it uses. */
function scoped(outer: Walk, body: (walk: Walk) => Term): Term {
  const walk: Walk = { ...outer, lets: [] };
  return wrap(walk.lets, body(walk));
}

function within(walk: Walk, binders: readonly IndexBinder[]): Walk {
  return { ...walk, ranges: new Map([...walk.ranges, ...binders.map((binder) => [binder.name, binder] as const)]) };
}

/** The tangent of `term`: the number 0 where it is 0 everywhere, also for a tensor. */
function tangentOf(term: Term, walk: Walk): Term {
  if (!isReal(term)) return zero;
  switch (term.kind) {
    case 'variable':
      return tangentOfVariable(term, walk);
    case 'call':
      return tangentOfCall(term, walk);
    case 'if': {
      const then = scoped(walk, (inner) => tangentOf(term.then, inner));
      const otherwise = scoped(walk, (inner) => tangentOf(term.otherwise, inner));
      return choice(term, then, otherwise, walk);
    }
    case 'element':
      return tangentOfElement(term, walk);
    case 'tabulate': {
      const body = scoped(within(walk, term.binders), (inner) => tangentOf(term.body, inner));
      return isZero(body) ? zero : tabulate(term.binders, body, REAL);
    }
    case 'recurrence':
      return tangentOfRecurrence(term, walk);
    case 'reduce':
      return tangentOfReduction(term, walk);
    case 'let':
      return tangentOfLet(term, walk);
    default:
      return zero;
  }
}

/** Whole numbers, truths and texts have no neighbours to move to. */
function isReal(term: Term): boolean {
  const { kind } = elementTypeOf(term.type);
  return kind === 'real' || kind === 'float';
}

function choice(term: Extract<Term, { kind: 'if' }>, then: Term, otherwise: Term, walk: Walk): Term {
  return term.type.kind === 'tensor' ? whole(term, then, otherwise, walk) : either(term.condition, then, otherwise);
}

/** A choice of tensors, with zeros written out. */
function whole(term: Extract<Term, { kind: 'if' }>, then: Term, otherwise: Term, walk: Walk): Term {
  if (isZero(then) && isZero(otherwise)) return zero;
  const shape = shapeOf(term.type);
  const filled = (part: Term): Term => (isZero(part) ? constant(zero, shape, walk.fresh) : part);
  return choose(term.condition, filled(then), filled(otherwise), makeType(REAL, shape));
}

function tangentOfVariable(term: Extract<Term, { kind: 'variable' }>, walk: Walk): Term {
  const direction = walk.directions.get(term.name);
  if (!direction) return zero;
  const binders = shapeOf(term.type).map((size): IndexBinder => ({ name: walk.fresh('i'), from: zero, to: size }));
  return tabulate(binders, direction(binders.map((binder) => variable(binder.name, INTEGER))), REAL);
}

function tangentOfElement(term: Extract<Term, { kind: 'element' }>, walk: Walk): Term {
  if (term.tensor.kind === 'variable') return walk.directions.get(term.tensor.name)?.(term.indices) ?? zero;
  const tangent = tangentOf(term.tensor, walk);
  return isZero(tangent) ? zero : element(tangent, term.indices);
}

/** The term, or its name when it is work: rules write values several times. */
function named(term: Term, walk: Walk, of = term): Term {
  if (
    term.kind === 'number' ||
    term.kind === 'variable' ||
    (term.kind === 'element' && term.tensor.kind === 'variable' && term.indices.every((i) => i.kind !== 'call'))
  )
    return term;
  const known = walk.lets.find((entry) => entry.of === of);
  const name = known?.name ?? walk.fresh('value');
  if (!known) walk.lets.push({ name, value: term, of });
  return variable(name, term.type);
}

function tangentOfCall(term: Extract<Term, { kind: 'call' }>, walk: Walk): Term {
  const tangents = term.arguments.map((part) => tangentOf(part, walk));
  if (tangents.every(isZero)) return zero;
  const values = term.arguments.map((part) =>
    isReal(part) || part.type.kind === 'integer' ? named(part, walk) : part,
  );
  const [a = zero, b = zero, c = zero] = values;
  const [da = zero, db = zero, dc = zero] = tangents;
  const result = (): Term => named(call(term.fn, ...values), walk, term);
  switch (term.fn) {
    case 'add':
      return plus(da, db);
    case 'subtract':
      return plus(da, minus(db));
    case 'negate':
      return minus(da);
    case 'multiply':
      return plus(scale(b, da), scale(a, db));
    case 'divide':
      return isZero(db) ? over(da, b) : over(plus(da, minus(scale(result(), db))), b);
    case 'modulo':
      return plus(da, minus(isZero(db) ? zero : scale(call('floor', call('divide', a, b)), db)));
    case 'power':
      return plus(
        isZero(da) ? zero : scale(named(powerSlope(a, b), walk), da),
        isZero(db) ? zero : scale(named(logSlope(a, result()), walk), db),
      );
    case 'sqrt':
      return over(da, named(call('multiply', integer(2), result()), walk));
    case 'absolute':
      return scale(named(call('sign', a), walk), da);
    case 'minimum':
      return either(call('less-equal', a, b), da, db);
    case 'maximum':
      return either(call('greater-equal', a, b), da, db);
    case 'clamp':
      return either(call('less', a, b), db, either(call('greater', a, c), dc, da));
    default: {
      const slope = steps.has(term.fn) ? null : slopeOf(term.fn, a, result());
      return slope === null ? zero : scale(named(slope, walk), da);
    }
  }
}

/** Functions that are constant between jumps. */
const steps: ReadonlySet<FunctionName> = new Set([
  'sign',
  'floor',
  'ceiling',
  'round',
  'floor-divide',
  'factorial',
  'binomial',
] as const);

function tangentOfReduction(term: Extract<Term, { kind: 'reduce' }>, walk: Walk): Term {
  const { binders, condition, body } = term;
  const inner = within(walk, binders);
  switch (term.operator) {
    case 'sum':
      return sumOver(
        binders,
        condition,
        scoped(inner, (place) => tangentOf(body, place)),
        inner,
      );
    case 'product': {
      const tangent = scoped(inner, (place) => {
        const own = tangentOf(body, place);
        return isZero(own) ? zero : scale(named(productOfOthers(term, walk.fresh), place), own);
      });
      return sumOver(binders, condition, tangent, inner);
    }
    case 'max':
    case 'min':
      return tangentOfExtremum(term, walk);
    default:
      return zero;
  }
}

/** The product of all elements but the one at the binders' indices: it may be 0 itself, so nothing is divided by. */
function productOfOthers({ binders, condition, body }: Extract<Term, { kind: 'reduce' }>, fresh: FreshName): Term {
  const renamed = substitute(reduce('product', binders, body, condition), new Map(), fresh);
  if (renamed.kind !== 'reduce') return renamed;
  const same = sameIndices(
    renamed.binders.map((binder) => variable(binder.name, INTEGER)),
    binders.map((binder) => binder.name),
  );
  const other = call('not', same);
  return { ...renamed, condition: renamed.condition ? call('and', renamed.condition, other) : other };
}

/** The tangent of the element that is the extremum, the first of equal ones; several indices are taken one by one. */
function tangentOfExtremum(term: Extract<Term, { kind: 'reduce' }>, walk: Walk): Term {
  const { binders, condition, body } = term;
  const [first, ...rest] = binders;
  if (!first) return tangentOf(body, walk);
  if (rest.length > 0) {
    const nested = reduce(term.operator, rest, body, condition);
    return tangentOfExtremum({ ...term, binders: [first], condition: null, body: nested }, walk);
  }
  const tangent = scoped(within(walk, binders), (inner) => tangentOf(body, inner));
  if (isZero(tangent)) return zero;
  const place = substitute(
    reduce(term.operator === 'max' ? 'argmax' : 'argmin', binders, body, condition),
    new Map(),
    walk.fresh,
  );
  return substitute(tangent, new Map([[first.name, named(place, walk)]]), walk.fresh);
}

/** The tangents follow the values: each is made of the values and tangents before it. */
function tangentOfRecurrence(term: Extract<Term, { kind: 'recurrence' }>, walk: Walk): Term {
  const values = named(term, walk);
  const name = walk.fresh('tangent');
  const tangents = variable(name, makeType(REAL, shapeOf(term.type)));
  const body = substitute(term.body, new Map([[term.name, values]]), walk.fresh);
  const own: Direction = (indices) => element(tangents, indices);
  const inner = within(
    {
      ...walk,
      directions: new Map([...walk.directions, ...(values.kind === 'variable' ? [[values.name, own] as const] : [])]),
    },
    term.binders,
  );
  return recurrence(
    name,
    term.binders,
    scoped(inner, (place) => tangentOf(body, place)),
  );
}

/** The name keeps its value, and its tangent gets a second name. */
function tangentOfLet(term: Extract<Term, { kind: 'let' }>, walk: Walk): Term {
  const directions = new Map(walk.directions);
  const inner: Walk = { ...walk, directions };
  const lets: { readonly name: string; readonly value: Term }[] = [];
  let at: Term = term;
  while (at.kind === 'let') {
    const { name, value } = at;
    lets.push({ name, value });
    const tangent = scoped(inner, (place) => tangentOf(value, place));
    if (!isZero(tangent)) {
      const given = nameTangent(tangent, walk.fresh);
      lets.push({ name: given.name, value: given.value });
      directions.set(name, given.direction);
    }
    at = at.body;
  }
  const last = at;
  return wrap(
    lets,
    scoped(inner, (place) => tangentOf(last, place)),
  );
}

/** A name for a tangent, whose sparse part is read through the name and not hidden behind it. */
function nameTangent(
  tangent: Term,
  fresh: FreshName,
): { readonly name: string; readonly value: Term; readonly direction: Direction } {
  const name = fresh('tangent');
  const table = tangent.kind === 'tabulate' ? tangent : null;
  const own = sparse(table ? table.body : tangent);
  if (!own) return { name, value: tangent, direction: (indices) => element(variable(name, tangent.type), indices) };
  const value = table ? tabulate(table.binders, own.then, REAL) : own.then;
  const binders = table?.binders ?? [];
  return {
    name,
    value,
    direction: (indices) => {
      const places = new Map(
        binders.map((binder, axis) => [binder.name, call('add', binder.from, indices[axis] ?? zero)] as const),
      );
      return where(substitute(own.condition, places, fresh), element(variable(name, value.type), indices));
    },
  };
}
