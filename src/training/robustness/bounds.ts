/** Bounds of every value of a network over a box of inputs. */
import { addCoefficient, lowerBound } from './back-substitution.ts';
import { createAnalysis, type Analysis, type NodeState } from './analysis.ts';
import { setAffineIntervals, setMagnitudes, setSlack } from './intervals.ts';
import type { AffineNode, Network } from './network.ts';
import { relax } from './relaxation.ts';
import type { Arithmetic } from './rounding.ts';

/**
 * `ibp`: intervals. `deeppoly`: every value by full back-substitution to the inputs. `hybrid`: the intersection of the two, so
 * no bound is looser than either.
 */
export type Method = 'ibp' | 'deeppoly' | 'hybrid';

/** Lower and upper bounds for each input. */
export interface Box {
  readonly lo: ArrayLike<number>;
  readonly hi: ArrayLike<number>;
}

/** Bounds of every node of a network, by its index. */
export interface Bounds {
  readonly lo: readonly Float64Array[];
  readonly hi: readonly Float64Array[];
}

/**
 * Bounds of every node over a box, rounded outward: every value that the network computes in `arithmetic` lies within them.
 * Weights are taken as stored; inputs are any numbers of the arithmetic in the box.
 */
export function bounds(network: Network, box: Box, method: Method, arithmetic: Arithmetic = network.weights): Bounds {
  if (method === 'hybrid')
    return intersection(bounds(network, box, 'ibp', arithmetic), bounds(network, box, 'deeppoly', arithmetic));
  const analysis = createAnalysis(network, arithmetic);
  propagate(analysis, box, method);
  return { lo: analysis.states.map(({ lo }) => lo), hi: analysis.states.map(({ hi }) => hi) };
}

function intersection(a: Bounds, b: Bounds): Bounds {
  const each = (
    x: readonly Float64Array[],
    y: readonly Float64Array[],
    choose: (p: number, q: number) => number,
  ): readonly Float64Array[] => x.map((values, n) => values.map((value, j) => choose(value, y[n]?.[j] ?? value)));
  return { lo: each(a.lo, b.lo, Math.max), hi: each(a.hi, b.hi, Math.min) };
}

/** Fills the bounds of an analysis for a box, node by node. */
export function propagate(analysis: Analysis, box: Box, method: Exclude<Method, 'hybrid'>): void {
  for (const [index, state] of analysis.states.entries()) {
    const { node } = state;
    if (node.kind === 'activation') relax(analysis, state, node);
    else {
      if (node.kind === 'input') {
        state.lo.set(box.lo);
        state.hi.set(box.hi);
      } else {
        setSlack(analysis, state, node, index);
        if (method === 'ibp') setAffineIntervals(analysis, state, node);
        else substituteAll(analysis, state, index);
      }
      setMagnitudes(state);
    }
  }
}

function substituteAll(analysis: Analysis, { node, lo, hi }: NodeState, index: number): void {
  for (let j = 0; j < node.size; j++) {
    lo[j] = valueBound(analysis, index, j, 1);
    hi[j] = -valueBound(analysis, index, j, -1);
  }
}

/** The lower bound of sign · (value j of a node), by back-substitution; −∞ once the time has run out. */
function valueBound(analysis: Analysis, index: number, j: number, sign: 1 | -1): number {
  if (!analysis.isInTime()) return -Infinity;
  addCoefficient(analysis, index, j, sign);
  return lowerBound(analysis, index, 0, 'lines');
}

/** Known bounds from a larger box: those of the affine nodes. */
export type Known = readonly (Pick<NodeState, 'lo' | 'hi'> | null)[];

/**
 * Fills the bounds of an analysis for a box inside one whose bounds are known: intervals, intersected with what is known, and
 * back-substitution for the values that are still on both sides of 0 and feed an activation.
 */
export function refine(analysis: Analysis, box: Box, known: Known | null): void {
  for (const [index, state] of analysis.states.entries()) {
    const { node } = state;
    if (node.kind === 'activation') {
      relax(analysis, state, node);
      continue;
    }
    if (node.kind === 'input') {
      state.lo.set(box.lo);
      state.hi.set(box.hi);
    } else {
      setSlack(analysis, state, node, index);
      setAffineIntervals(analysis, state, node);
      const before = known?.[index];
      if (before) intersect(state, before.lo, before.hi);
      if (analysis.feedsActivation[index] === 1) refineUnstable(analysis, state, node, index);
    }
    setMagnitudes(state);
  }
}

function refineUnstable(analysis: Analysis, { lo, hi }: NodeState, node: AffineNode, index: number): void {
  for (let j = 0; j < node.size; j++) {
    const l = lo[j] ?? 0;
    const u = hi[j] ?? 0;
    if (l >= 0 || u <= 0) continue;
    const lower = valueBound(analysis, index, j, 1);
    if (lower > l) lo[j] = lower;
    if (lower >= 0) continue;
    const upper = -valueBound(analysis, index, j, -1);
    if (upper < u) hi[j] = upper;
  }
}

function intersect({ lo, hi }: NodeState, knownLo: Float64Array, knownHi: Float64Array): void {
  for (let j = 0; j < lo.length; j++) {
    lo[j] = Math.max(lo[j] ?? 0, knownLo[j] ?? 0);
    hi[j] = Math.min(hi[j] ?? 0, knownHi[j] ?? 0);
  }
}

/** A copy of the bounds of the affine nodes. */
export const knownFrom = (analysis: Analysis): Known =>
  analysis.states.map(({ node, lo, hi }) => (node.kind === 'affine' ? { lo: lo.slice(), hi: hi.slice() } : null));
