/**
 * Obligations without formal text that compare implementations: `SIMD matches scalar within ULP`, with a tolerance of 8.
 *
 * The implementation that others are compared with computes the formula, so what they claim of a kernel is `f(x) ≈ f_ref(x)`. It says
 * nothing of the formula itself, and is judged only once a kernel is bound.
 */
import { readNotation } from '../../../math/notation/read.ts';
import type { FormalText } from '../../contract.ts';
import { isDeclaredOnly, type EquationModel } from '../../goal.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';
import type { Claim } from './claim-of.ts';

const implementations =
  /\b(?:SIMD|AVX\w*|SSE\w*|NEON|GPU|CUDA|WGSL|PTX|WASM|kernels?|vectori[sz]ed|fused|tiled|parallel|optimi[sz]ed|backends?|scalar)\b/iu;

const agrees = /\b(?:match(?:es)?|equals?|agrees?|parity|equivalen(?:t|ce)|identical|same|consistent|within)\b/iu;

/** Whether an equivalence compares implementations in words, and has no notation. */
export function comparesKernels({ formal, type, property }: Pick<Claim, 'formal' | 'type' | 'property'>): boolean {
  if (type !== 'equivalence') return false;
  if (formal === null) return implementations.test(property);
  const isWords = formal.notation.status === 'prose' && !/[=≈<>≤≥|∀∈()]/u.test(formal.text);
  return isWords && implementations.test(formal.text) && agrees.test(formal.text);
}

/** The formal text of such a claim about the equations of its contract; null if they or its tolerance leave nothing to compare. */
export function comparisonOf({ tolerance, span }: Claim, equations: readonly ElaboratedEquation[]): FormalText | null {
  const models = equations.flatMap(({ model }) => model ?? []).filter(isWhole);
  const allowed =
    tolerance && [tolerance.abs, tolerance.rel, tolerance.ulp, tolerance.cond].some((part) => (part ?? 0) > 0);
  const isExact = models.every(({ result }) => (result.kind === 'tensor' ? result.element : result).kind !== 'float');
  if (models.length === 0 || !(allowed || isExact)) return null;
  const text = models.map((model) => comparisonText(model, allowed ? '≈' : '=')).join(', ');
  const notation = readNotation(text, 'proposition');
  if (notation.status !== 'math') return null;
  return { text, notation, span: { ...span }, offsetInSource: () => span.range.start };
}

function isWhole(model: EquationModel): boolean {
  return model.unread === undefined && model.parameters.length > 0 && !isDeclaredOnly(model);
}

function comparisonText({ name, parameters }: EquationModel, relation: string): string {
  const inputs = parameters.map((one) => one.name).join(', ');
  return `${name}(${inputs}) ${relation} ${name}_ref(${inputs})`;
}
