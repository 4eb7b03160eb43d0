/**
 * Inputs that distinguish a surviving wrong kernel from the equation, since the bound kernel itself may be wrong.
 */
import type { KernelOutcome, OpenKernel } from '../../backends/backend.ts';
import type { MutantOutcome } from '../../evidence/receipt.ts';
import type { Case, CompiledGoal } from '../../math/compile/compiled.ts';
import { recordInput, valueText } from '../../runtime/case-text.ts';
import { createGenerator, SMALL_BLOCK_SIZE, type CaseGenerator } from '../../runtime/generate/generator.ts';
import { shrinkCase } from '../../runtime/shrink/shrink-case.ts';
import type { TestableApplication, TestableGoal } from '../../runtime/testable-goal.ts';
import type { ToCall } from '../runs/execute.ts';
import { keepCase } from '../runs/tally.ts';

/** A kernel and how it is called. */
export interface Callable {
  readonly kernel: OpenKernel;
  readonly toCall: ToCall;
}

/** A surviving wrong kernel, the bound one and, if there is a formula, the equation. */
export interface SeparationRequest {
  readonly equation: string;
  /** The bound kernel, which the wrong one was made from. */
  readonly right: Callable;
  readonly wrong: Callable;
  /** The equation, more exact than any float32 kernel; null if it has no formula. */
  readonly reference: Callable | null;
  /** An application of the equation to its own inputs. */
  readonly application: TestableApplication;
  /** The equation's parameters by name: which variable of the domain is which argument. */
  readonly parameters: readonly string[];
  readonly domain: TestableGoal['domain'];
  readonly precondition: CompiledGoal['precondition'];
  readonly seed: number;
  /** Outputs of the bound kernel and the equation, shared between wrong kernels; computed for each if absent. */
  readonly known?: KnownOutcomes | undefined;
}

interface KnownCase {
  readonly candidate: Case;
  readonly expected: Expected;
}

/** What a wrong kernel is compared with. */
interface Expected {
  readonly right: KernelOutcome | undefined;
  /** Null without a formula. */
  readonly reference: KernelOutcome | null | undefined;
}

/** By domain: the compared cases, in order. */
export type KnownOutcomes = WeakMap<TestableGoal['domain'], readonly KnownCase[]>;

/** How the outputs of two kernels differ over the domain. */
export interface Separation extends Pick<MutantOutcome, 'separatingInput' | 'separatingOutputs'> {
  /** Whether the outputs of the two kernels differ at all on some input. */
  readonly differs: boolean;
  /** Share of the inputs inside the preconditions on which they differ by more than rounding explains. */
  readonly plainShare: number;
  /** Whether the wrong kernel fails, by a read outside an array, on some input that the bound one takes. */
  readonly breaks: boolean;
}

/** The separation of two kernels that agree on every input that was tried. */
export const indistinguishable: Separation = {
  separatingInput: null,
  separatingOutputs: null,
  differs: false,
  plainShare: 0,
  breaks: false,
};

/** Cases on which a survivor is compared with the original before it is called indistinguishable. */
const comparedCases = 512;
/** Relative difference that no order of float32 operations explains, cancellation aside. */
const plainDifference = 0.01;
/**
 * Share of a tensor's largest element below which an element may be a remainder of cancellation: 2⁻²⁴ times a few dozen terms.
 */
const cancelledShare = 1e-6;
/** How many runs of both kernels the search for a smaller input may take. */
const shrinkBudget = 400;

/** Compares the kernels on cases of the domain; the input on which the wrong one is furthest from the equation is shrunk. */
export async function separate(request: SeparationRequest): Promise<Separation> {
  const { domain, seed, equation, precondition, known } = request;
  const created = createGenerator(domain, seed, `${equation}/separate`, SMALL_BLOCK_SIZE);
  if (!created.ok) return indistinguishable;
  const generator = created.value;
  let largest = 0;
  let start: Case | null = null;
  let plain = 0;
  let differs = false;
  let breaks = false;
  const cases = known?.get(domain) ?? (await casesOf(request, generator));
  known?.set(domain, cases);
  for (const { candidate, expected } of cases) {
    const wrong = await outputOf(request, request.wrong, candidate);
    const difference = error(expected, wrong);
    differs ||= distance(expected.right, wrong) > 0;
    breaks ||= expected.right?.ok === true && wrong?.ok === false;
    if (distance(expected.right, wrong, cancelledShare) > plainDifference) plain++;
    if (difference <= largest) continue;
    largest = difference;
    start = candidate;
  }
  const found = { differs, breaks, plainShare: plain / Math.max(1, cases.length) };
  if (!start) return { ...indistinguishable, ...found };
  const enough = Math.min(plainDifference, largest / 2);
  const fails = async (candidate: Case): Promise<boolean> =>
    precondition(candidate.sizes, candidate.values) &&
    error(await expectedAt(request, candidate), await outputOf(request, request.wrong, candidate)) > enough;
  const { smallest } = await shrinkCase({ plan: generator.plan, start, fails, budget: shrinkBudget });
  const expected = await expectedAt(request, smallest);
  const wrong = await outputOf(request, request.wrong, smallest);
  return {
    ...found,
    separatingInput: recordInput(domain, keepCase(smallest)),
    separatingOutputs: textsOf(expected, wrong, request),
  };
}

