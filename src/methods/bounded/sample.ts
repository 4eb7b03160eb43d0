/**
 * A few generated cases within the bound of a proof, to find a witness and cheap counterexamples.
 */
import type { RecordedInput } from '../../evidence/receipt.ts';
import type { Case, CaseValue, CompiledGoal } from '../../math/compile/compiled.ts';
import type { Domain } from '../../math/domain.ts';
import { recordInput } from '../../runtime/case-text.ts';
import type { CaseExecutor, ExecutionRequest } from '../runs/execute.ts';
import type { PropertyOutcome } from '../runs/outcome.ts';
import { runProperty } from '../property.ts';

/** A claim with the seed of its cases. */
export interface SampledGoal extends ExecutionRequest {
  readonly seed: number;
  readonly expired: () => boolean;
  /** How many runs the search for a smaller counterexample may take. */
  readonly shrinkBudget?: number;
}

/** Enough to include every edge value of a few inputs; proofs do the rest. */
const CASES = 300;

/** What a few cases showed before the proof begins. */
export interface Sampled {
  readonly outcome: PropertyOutcome;
  /** The first input that satisfied the preconditions; null if none did. */
  readonly witness: RecordedInput | null;
  /** A case of the requested sizes with the kernels' outputs, in the order of the applications; null if there was none. */
  readonly seen: SeenCase | null;
}

/** An input with the outputs of every application on it. */
export interface SeenCase extends Case {
  readonly outputs: readonly CaseValue[];
}

/** The domain with every size at most `bound`; a size that is larger at least keeps its least value. */
export function within(domain: Domain, bound: number): Domain {
  return {
    ...domain,
    sizes: domain.sizes.map((size) => ({
      ...size,
      maximum: Math.max(size.minimum, Math.min(size.maximum, bound)),
    })),
  };
}

/** Runs cases whose sizes are at most `bound`; `wanted` selects the sizes for which a case is recorded. */
export async function sampleWithin(
  request: SampledGoal,
  bound: number,
  wanted: (sizes: readonly number[]) => boolean = () => false,
): Promise<Sampled> {
  const domain = within(request.goal.domain, bound);
  let witness: RecordedInput | null = null;
  let seen: SeenCase | null = null;
  const keepInput = (input: Case): void => {
    witness ??= recordInput(domain, input);
  };
  const keep = ({ sizes, values, outputs }: SeenCase): void => {
    keepInput({ sizes, values });
    // The arrays are reused for the next case.
    if (seen === null && wanted(sizes))
      seen = { sizes: [...sizes], values: values.map(copied), outputs: outputs.map(copied) };
  };
  const check: CompiledGoal['check'] = (sizes, values, outputs, report) => {
    keep({ sizes, values, outputs });
    return request.compiled.check(sizes, values, outputs, report);
  };
  const outcome = await runProperty({
    ...request,
    goal: { ...request.goal, domain },
    compiled: { ...request.compiled, check },
    ...(request.executor ? { executor: telling(request.executor, keepInput) } : {}),
    cases: CASES,
  });
  return { outcome, witness, seen };
}

/** The executor, which calls `note` for inputs that satisfy the preconditions. */
function telling(executor: CaseExecutor, note: (input: Case) => void): CaseExecutor {
  return {
    ...executor,
    run: (count, source, visit) =>
      executor.run(count, source, (status, position, candidate) => {
        if (status !== 'filtered' && candidate) note(candidate);
        return visit(status, position, candidate);
      }),
  };
}

const copied = (value: CaseValue): CaseValue => (typeof value === 'object' ? value.slice() : value);
