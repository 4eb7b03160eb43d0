/** Branch and bound over boxes of inputs: a box that bounds cannot decide is halved where the outcome depends on it most. */
import type { Analysis } from './analysis.ts';
import { knownFrom, propagate, refine, type Known, type Method } from './bounds.ts';
import type { Counterexample, Judge } from './counterexample.ts';
import type { LinearConstraint } from './property.ts';
import type { Region } from './region.ts';
import { between } from './search.ts';
import { excessBound, excludes } from './specification.ts';

/** A box that is not decided yet. */
interface OpenBox {
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  /** Bounds that hold in a larger box. */
  readonly known: Known | null;
  /** The cases that no bound has excluded so far. */
  readonly unsafe: Region['unsafe'];
  readonly depth: number;
}

/** What became of a region. */
export interface Branched {
  readonly counterexample: Counterexample | null;
  /** Boxes that were analysed. */
  readonly boxes: number;
  /** Boxes that were left undecided, and the share of the region's volume that they fill. */
  readonly open: number;
  readonly openShare: number;
}

/** A gradient counts this much at least, or inputs that matter only through unstable neurons are never halved. */
const leastGradient = 0.1;

/** Decides a region box by box, depth first, until `goesOn` says no; before each box it is asked with the number of boxes so far. Yields after each. */
export function* branch(
  analysis: Analysis,
  region: Region,
  method: Method,
  judge: Judge,
  goesOn: (boxes: number) => boolean,
): Generator<void, Branched> {
  const stack: OpenBox[] = [{ lo: region.lo, hi: region.hi, known: null, unsafe: region.unsafe, depth: 0 }];
  const gradients = region.unsafe.flat().map(() => new Float64Array(region.lo.length));
  let boxes = 0;
  let unsplit = 0;
  let unsplitShare = 0;
  while (stack.length > 0 && goesOn(boxes)) {
    const box = stack.pop();
    if (box === undefined) break;
    boxes++;
    yield;
    const unsafe = undecided(analysis, box, method, gradients);
    if (unsafe.length === 0) continue;
    const counterexample = firstUnsafe(judge, box, unsafe, gradients);
    if (counterexample !== null) return { counterexample, boxes, open: 0, openShare: 0 };
    const halves = split(analysis, box, unsafe, method, gradients);
    if (halves === null) {
      unsplit++;
      unsplitShare += 2 ** -box.depth;
    } else stack.push(...halves);
  }
  const openShare = stack.reduce((sum, { depth }) => sum + 2 ** -depth, unsplitShare);
  return { counterexample: null, boxes, open: stack.length + unsplit, openShare };
}

/** The cases that the bounds over a box do not exclude; each case has one gradient per constraint, in order. */
function undecided(
  analysis: Analysis,
  box: OpenBox,
  method: Method,
  gradients: readonly Float64Array[],
): Region['unsafe'] {
  if (method === 'hybrid') refine(analysis, box, box.known);
  else propagate(analysis, box, method);
  const through = method === 'ibp' ? 'intervals' : 'lines';
  const left: (readonly LinearConstraint[])[] = [];
  let next = 0;
  for (const constraints of box.unsafe) {
    const first = next;
    const isExcluded = constraints.some((constraint) =>
      excludes(constraint, excessBound(analysis, constraint, through, gradients[next++])),
    );
    // What an excluded case left is overwritten.
    if (isExcluded) next = first;
    else left.push(constraints);
  }
  return left;
}

/** The centre of the box, and the corner where the bound of each constraint is least. */
function firstUnsafe(
  judge: Judge,
  { lo, hi }: OpenBox,
  unsafe: Region['unsafe'],
  gradients: readonly Float64Array[],
): Counterexample | null {
  const centre = lo.map((l, i) => between(l, hi[i] ?? 0, 0.5));
  const found = judge.unsafe(unsafe, centre);
  if (found !== null) return found;
  let next = 0;
  for (const constraints of unsafe)
    for (let k = 0; k < constraints.length; k++) {
      const gradient = gradients[next++];
      const corner = lo.map((l, i) => ((gradient?.[i] ?? 0) > 0 ? l : (hi[i] ?? 0)));
      const at = judge.unsafe([constraints], corner);
      if (at !== null) return at;
    }
  return null;
}

/** The halves of a box, or null if it is too small for two. */
function split(
  analysis: Analysis,
  box: OpenBox,
  unsafe: Region['unsafe'],
  method: Method,
  gradients: readonly Float64Array[],
): readonly OpenBox[] | null {
  const { lo, hi, depth } = box;
  const constraints = unsafe.flat().length;
  let [axis, most] = [-1, -1];
  for (let i = 0; i < lo.length; i++) {
    const middle = between(lo[i] ?? 0, hi[i] ?? 0, 0.5);
    if (!(middle > (lo[i] ?? 0) && middle < (hi[i] ?? 0))) continue;
    let influence = 0;
    for (let k = 0; k < constraints; k++) influence += Math.max(Math.abs(gradients[k]?.[i] ?? 0), leastGradient);
    const score = influence * ((hi[i] ?? 0) - (lo[i] ?? 0));
    if (score > most) [axis, most] = [i, score];
  }
  if (axis < 0) return null;
  const middle = between(lo[axis] ?? 0, hi[axis] ?? 0, 0.5);
  const known = method === 'hybrid' ? knownFrom(analysis) : null;
  const below = { lo, hi: hi.with(axis, middle), known, unsafe, depth: depth + 1 };
  const above = { lo: lo.with(axis, middle), hi, known, unsafe, depth: depth + 1 };
  return [below, above];
}
