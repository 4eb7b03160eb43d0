/**
 * Adequacy: wrong kernels must be caught.
 *
 * Each wrong kernel takes the place of one equation's kernel and is run against every goal that runs that equation.
 * Source: DeMillo, Lipton & Sayward (1978), Hints on Test Data Selection, section 3 (mutation analysis).
 */
import type { KernelOutcome, OpenKernel } from '../backends/backend.ts';
import type { MutantOutcome, RecordedInput } from '../evidence/receipt.ts';
import type { CompiledGoal } from '../math/compile/compiled.ts';
import { recordInput } from '../runtime/case-text.ts';
import { createGenerator } from '../runtime/generate/generator.ts';
import type { TestableApplication, TestableGoal } from '../runtime/testable-goal.ts';
import type { ToCall } from './execute.ts';
import { runFalsify } from './falsify.ts';
import { runProperty } from './property.ts';
import { keepCase } from './tally.ts';

/** A kernel that is wrong on purpose. */
export interface WrongKernel {
  /** Stable and readable: `saboteur:zero`, `kernel:3:20 i < n → i <= n`, `equation:x_i - max(x) → x_i`. */
  readonly id: string;
  /** What is wrong with it, where the id does not say. */
  readonly description: string | null;
  /** Whether it takes its arguments as the bound kernel does or as the equation does (all parameters, then all sizes). */
  readonly calledAs: 'kernel' | 'equation';
  /** Null when it cannot run at all: then it is no mutant. */
  readonly open: () => Promise<OpenKernel | null>;
}

export interface AdequacyGoal {
  readonly goal: TestableGoal;
  readonly compiled: CompiledGoal;
  /** Falsification tests run their own inputs. */
  readonly source: 'obligation' | 'falsification';
}

export interface AdequacyRequest {
  readonly equation: string;
  readonly goals: readonly AdequacyGoal[];
  /** The kernel that the wrong ones replace. */
  readonly original: OpenKernel;
  /** The kernels of the other equations that the goals run. */
  readonly others: ReadonlyMap<string, OpenKernel>;
  /** Calls of the bound kernels. */
  readonly toCall: ToCall;
  /** Calls of the equation by its own parameters; other equations are called as bound. */
  readonly toEquationCall: ToCall;
  readonly wrong: readonly WrongKernel[];
  /** Author's reasons by mutant id. */
  readonly equivalent: ReadonlyMap<string, string>;
  readonly seed: number;
  /** Cases per goal and wrong kernel. */
  readonly cases: number;
  /** An application of the equation to its own inputs: where survivors are compared with the original. */
  readonly application: TestableApplication;
  /** The equation's parameters by name: which variable of the domain is which argument. */
  readonly parameters: readonly string[];
  readonly domain: TestableGoal['domain'];
  readonly expired?: () => boolean;
}

export interface AdequacyOutcome {
  readonly mutants: readonly MutantOutcome[];
  /** True when the time budget ended before every wrong kernel was tried. */
  readonly stopped: boolean;
}

/** Tries every wrong kernel on every goal; survivors come with an input that tells them apart, when one is found. */
export async function runAdequacy(request: AdequacyRequest): Promise<AdequacyOutcome> {
  const mutants: MutantOutcome[] = [];
  for (const wrong of request.wrong) {
    if (request.expired?.()) return { mutants, stopped: true };
    const kernel = await wrong.open();
    if (!kernel) continue;
    const mutant = { kernel, toCall: wrong.calledAs === 'kernel' ? request.toCall : request.toEquationCall };
    const { killedBy, broke } = await killersOf(request, mutant);
    const separation = killedBy.length === 0 ? await separate(request, mutant) : indistinguishable;
    await kernel.close();
    // What the time was too short for has not survived: nothing is said about it.
    if (request.expired?.() && killedBy.length === 0) return { mutants, stopped: true };
    // Any claim catches a kernel that gives no output at all, so that says nothing about the claims.
    if (broke && killedBy.length === 0) continue;
    const name = mutantName(wrong);
    const declared = request.equivalent.get(wrong.id) ?? request.equivalent.get(name) ?? null;
    const equivalent = isClearlyDifferent(wrong, separation) ? null : declared;
    mutants.push({ mutant: name, killedBy, equivalent, separatingInput: separation.input });
  }
  return { mutants, stopped: false };
}

