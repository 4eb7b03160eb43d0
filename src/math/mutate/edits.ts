/**
 * The wrong formulas that one node can become. Each is a mistake that people make: a sign, a forgotten term,
 * an off-by-one, the other extreme, the other branch.
 */
import { call, choose, decimal, element, integer, reduce } from '../term/build.ts';
import { isIntegral } from '../term/integral.ts';
import type { FunctionName } from '../functions.ts';
import type { IndexBinder, ReduceOperator, Term } from '../term/term.ts';
import { sameSize } from '../term/sizes.ts';
import { termKey } from '../term/term-key.ts';
import { extentIndexedBy, extentOf } from './extent.ts';

/** The element with the index of one axis moved by one. */
export interface Shift {
  readonly axis: number;
  readonly replacement: Term;
}

type NodeOf<K extends Term['kind']> = Extract<Term, { kind: K }>;

/** What the node itself (not its parts) can become; shifts of indices are apart, see {@link shiftsOf}. */
export function editsOf(term: Term): readonly Term[] {
  switch (term.kind) {
    case 'number':
      return editConstant(term);
    case 'call':
      return editCall(term);
    case 'if':
      return [choose(term.condition, term.otherwise, term.then, term.type), term.then, term.otherwise];
    case 'element':
      return transposeIndices(term);
    case 'reduce':
      return [...changeReduction(term), ...changeRanges(term)];
    default:
      return [];
  }
}

function editConstant(term: NodeOf<'number'>): Term[] {
  const value = Number(term.value);
  if (!Number.isFinite(value)) return [];
  const exact = isIntegral(term) ? integer : (number: number): Term => decimal(String(number));
  const edits: Term[] = [exact(value + 1)];
  if (value !== 0) edits.push(exact(2 * value), exact(0));
  return edits.filter((edit) => edit.kind === 'number');
}

const swapped: Partial<Readonly<Record<FunctionName, FunctionName>>> = {
  add: 'subtract',
  subtract: 'add',
  multiply: 'divide',
  divide: 'multiply',
  minimum: 'maximum',
  maximum: 'minimum',
  less: 'less-equal',
  'less-equal': 'less',
  greater: 'greater-equal',
  'greater-equal': 'greater',
  equal: 'not-equal',
  'not-equal': 'equal',
  and: 'or',
  or: 'and',
  iff: 'xor',
  xor: 'iff',
  floor: 'ceiling',
  ceiling: 'floor',
  sin: 'cos',
  cos: 'sin',
  'is-finite': 'is-nan',
};

/** Functions of one argument that a mistake forgets: what is left is the argument. */
const forgettable: ReadonlySet<FunctionName> = new Set<FunctionName>([
  'negate',
  'absolute',
  'sign',
  'floor',
  'ceiling',
  'round',
  'sqrt',
  'reciprocal-sqrt',
  'exp',
  'expm1',
  'log',
  'log1p',
  'log2',
  'log10',
  'sin',
  'cos',
  'tan',
  'tanh',
  'sinh',
  'cosh',
  'atan',
  'erf',
  'sigmoid',
  'softplus',
  'factorial',
  'not',
]);

/** Operators for which one side may be forgotten by mistake. */
const droppable: ReadonlySet<FunctionName> = new Set<FunctionName>([
  'add',
  'subtract',
  'multiply',
  'divide',
  'power',
  'modulo',
  'floor-divide',
  'minimum',
  'maximum',
  'and',
  'or',
  'implies',
]);

function editCall(term: NodeOf<'call'>): Term[] {
  const edits: Term[] = [];
  const [a, b] = term.arguments;
  if (!a) return [call('add', term, integer(1)), call('multiply', integer(2), term), integer(0)];
  const other = swapped[term.fn];
  if (other) edits.push(call(other, ...term.arguments));
  if (a && forgettable.has(term.fn)) edits.push(a);
  if (a && term.fn === 'clamp') edits.push(a);
  if (a && b && droppable.has(term.fn)) {
    edits.push(a);
    edits.push(term.fn === 'subtract' ? call('negate', b) : b);
  }
  return edits;
}

/** The next element instead of this one, around the end of the axis: beyond it there would only be NaN. */
export function shiftsOf(term: Term): readonly Shift[] {
  if (term.kind !== 'element') return [];
  return term.indices.flatMap((index, axis): Shift[] => {
    const extent = extentOf(term.tensor, axis);
    if (!extent) return [];
    const shifted = call('modulo', call('add', index, integer(1)), extent);
    return [{ axis, replacement: element(term.tensor, term.indices.with(axis, shifted)) }];
  });
}

function transposeIndices(term: NodeOf<'element'>): Term[] {
  const edits: Term[] = [];
  for (let axis = 1; axis < term.indices.length; axis++) {
    const [before, after] = [term.indices[axis - 1], term.indices[axis]];
    const [rows, columns] = [extentOf(term.tensor, axis - 1), extentOf(term.tensor, axis)];
    if (!before || !after || !rows || !columns) continue;
    const fits = termKey(rows) === termKey(columns);
    const wrap = (index: Term, extent: Term): Term => (fits ? index : call('modulo', index, extent));
    const indices = term.indices.with(axis - 1, wrap(after, rows)).with(axis, wrap(before, columns));
    edits.push(element(term.tensor, indices));
  }
  return edits;
}

const otherReductions: Readonly<Record<ReduceOperator, readonly ReduceOperator[]>> = {
  sum: ['max'],
  product: ['sum'],
  max: ['min', 'sum'],
  min: ['max', 'sum'],
  all: ['any'],
  any: ['all'],
  argmax: ['argmin'],
  argmin: ['argmax'],
  count: [],
};

function changeReduction(term: NodeOf<'reduce'>): Term[] {
  const edits = otherReductions[term.operator].map((operator): Term =>
    reduce(operator, term.binders, term.body, term.condition),
  );
  if (term.condition) edits.push({ ...term, condition: null });
  return edits;
}

function changeRanges(term: NodeOf<'reduce'>): Term[] {
  return term.binders.flatMap((binder, k): Term[] => {
    const replaced = (changed: IndexBinder): Term => ({ ...term, binders: term.binders.with(k, changed) });
    const edits: Term[] = [
      replaced({ ...binder, from: call('add', binder.from, integer(1)) }),
      replaced({ ...binder, to: call('subtract', binder.to, integer(1)) }),
    ];
    const further = oneMore(binder, term.body);
    if (further) edits.push(replaced({ ...binder, to: further }));
    return edits;
  });
}

/**
 * The end of a range one further, within the axis that its index runs over; null if it is the whole axis already. Where it
 * is that in other words (`n - 1 + 1`) the end stays: the edit is the original, which is left out later, so that of many edits
 * the same ones are chosen.
 */
function oneMore(binder: IndexBinder, body: Term): Term | null {
  const extent = extentIndexedBy(binder.name, body);
  const next = call('add', binder.to, integer(1));
  if (!extent) return next;
  if (termKey(extent) === termKey(binder.to)) return null;
  return sameSize(extent, binder.to) ? binder.to : call('minimum', next, extent);
}
