/**
 * Runs the claims of a shipped contract with a function of other people in place of its own kernel.
 */
import type { Backend, KernelCall, KernelOutcome, KernelValue, OpenKernel } from '../../src/backends/backend.ts';
import { invariant } from '../../src/base/invariant.ts';
import type { ElaboratedContract, Goal } from '../../src/contract/goal.ts';
import { isGreen } from '../../src/evidence/verdict.ts';
import { loadGoal } from '../../src/math/compile/load.ts';
import { runFalsify } from '../../src/methods/falsify.ts';
import { runProperty } from '../../src/methods/property.ts';
import type { PropertyOutcome } from '../../src/methods/runs/outcome.ts';
import { largeSizesOf } from '../../src/plan/large-inputs.ts';
import { subjectsOf } from '../../src/plan/make-plan.ts';
import { openKernels } from '../../src/plan/open-subjects.ts';
import type { BoundSubject } from '../../src/subject/bound-subject.ts';
import type { shippedProject } from '../support/shipped-goals.ts';

/** What a foreign kernel returns: flat and row-major, one number for a scalar. */
type ForeignOutput = Float32Array | number;

/** A kernel that is called with the parameters of its equation, flat and row-major, and then with its sizes. */
export interface ForeignKernel {
  readonly name: string;
  /** The contract's id and the equation: `softmax-kernel-v1/softmax`. */
  readonly equation: string;
  readonly call: (...values: readonly never[]) => ForeignOutput | Promise<ForeignOutput>;
  /** The claim that it breaks, of a library whose kernel is less accurate than float32 allows; absent: it breaks none. */
  readonly inaccurate?: string;
}

/** What one claim says of a foreign kernel. */
export interface ForeignFinding {
  readonly claim: string;
  readonly verdict: PropertyOutcome['verdict'];
  /** Why it is not green, with the input. */
  readonly why: string | null;
  /** The largest error, as a share of the tolerance; null if nothing is compared with one. */
  readonly worst: number | null;
}

type Project = Awaited<ReturnType<typeof shippedProject>>;

/** How much is run of each claim. */
export interface ForeignRuns {
  readonly cases: number;
  /** Whether the equations' large sizes run, too, as they do in an audit. */
  readonly large?: boolean;
  /** The first, by default. */
  readonly seed?: number;
}

/** Runs every claim about single runs of the kernel's equation, with the tolerances for float32. */
export async function judgeForeign(
  project: Project,
  kernel: ForeignKernel,
  runs: ForeignRuns,
): Promise<readonly ForeignFinding[]> {
  const [id, equation = ''] = kernel.equation.split('/');
  const contract = project.elaborated.find((one) => one.contract.id === id);
  invariant(contract, `${id} is shipped`);
  const goals = contract.goals
    .filter((goal) => goal.equations.includes(equation) && !goal.overReals && !goal.statistical)
    .map((goal) => goal.onBackends['ref32'] ?? goal);
  const findings: ForeignFinding[] = [];
  for (const goal of goals) findings.push(await judgeClaim(project, kernel, contract, goal, runs));
  return findings;
}

async function judgeClaim(
  { elaborated, subjects }: Project,
  kernel: ForeignKernel,
  contract: ElaboratedContract,
  goal: Goal,
  { cases, large = false, seed = 1 }: ForeignRuns,
): Promise<ForeignFinding> {
  const [id, equation] = kernel.equation.split('/');
  const replaced = subjectsOf(goal, contract, { contracts: elaborated, subjects }).map((subject) => {
    const { bound } = subject;
    const isOwn = bound !== null && bound.contract === id && bound.equation === equation;
    return isOwn ? { ...subject, bound: asFunction(bound) } : subject;
  });
  const opened = await openKernels(replaced, { backend: 'ref32' }, callsOf(kernel));
  invariant(opened.ok, opened.ok ? '' : opened.reason);
  const { kernels, toCall, close } = opened.value;
  const request = { goal, compiled: await loadGoal(goal), kernels, toCall, seed, shrinkBudget: 50 };
  const { verdict, reason, counterexample, worst } =
    goal.source === 'falsification'
      ? await runFalsify(request)
      : await runProperty({ ...request, cases, large: large ? largeSizesOf(goal, replaced) : [] });
  await close();
  const at = counterexample ? ` at ${JSON.stringify(counterexample.input)}` : '';
  return { claim: goal.claim, verdict, why: isGreen(verdict) ? null : `${reason}${at}`, worst: worst?.ratio ?? null };
}

/** The subject as a plain function of all parameters and then all sizes, whatever the shipped kernel takes. */
function asFunction(bound: BoundSubject): BoundSubject {
  const { model } = bound;
  invariant(model, `${bound.equation} has a formula`);
  const sources = [
    ...model.parameters.map((_, index) => ({ kind: 'parameter', index }) as const),
    ...model.sizes.map((_, index) => ({ kind: 'size', index }) as const),
  ];
  return {
    ...bound,
    program: { ...bound.program, language: 'function', syntax: null },
    arguments: sources,
    output: null,
  };
}

/** A backend for functions that opens `kernel`, whatever program it is given. */
function callsOf(kernel: ForeignKernel): Backend {
  const call = kernel.call as unknown as (...values: readonly KernelValue[]) => ForeignOutput | Promise<ForeignOutput>;
  const run = async (calls: readonly KernelCall[]): Promise<readonly KernelOutcome[]> => {
    const outcomes: KernelOutcome[] = [];
    for (const { arguments: given, outputShape } of calls) outcomes.push(outcomeOf(await call(...given), outputShape));
    return outcomes;
  };
  const ran = { backend: 'function', device: kernel.name, arithmetic: 'f32' } as const;
  const open: OpenKernel = { ran, run, runSync: null, close: () => Promise.resolve() };
  return { id: 'function', arithmetic: 'f32', open: () => Promise.resolve({ ok: true, kernel: open }) };
}

function outcomeOf(result: ForeignOutput, expected: readonly number[]): KernelOutcome {
  const output = typeof result === 'number' ? Float32Array.of(result) : result;
  const wanted = expected.reduce((product, size) => product * size, 1);
  return output.length === wanted
    ? { ok: true, output }
    : { ok: false, failure: { kind: 'wrong-shape', expected, actual: `${output.length} numbers` } };
}
