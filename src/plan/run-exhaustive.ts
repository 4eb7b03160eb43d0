/**
 * An exhaustive proof, wherever it runs: all of it where its inputs are few, else one range of them, or its end.
 */
import type { Backend, OpenKernel } from '../backends/backend.ts';
import { loadBackend } from '../backends/registry.ts';
import { joinScans } from '../evidence/scan.ts';
import { loadGoal } from '../math/compile/load.ts';
import {
  concludeExhaustive,
  scanInputs,
  type ExhaustiveRequest,
  type WrongKernel,
} from '../methods/bounded/exhaustive/exhaustive.ts';
import { notElementwise } from '../methods/bounded/exhaustive/elementwise-kernel.ts';
import { spaceOf, type Space } from '../methods/bounded/exhaustive/space.ts';
import { kernelMutants } from '../methods/wrong-kernels/kernel-mutants.ts';
import { sizesFor } from '../bounded-proofs/instantiate/sizes-for.ts';
import type { Check, ScanPart } from './check.ts';
import { nothing, type Found } from './found.ts';
import { openKernels } from './open-subjects.ts';

type BoundedWork = Extract<Check['work'], { kind: 'bounded' }>;

/** Wrong kernels that are tried until one breaks the claim. */
const WRONG_KERNELS = 40;
/** Inputs of one job: a second or so. Side by side they cost a hundredth. */
const STEP = 2 ** 18;
const ELEMENTWISE_STEP = 2 ** 24;

/** Whether every input is to be run: by the requested engine, or the harness's strategy. */
export function isExhaustive({ engine, harness }: BoundedWork): boolean {
  return engine === null ? harness.strategy === 'exhaustive' : engine === 'exhaustive';
}

/** Which part of the inputs this job runs. */
export interface ExhaustivePart {
  /** Null: all of the check, or how it is to be divided. */
  readonly part: ScanPart | null;
  readonly expired: () => boolean;
  readonly functions: Backend;
}

/** Runs every input of the part, or divides the check into parts if it is too large for one job. */
export async function runExhaustiveCheck(
  check: Check,
  work: BoundedWork,
  { part, expired, functions }: ExhaustivePart,
): Promise<Found> {
  const { goal, subjects, harness } = work;
  const sizes = sizesFor(goal.domain, harness.bound, harness.sizes);
  if (!sizes.ok) return { ...nothing, verdict: 'undetermined', reason: sizes.error };
  const space = spaceOf({ goal, subjects, sizes: sizes.value.sizes, complete: sizes.value.complete });
  if (!space.ok) return { ...nothing, verdict: 'undetermined', reason: `not every input can be run: ${space.error}` };
  const { count, elementwise } = space.value;
  const step = elementwise ? ELEMENTWISE_STEP : STEP;
  if (part === null && count > step) return { ...unfinished, scanned: { kind: 'ranges', count, step } };
  const opened = await openKernels(subjects, check, functions);
  if (!opened.ok) return { ...nothing, verdict: 'undetermined', reason: opened.reason };
  const { kernels, toCall, close } = opened.value;
  const request: ExhaustiveRequest = {
    goal,
    compiled: await loadGoal(goal),
    kernels,
    toCall,
    seed: check.seed,
    harness,
    space: space.value,
    // One element represents all sizes.
    inPart: elementwise ? null : work.leftOut,
    wrong: wrongKernels(work, kernels, space.value),
    expired,
  };
  try {
    return await runPart(request, part);
  } finally {
    await close();
  }
}

const unfinished: Found = { ...nothing, verdict: 'incomplete', reason: 'it is run in ranges' };

async function runPart(request: ExhaustiveRequest, part: ScanPart | null): Promise<Found> {
  if (part?.kind === 'range')
    return { ...unfinished, scanned: { kind: 'range', scan: await scanInputs(request, part.from, part.to) } };
  const found = part === null ? joinScans([await scanInputs(request, 0, request.space.count)]) : part.scan;
  const { verdict, reason, proof, counterexample, worst, cases, filtered, premiseHits } = await concludeExhaustive(
    request,
    found,
  );
  return {
    ...nothing,
    verdict,
    reason,
    proof,
    counterexample,
    worst,
    declaredCases: request.space.count,
    cases,
    filtered,
    premiseHits,
    ran: [...request.kernels.values()][0]?.ran ?? null,
    failure: counterexample?.input ?? null,
  };
}

/** Mutants that the space holds for as well, spread evenly over the text so that the first few are of every kind. */
function wrongKernels(
  { subjects }: BoundedWork,
  kernels: ReadonlyMap<string, OpenKernel>,
  { elementwise }: Space,
): readonly WrongKernel[] {
  return subjects.flatMap(({ equation, bound, model }) => {
    if (!bound) return [];
    // One that reads other elements has other inputs than one index has.
    const mutants = kernelMutants(bound.program).filter(
      ({ program }) => !elementwise || notElementwise({ ...bound, program }, model) === null,
    );
    const step = Math.max(1, Math.floor(mutants.length / WRONG_KERNELS));
    return mutants
      .filter((_, i) => i % step === 0)
      .slice(0, WRONG_KERNELS)
      .map(({ id, program }): WrongKernel => ({
        id,
        open: async () => {
          const opened = await (await loadBackend('ref32')).open(program);
          return opened.ok ? new Map([...kernels, [equation, opened.kernel]]) : null;
        },
      }));
  });
}