/** As receipts and reports show it; authors may name a mutant so or by its bare id. */
function mutantName({ id, description }: Pick<WrongKernel, 'id' | 'description'>): string {
  return description === null ? id : `${id} (${description})`;
}

interface OpenMutant {
  readonly kernel: OpenKernel;
  readonly toCall: ToCall;
}

interface Killers {
  /** Goals whose predicate is false of some output of the wrong kernel. */
  readonly killedBy: readonly string[];
  /** Whether it threw, or returned something of a wrong shape, before a goal could judge it. */
  readonly broke: boolean;
}

async function killersOf(request: AdequacyRequest, { kernel, toCall }: OpenMutant): Promise<Killers> {
  const kernels = new Map(request.others).set(request.equation, kernel);
  const killedBy: string[] = [];
  let broke = false;
  for (const { goal, compiled, source } of request.goals) {
    const { seed, cases, expired } = request;
    const run = { goal, compiled, kernels, toCall, seed, cases, shrinkBudget: 0, ...(expired ? { expired } : {}) };
    const outcome = source === 'falsification' ? await runFalsify(run) : await runProperty(run);
    if (outcome.verdict !== 'falsified') continue;
    if ((outcome.counterexample?.outputs.length ?? 0) < goal.applications.length) broke = true;
    else killedBy.push(goal.id);
  }
  return { killedBy, broke };
}

/** Cases on which a survivor is compared with the original before it is called indistinguishable. */
const comparedCases = 512;

interface Separation {
  /** The input, of those tried, on which the outputs differ most; null when they never differ. */
  readonly input: RecordedInput | null;
  /** Share of the inputs on which an output differs by more than `plainDifference` of its size. */
  readonly plainShare: number;
}

const indistinguishable: Separation = { input: null, plainShare: 0 };

/** Relative difference that no order of float32 operations explains, cancellation aside. */
const plainDifference = 0.01;
/** Cancellation can blow up rounding on a few inputs, not on one in twenty. */
const plainShareLimit = 0.05;

/**
 * Whether an author's word that a mutant is right after all is refuted by the outputs: a generic saboteur by any
 * difference, an edit by plain differences on a share of the inputs that rounding does not explain.
 */
function isClearlyDifferent({ id }: WrongKernel, { input, plainShare }: Separation): boolean {
  return id.startsWith('saboteur:') ? input !== null : plainShare > plainShareLimit;
}

async function separate(request: AdequacyRequest, { kernel, toCall }: OpenMutant): Promise<Separation> {
  const generator = createGenerator(request.domain, request.seed, `${request.equation}/separate`);
  if (!generator.ok) return indistinguishable;
  const order = request.parameters.map((name) =>
    request.domain.variables.findIndex((variable) => variable.name === name),
  );
  let largest = 0;
  let input: RecordedInput | null = null;
  let plain = 0;
  for (let index = 0; index < comparedCases; index++) {
    const buffer = generator.value.allocate(generator.value.sizesAt(index));
    if (!generator.value.fill(index, buffer)) continue;
    const values = order.map((at) => buffer.values[at] ?? 0);
    const [right] = await request.original.run([request.toCall(request.application, values, buffer.sizes)]);
    const [wrong] = await kernel.run([toCall(request.application, values, buffer.sizes)]);
    const difference = distance(right, wrong);
    if (difference > plainDifference) plain++;
    if (difference <= largest) continue;
    largest = difference;
    input = recordInput(request.domain, keepCase(buffer));
  }
  return { input, plainShare: plain / comparedCases };
}

/** The largest difference of two outputs relative to their size; a failure or a NaN on one side alone is infinitely far. */
function distance(right: KernelOutcome | undefined, wrong: KernelOutcome | undefined): number {
  if (!right?.ok || !wrong?.ok) return right?.ok === wrong?.ok ? 0 : Infinity;
  let most = 0;
  for (let i = 0; i < right.output.length; i++) {
    const [a, b] = [right.output[i] ?? 0, wrong.output[i] ?? 0];
    if (Object.is(a, b) || a === b) continue;
    const far = Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
    most = Math.max(most, Number.isNaN(far) ? Infinity : far);
  }
  return most;
}
