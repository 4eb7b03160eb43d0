/**
 * The roofline of an equation: operations, the memory traffic that nothing avoids, and what a device's peak allows (Williams,
 * Waterman & Patterson 2009, "Roofline: an insightful visual performance model", CACM 52(4), figure 1).
 */
import type { Domain } from '../domain.ts';
import { evaluateTerm } from '../evaluate/interpret.ts';
import type { ScalarType, Term, Type } from '../term/term.ts';
import { freeVariables } from '../term/traverse.ts';
import { elementTypeOf, shapeOf } from '../term/types.ts';
import { countOperations, elementsOfShape, type OperationCounts, type OperationKind } from './count-operations.ts';
import { add, constant, evaluate, multiply, nothing, type SizePolynomial } from './size-polynomial.ts';

/** The operations and the memory traffic of an equation, as polynomials of its sizes. */
export interface Costs {
  readonly operations: ReadonlyMap<OperationKind, SizePolynomial>;
  /** Bytes of every input that the formula mentions, read once, and of the output, written once. */
  readonly bytesRead: SizePolynomial;
  readonly bytesWritten: SizePolynomial;
  readonly atoms: ReadonlyMap<string, Term>;
  readonly problem: string | null;
}

/** The parts of an equation that determine its costs. */
export interface CostedEquation {
  readonly domain: Domain;
  readonly result: Type;
  readonly body: Term;
}

/** Kernels hold whole numbers and float32 in four bytes; narrower floats in theirs. */
const bytesOf: Readonly<Record<string, number>> = { f16: 2, bf16: 2, f32: 4, f64: 8 };

/** Counts one read of every input and one write of the output, as if everything in between stayed in registers. */
export function costsOf({ domain, result, body }: CostedEquation): Costs {
  const sizes = domain.sizes.map(({ name }) => name);
  let counts: OperationCounts = countOperations(body, sizes);
  const free = freeVariables(body);
  const bytes = (element: ScalarType, shape: readonly Term[]): SizePolynomial => {
    const { elements, ...more } = elementsOfShape(shape, counts, sizes);
    counts = more;
    return multiply(elements, constant(element.kind === 'float' ? (bytesOf[element.format] ?? 4) : 4));
  };
  const read = domain.variables.filter(({ name }) => free.has(name)).map(({ element, shape }) => bytes(element, shape));
  const bytesWritten = bytes(elementTypeOf(result), shapeOf(result));
  return {
    operations: counts.counts,
    bytesRead: add(...read),
    bytesWritten,
    atoms: counts.atoms,
    problem: counts.problem,
  };
}

/** What counts as one floating-point operation each; everything else is transcendental and has a weight. */
const arithmetic: ReadonlySet<OperationKind> = new Set([
  'add',
  'multiply',
  'divide',
  'compare',
  'root',
  'round',
] as const);

/** Whether an operation is more than an addition, a product, a quotient or a comparison. */
export function isTranscendental(kind: OperationKind): boolean {
  return !arithmetic.has(kind);
}

/** Floating-point operations, each transcendental function counting `weight`. */
export function flopsOf({ operations }: Costs, weight: number): SizePolynomial {
  return [...operations].reduce(
    (sum, [kind, count]) => add(sum, isTranscendental(kind) ? multiply(count, constant(weight)) : count),
    nothing,
  );
}

/** The number that a polynomial of `costs` has at these sizes. */
export function at(polynomial: SizePolynomial, costs: Costs, sizes: ReadonlyMap<string, number>): number {
  return evaluate(polynomial, (name) => {
    const atom = costs.atoms.get(name);
    return atom ? Number(evaluateTerm(atom, sizes)) : (sizes.get(name) ?? Number.NaN);
  });
}

/** The limits of a device. */
export interface Peak {
  /** Floating-point operations per second. */
  readonly flops: number;
  /** Bytes per second to and from memory. */
  readonly bandwidth: number;
}

/** What an equation can reach on a device. */
export interface Ceiling {
  /** Operations per byte. */
  readonly intensity: number;
  /** The intensity from which computing limits, no longer memory. */
  readonly ridge: number;
  readonly limitedBy: 'memory' | 'computing';
  /** Attainable operations per second. */
  readonly flops: number;
  /** Seconds, at least. */
  readonly seconds: number;
}

/** The roofline model of `flops` operations over `bytes` of traffic. */
export function ceilingOf(flops: number, bytes: number, peak: Peak): Ceiling {
  const intensity = flops / bytes;
  const ridge = peak.flops / peak.bandwidth;
  const attainable = Math.min(peak.flops, intensity * peak.bandwidth);
  return {
    intensity,
    ridge,
    limitedBy: intensity < ridge ? 'memory' : 'computing',
    flops: attainable,
    seconds: Math.max(flops / peak.flops, bytes / peak.bandwidth),
  };
}
