/** What is known about the elementary functions, exact and as float32 implementations; every row names its axioms. */
import type { AxiomId } from '../../axioms.ts';
import type { ElementaryFunction } from '../../expression.ts';

/** Monotonicity, bounds and known values of one function. */
export interface ElementaryFacts {
  /** Increasing where `from` < argument; null if it is not. */
  readonly increasing: { readonly axiom: AxiomId; readonly from: number | null } | null;
  /** Closed bounds of the values, null if there is none. */
  readonly low: number | null;
  readonly high: number | null;
  /** What the bounds rest on. */
  readonly rangeAxiom: AxiomId | null;
  /** Where the value is known exactly: the argument, the value. */
  readonly point: { readonly at: number; readonly value: number } | null;
}

const nothing: ElementaryFacts = { increasing: null, low: null, high: null, rangeAxiom: null, point: null };

const increasingReal = { axiom: 'real-increasing', from: null } as const;
const increasingRealFromZero = { axiom: 'real-increasing', from: 0 } as const;

const exact: Readonly<Record<ElementaryFunction, ElementaryFacts>> = {
  exp: { increasing: increasingReal, low: 0, high: null, rangeAxiom: 'real-range', point: { at: 0, value: 1 } },
  log: { ...nothing, increasing: increasingRealFromZero, point: { at: 1, value: 0 } },
  log2: { ...nothing, increasing: increasingRealFromZero, point: { at: 1, value: 0 } },
  log10: { ...nothing, increasing: increasingRealFromZero, point: { at: 1, value: 0 } },
  sin: { ...nothing, low: -1, high: 1, rangeAxiom: 'real-range' },
  cos: { ...nothing, low: -1, high: 1, rangeAxiom: 'real-range' },
  tan: nothing,
  tanh: { increasing: increasingReal, low: -1, high: 1, rangeAxiom: 'real-range', point: { at: 0, value: 0 } },
  sinh: { ...nothing, increasing: increasingReal, point: { at: 0, value: 0 } },
  cosh: { ...nothing, low: 1, rangeAxiom: 'real-range' },
  atan: { ...nothing, increasing: increasingReal, point: { at: 0, value: 0 } },
  asin: nothing,
  acos: nothing,
  erf: { increasing: increasingReal, low: -1, high: 1, rangeAxiom: 'real-range', point: { at: 0, value: 0 } },
};

/** Only what has been established by testing every float32 (see docs/axioms.md). */
const float32: Readonly<Record<ElementaryFunction, ElementaryFacts>> = {
  exp: {
    increasing: { axiom: 'exp-monotone', from: null },
    low: 0,
    high: null,
    rangeAxiom: 'exp-range',
    point: { at: 0, value: 1 },
  },
  log: { ...nothing, increasing: { axiom: 'log-monotone', from: 0 }, point: { at: 1, value: 0 } },
  log2: { ...nothing, increasing: { axiom: 'log2-monotone', from: 0 }, point: { at: 1, value: 0 } },
  log10: nothing,
  sin: { ...nothing, low: -1, high: 1, rangeAxiom: 'sine-range' },
  cos: { ...nothing, low: -1, high: 1, rangeAxiom: 'sine-range' },
  tan: nothing,
  tanh: {
    increasing: { axiom: 'tanh-monotone', from: null },
    low: -1,
    high: 1,
    rangeAxiom: 'tanh-range',
    point: { at: 0, value: 0 },
  },
  sinh: nothing,
  cosh: nothing,
  atan: { ...nothing, increasing: { axiom: 'atan-monotone', from: null }, point: { at: 0, value: 0 } },
  asin: nothing,
  acos: nothing,
  erf: nothing,
};

/** Facts of the exact function (`function`), or of its float32 implementation (`machine`). */
export function factsOf(kind: 'function' | 'machine', fn: ElementaryFunction): ElementaryFacts {
  return (kind === 'function' ? exact : float32)[fn];
}

/** The float32 implementation at a float32: the float64 function of this JavaScript engine, rounded once. NaN outside its domain. */
export function machineValue(fn: ElementaryFunction, argument: number): number {
  return fn === 'erf' ? Number.NaN : Math.fround(Math[fn](argument));
}