function textsOf(
  { right, reference }: Expected,
  wrong: KernelOutcome | undefined,
  { application }: SeparationRequest,
): NonNullable<Separation['separatingOutputs']> {
  const text = (outcome: KernelOutcome | undefined): string => outputText(outcome, application);
  if (!reference) return { right: null, wrong: text(wrong), kernel: text(right) };
  const texts = { right: text(reference), wrong: text(wrong) };
  return distance(reference, right, cancelledShare) > plainDifference ? { ...texts, kernel: text(right) } : texts;
}

/**
 * How far the wrong kernel is from the equation, relative to its size: 0 if it returns the same as the bound kernel, is as
 * close to the equation as that one, or if the equation has no value.
 */
function error({ right, reference }: Expected, wrong: KernelOutcome | undefined): number {
  const apart = distance(right, wrong);
  if (apart === 0 || !reference) return apart;
  if (!reference.ok || hasNaN(reference.output)) return 0;
  const far = distance(reference, wrong);
  const isPlain = distance(reference, wrong, cancelledShare) > plainDifference;
  return isPlain || far > 2 * distance(reference, right) ? far : 0;
}

function hasNaN(output: ArrayLike<number>): boolean {
  return Array.prototype.some.call(output, Number.isNaN);
}

async function expectedAt(request: SeparationRequest, at: Case): Promise<Expected> {
  const { right, reference } = request;
  return {
    right: await outputOf(request, right, at),
    reference: reference && (await outputOf(request, reference, at)),
  };
}

/** Cases inside the preconditions with the outputs of the bound kernel and the equation. */
async function casesOf(request: SeparationRequest, generator: CaseGenerator): Promise<readonly KnownCase[]> {
  const cases: KnownCase[] = [];
  for (let index = 0; index < comparedCases; index++) {
    const candidate = generator.at(index);
    if (!candidate || !request.precondition(candidate.sizes, candidate.values)) continue;
    cases.push({ candidate, expected: await expectedAt(request, candidate) });
  }
  return cases;
}

async function outputOf(
  { parameters, domain, application }: SeparationRequest,
  { kernel, toCall }: Callable,
  { sizes, values }: Case,
): Promise<KernelOutcome | undefined> {
  const args = parameters.map((name) => values[domain.variables.findIndex((variable) => variable.name === name)] ?? 0);
  const [outcome] = await kernel.run([toCall(application, args, sizes)]);
  // A kernel may write its next output into the same array.
  return outcome?.ok ? { ...outcome, output: outcome.output.slice() } : outcome;
}

/**
 * The largest difference of two elements relative to their size; a failure or a NaN on only one side is infinitely far.
 * Differences up to `share` of the correct tensor's largest finite element are ignored.
 */
function distance(right: KernelOutcome | undefined, wrong: KernelOutcome | undefined, share: number = 0): number {
  if (!right?.ok || !wrong?.ok) return right?.ok === wrong?.ok ? 0 : Infinity;
  if (right.text !== wrong.text || right.output.length !== wrong.output.length) return Infinity;
  const largest = share === 0 ? 0 : largestFinite(right.output);
  let most = 0;
  for (let i = 0; i < right.output.length; i++) {
    const [a, b] = [right.output[i] ?? 0, wrong.output[i] ?? 0];
    if (Object.is(a, b) || a === b || Math.abs(a - b) <= share * largest) continue;
    const far = Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
    most = Math.max(most, Number.isNaN(far) ? Infinity : far);
  }
  return most;
}

function largestFinite(output: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < output.length; i++) {
    const size = Math.abs(output[i] ?? 0);
    if (size > largest && size < Infinity) largest = size;
  }
  return largest;
}

function outputText(outcome: KernelOutcome | undefined, { type }: TestableApplication): string {
  if (!outcome?.ok) return 'nothing';
  if (outcome.text !== undefined) return JSON.stringify(outcome.text);
  return type.kind === 'tensor' ? valueText(outcome.output, type.element) : valueText(outcome.output[0] ?? NaN, type);
}
