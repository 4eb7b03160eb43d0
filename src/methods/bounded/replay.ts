/**
 * What an engine believes to be a counterexample, on the real kernel: only what happens there counts.
 */
import type { Counterexample } from '../../evidence/receipt.ts';
import type { Case, CaseValue } from '../../math/compile/compiled.ts';
import type { Model } from '../../bounded-proofs/engines/engine.ts';
import { planDomain, type DomainPlan } from '../../runtime/generate/domain-plan.ts';
import { allocateCase } from '../../runtime/generate/generator.ts';
import { violation } from '../../runtime/generate/membership.ts';
import { shapesAt } from '../../runtime/generate/sizes.ts';
import { openExecutor } from '../runs/execute.ts';
import { counterexampleFrom } from '../runs/outcome.ts';
import type { SampledGoal } from './sample.ts';

/** Of what nothing can be replayed: the engine's word is not enough, and the statement stays open. */
export const closeBy = (): Promise<null> => Promise.resolve(null);

/**
 * The counterexample that the model describes, if the kernel breaks the claim there; null if it does not, or it is not an
 * input.
 */
export async function replayModel(
  request: SampledGoal,
  sizes: Readonly<Record<string, number>>,
  model: Model,
): Promise<Counterexample | null> {
  const executor = openExecutor(request);
  const found = inputOf(request, sizes, model);
  if ('missing' in executor || found === null) return null;
  const { plan, candidate } = found;
  let broken = false;
  const only = (): Case => candidate;
  await executor.run(1, only, (status) => {
    broken = status === 'broken';
    return false;
  });
  if (!broken) return null;
  return counterexampleFrom({
    request,
    executor,
    plan,
    broken: candidate,
    budget: 500,
    expired: request.expired,
  });
}

/** The input that the model describes, where it is one of the domain. */
export function inputOf(
  { goal }: Pick<SampledGoal, 'goal'>,
  sizes: Readonly<Record<string, number>>,
  model: Model,
): { readonly plan: DomainPlan; readonly candidate: Case } | null {
  const plan = planDomain(goal.domain);
  if (!plan.ok) return null;
  const candidate = caseOf(
    plan.value,
    goal.domain.sizes.map(({ name }) => sizes[name] ?? 0),
    model,
  );
  return candidate === null || violation(plan.value, candidate) !== null ? null : { plan: plan.value, candidate };
}

function caseOf(plan: DomainPlan, sizes: readonly number[], model: Model): Case | null {
  const shapes = shapesAt(plan, sizes);
  if (shapes === null) return null;
  const { values } = allocateCase(plan, sizes);
  const filled = plan.variables.map((variable, i): CaseValue => {
    const value = values[i] ?? 0;
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return model.get(variable.name) ?? 0;
    const shape = shapes[i] ?? [];
    for (let k = 0; k < value.length; k++) value[k] = model.get(`${variable.name}[${indexText(k, shape)}]`) ?? 0;
    return value;
  });
  return { sizes, values: filled };
}

/** The index of the `flat`-th element: `3`, `1,2`. */
function indexText(flat: number, shape: readonly number[]): string {
  const indices: number[] = [];
  let rest = flat;
  for (const length of shape.toReversed()) {
    indices.unshift(rest % length);
    rest = Math.floor(rest / length);
  }
  return indices.join(',');
}
