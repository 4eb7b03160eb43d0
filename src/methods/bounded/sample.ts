/**
 * A few generated cases within the bound of a proof: an input that the statements are about, and cheap counterexamples.
 */
import type { RecordedInput } from '../../evidence/receipt.ts';
import type { Case, CompiledGoal } from '../../math/compile/compiled.ts';
import type { Domain } from '../../math/domain.ts';
import { recordInput } from '../../runtime/case-text.ts';
import type { ExecutionRequest } from '../execute.ts';
import type { PropertyOutcome } from '../outcome.ts';
import { runProperty } from '../property.ts';

export interface SampledGoal extends ExecutionRequest {
  readonly seed: number;
  readonly expired: () => boolean;
}

/** Enough to meet every edge value of a few inputs; proofs do the rest. */
const CASES = 300;

export interface Sampled {
  readonly outcome: PropertyOutcome;
  /** The first input that satisfied the preconditions; null when none did. */
  readonly witness: RecordedInput | null;
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

export async function sampleWithin(request: SampledGoal, bound: number): Promise<Sampled> {
  const domain = within(request.goal.domain, bound);
  let witness: RecordedInput | null = null;
  const keep = (input: Case): void => void (witness ??= recordInput(domain, input));
  const check: CompiledGoal['check'] = (sizes, values, outputs, report) => {
    keep({ sizes, values });
    return request.compiled.check(sizes, values, outputs, report);
  };
  const outcome = await runProperty({
    ...request,
    goal: { ...request.goal, domain },
    compiled: { ...request.compiled, check },
    cases: CASES,
  });
  return { outcome, witness };
}
