/**
 * A bounded proof, wherever it runs: the claim at every choice of sizes within the bound, the engines of its strategy, and
 * wrong kernels that the proof must refuse.
 */
import type { Backend } from '../backends/backend.ts';
import type { Result } from '../base/result.ts';
import type { Goal } from '../contract/goal.ts';
import { unlimited } from '../math/domain.ts';
import { loadGoal } from '../math/compile/load.ts';
import type { CompiledGoal } from '../math/compile/compiled.ts';
import { SHRINK_RUNS } from '../methods/beyond.ts';
import { runBounded } from '../methods/bounded/bounded.ts';
import type { BoundedRequest } from '../methods/bounded/request.ts';
import { realExecutor } from '../methods/reals.ts';
import type { Budget } from '../bounded-proofs/engines/engine.ts';
import { loadEngines } from '../bounded-proofs/engines/load.ts';
import type { Unsupported } from '../bounded-proofs/execute/kernel-call.ts';
import { instantiate } from '../bounded-proofs/instantiate/instantiate.ts';
import type { ProofSubject } from '../bounded-proofs/instantiate/instance-request.ts';
import { sizesFor } from '../bounded-proofs/instantiate/sizes-for.ts';
import type { ProofInstance, Reading } from '../bounded-proofs/problem.ts';
import type { Check, Job } from './check.ts';
import { composedSubjects, recordsOf } from './composed-subjects.ts';
import { nothing, type Found } from './found.ts';
import { openKernels } from './open-subjects.ts';
import { wrongEquations, wrongPrograms } from './wrong-programs.ts';

/** Limit per statement and engine: solver resources, boxes or cases; the clock is only a last resort. */
const budget: Budget = { steps: 20_000_000, timeoutMs: 20_000 };

type BoundedWork = Extract<Check['work'], { kind: 'bounded' }>;

/** What surrounds a bounded proof: its time, and where its functions run. */
export interface BoundedRun {
  readonly remainingMs: () => number;
  readonly functions: Backend;
  /** Which of the proofs that may replace code do: see `Job`. */
  readonly standing: NonNullable<Job['standing']>;
}

/** The verdict is undetermined, with a reason, where the proof cannot begin: too many sizes, or an engine that does not load. */
export async function runBoundedCheck(
  check: Check,
  work: BoundedWork,
  { remainingMs, standing, functions }: BoundedRun,
): Promise<Found> {
  const { goal, harness } = work;
  const sizes = sizesFor(goal.domain, harness.bound, harness.sizes);
  if (!sizes.ok) return { ...nothing, verdict: 'undetermined', reason: sizes.error };
  const beyond = tooLarge(goal, sizes.value.sizes);
  if (beyond !== null) return { ...nothing, verdict: 'undetermined', reason: beyond };
  const composed = composedSubjects(work, standing);
  if (!composed.ok) return { ...nothing, verdict: 'undetermined', reason: composed.error };
  const subjects = composed.value;
  const loaded = await loadEngines(harness.strategy, work.engine);
  if (!loaded.ok) return { ...nothing, verdict: 'undetermined', reason: loaded.error };
  const engines = loaded.value;
  const opened = await openKernels(work.subjects, check, functions);
  if (!opened.ok) return { ...nothing, verdict: 'undetermined', reason: opened.reason };
  const { kernels, toCall, close } = opened.value;
  const compiled = await loadGoal(goal);
  const isFormula = subjects.every(({ bound }) => bound === null);
  const reading: Reading = goal.overReals ? 'real' : 'float32';
  const at = (instead: readonly ProofSubject[], choice: readonly number[]): Result<ProofInstance, string> => {
    const made = instantiate({
      goal,
      subjects: instead,
      sizes: choice,
      reading,
    });
    return made.ok ? made : { ok: false, error: unsupportedText(made.error) };
  };
  try {
    const outcome = await runBounded({
      goal,
      compiled,
      kernels,
      toCall,
      ...(isFormula ? ofFormula(goal, compiled) : { formula: null }),
      seed: check.seed,
      harness,
      about: isFormula ? 'formula' : reading === 'real' ? 'code over the reals' : 'float32 code',
      sizes: sizes.value,
      inPart: sizes.value.complete ? work.leftOut : 'it leaves combinations of sizes out',
      instanceAt: (choice) => at(subjects, choice),
      wrong: goal.overReals
        ? wrongEquations({ goal, compiled, equations: goal.overReals.equations }, at)
        : wrongPrograms(subjects, kernels, at),
      assumed: recordsOf(work, subjects),
      engines,
      budget,
      expired: () => remainingMs() <= 0,
      remainingMs,
    });
    return {
      ...nothing,
      verdict: outcome.verdict,
      reason: outcome.reason,
      proof: outcome.proof,
      counterexample: outcome.counterexample,
      declaredCases: outcome.proof.statements,
      cases: outcome.proof.proved,
      premiseHits: outcome.proof.proved,
      ran: [...kernels.values()][0]?.ran ?? null,
      failure: outcome.counterexample?.input ?? null,
    };
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
    await close();
  }
}

/** Sizes of models: a statement per element, each over all elements, is more than any proof gets through. */
const LARGEST_SIZE = 16_384;

function tooLarge({ domain }: BoundedWork['goal'], choices: readonly (readonly number[])[]): string | null {
  for (const [i, { name }] of domain.sizes.entries()) {
    const most = choices.reduce((largest, choice) => Math.max(largest, choice[i] ?? 0), 0);
    if (most > LARGEST_SIZE)
      return `the bound lets ${name} be ${most}, and proofs go to ${LARGEST_SIZE}: lower the bound`;
  }
  return null;
}

function unsupportedText({ place, message }: Unsupported): string {
  return place === null ? message : `line ${place.line}:${place.column} of the kernel: ${message}`;
}

/** A proof about the formula is for every real and every whole number, so that any of them refutes it. */
function ofFormula(goal: Goal, compiled: CompiledGoal): Pick<BoundedRequest, 'formula' | 'executor' | 'shrinkBudget'> {
  const anywhere = { ...goal, domain: unlimited(goal.domain) };
  if (!goal.overReals) return { formula: { goal: anywhere } };
  const { equations } = goal.overReals;
  // Claims over the reals are decided on equations, in arbitrary precision; there even shrinking is dear.
  return {
    formula: { goal: anywhere, executor: realExecutor({ goal: anywhere, compiled, equations }) },
    executor: realExecutor({ goal, compiled, equations }),
    shrinkBudget: SHRINK_RUNS,
  };
}
