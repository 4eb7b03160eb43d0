/** Branch and bound over boxes of inputs: an undecided box is halved along the input that matters most to the outcome. */
import type { Analysis } from './analysis.ts';
import { knownFrom, propagate, refine, type Known, type Method } from './bounds.ts';
import type { Counterexample, Judge } from './counterexample.ts';
import { createInfluence, type Influence } from './influence.ts';
import type { LinearConstraint } from './property.ts';
import type { Region } from './region.ts';
import { between } from './search.ts';
import { createQueue } from './queue.ts';
import { excessBound, excludes } from './specification.ts';

/** An undecided box. */
interface OpenBox {
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  /** Bounds that hold in a larger box. */
  readonly known: Known | null;
  /** The cases that no bound has excluded so far. */
  readonly unsafe: Region['unsafe'];
  readonly depth: number;
}

/** The outcome for a region. */
export interface Branched {
  readonly counterexample: Counterexample | null;
  /** Number of boxes analysed. */
  readonly boxes: number;
  /** Undecided boxes, and their share of the region's volume. */
  readonly open: number;
  readonly openShare: number;
}

/** Memory limit for the bounds of larger boxes; without these bounds, boxes cost more. */
const knownBytes = 2 ** 28;

/** The share of an input's influence that counts even where the bound does not depend on it. */
const leastShare = 1e-4;

/**
 * Decides a region box by box, the likeliest to be unsafe first, until `goesOn` returns false. `goesOn` is called before each box
 * with the number of boxes so far. Yields after each box.
 */
export function* branch(
  analysis: Analysis,
  region: Region,
  method: Method,
  judge: Judge,
  goesOn: (boxes: number) => boolean,
): Generator<void, Branched> {
  const queue = createQueue<OpenBox>();
  queue.push(-Infinity, { lo: region.lo, hi: region.hi, known: null, unsafe: region.unsafe, depth: 0 });
  const gradients = region.unsafe.flat().map(() => new Float64Array(region.lo.length));
  const influence = createInfluence(analysis);
  const [scores, largest] = [new Float64Array(region.lo.length), new Float64Array(region.lo.length)];
  const mostKnown = knownBytes / (16 * analysis.network.nodes.reduce((sum, { size }) => sum + size, 0));
  let boxes = 0;
  let unsplit = 0;
  let unsplitShare = 0;
  while (queue.size() > 0 && goesOn(boxes)) {
    const box = queue.pop();
    if (box === undefined) break;
    boxes++;
    yield;
    const { unsafe, excess } = undecided(analysis, box, method, gradients);
    if (unsafe.length === 0) continue;
    const counterexample = firstUnsafe(judge, region, { ...box, unsafe }, gradients);
    if (counterexample !== null) return { counterexample, boxes, open: 0, openShare: 0 };
    setScores(influence, unsafe, gradients, scores, largest);
    const known = method === 'hybrid' && queue.size() < mostKnown ? knownFrom(analysis) : null;
    const halves = split(box, known, unsafe, scores);
    if (halves === null) {
      unsplit++;
      unsplitShare += 2 ** -box.depth;
    } else for (const half of halves) queue.push(excess, half);
  }
  const openShare = queue.values().reduce((sum, { depth }) => sum + 2 ** -depth, unsplitShare);
  return { counterexample: null, boxes, open: queue.size() + unsplit, openShare };
}

interface Undecided {
  /** The cases that the bounds do not exclude; the gradients are those of their constraints, in order. */
  readonly unsafe: Region['unsafe'];
  /** The least, over these cases, of the largest lower bound of an excess: the further below 0, the likelier an unsafe input. */
  readonly excess: number;
}

/** What the bounds over a box leave open. */
function undecided(analysis: Analysis, box: OpenBox, method: Method, gradients: readonly Float64Array[]): Undecided {
  if (method === 'hybrid') refine(analysis, box, box.known);
  else propagate(analysis, box, method);
  const through = method === 'ibp' ? 'intervals' : 'lines';
  const left: (readonly LinearConstraint[])[] = [];
  let excess = Infinity;
  let next = 0;
  for (const constraints of box.unsafe) {
    const first = next;
    let largest = -Infinity;
    const isExcluded = constraints.some((constraint) => {
      const lower = excessBound(analysis, constraint, through, gradients[next++]);
      largest = Math.max(largest, lower);
      return excludes(constraint, lower);
    });
    if (isExcluded) {
      // Overwrites the gradients of excluded cases.
      next = first;
      continue;
    }
    left.push(constraints);
    excess = Math.min(excess, largest);
  }
  return { unsafe: left, excess };
}

/** The centre of the box, and the corner where the bound of each constraint is least. */
function firstUnsafe(
  judge: Judge,
  region: Region,
  { lo, hi, unsafe }: OpenBox,
  gradients: readonly Float64Array[],
): Counterexample | null {
  const centre = lo.map((l, i) => between(l, hi[i] ?? 0, 0.5));
  const found = judge.unsafe(region, unsafe, centre);
  if (found !== null) return found;
  let next = 0;
  for (const constraints of unsafe)
    for (let k = 0; k < constraints.length; k++) {
      const gradient = gradients[next++];
      const corner = lo.map((l, i) => ((gradient?.[i] ?? 0) > 0 ? l : (hi[i] ?? 0)));
      const at = judge.unsafe(region, [constraints], corner);
      if (at !== null) return at;
    }
  return null;
}

/** The halves of a box, or null if it is too small for two. */
function split(
  box: OpenBox,
  known: Known | null,
  unsafe: Region['unsafe'],
  scores: Float64Array,
): readonly OpenBox[] | null {
  const { lo, hi, depth } = box;
  let [axis, most, middle] = [-1, -1, 0];
  for (let i = 0; i < lo.length; i++) {
    const [l, h] = [lo[i] ?? 0, hi[i] ?? 0];
    const half = between(l, h, 0.5);
    const score = (scores[i] ?? 0) * (h - l);
    if (half > l && half < h && score > most) [axis, most, middle] = [i, score, half];
  }
  if (axis < 0) return null;
  const below = { lo, hi: hi.with(axis, middle), known, unsafe, depth: depth + 1 };
  const above = { lo: lo.with(axis, middle), hi, known, unsafe, depth: depth + 1 };
  return [below, above];
}

/**
 * How much halving an input may help: for every open comparison, the geometric mean of the input's coefficient in the bound and its
 * largest possible influence. The coefficient alone overlooks inputs that act through unstable neurons; the influence alone overlooks
 * cancellation.
 */
function setScores(
  influence: Influence,
  unsafe: Region['unsafe'],
  gradients: readonly Float64Array[],
  scores: Float64Array,
  largest: Float64Array,
): void {
  scores.fill(0);
  let next = 0;
  for (const constraint of unsafe.flat()) {
    const gradient = gradients[next++];
    influence(constraint, largest);
    for (let i = 0; i < scores.length; i++) {
      const most = largest[i] ?? 0;
      scores[i] = (scores[i] ?? 0) + Math.sqrt(most * (Math.abs(gradient?.[i] ?? 0) + leastShare * most));
    }
  }
}
