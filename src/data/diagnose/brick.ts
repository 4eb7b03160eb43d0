/** Which brick an obligation is about, and whether its violation is one brick's or the run's. */
import { count } from '../../base/text.ts';
import type { Obligation } from '../../contract/contract.ts';
import type { DataModel, Goal } from '../../contract/goal.ts';
import { freeVariables } from '../../math/term/traverse.ts';
import { columnPath } from '../judge/bound-input.ts';
import type { Brick, Granularity, Onset } from './diagnosis.ts';
import type { FirstFailure } from './first-failure.ts';

/** Tables of a profile whose rows are bricks. */
const bricksOfTables: Readonly<Record<string, Granularity>> = { transfers: 'transfer', kernels: 'kernel' };

/** As the contract says, else as the tables that the claim reads show. */
export function granularityOf({ diagnosis }: Obligation, goal: Goal | undefined, model: DataModel): Granularity {
  if (diagnosis?.granularity) return diagnosis.granularity;
  const names = goal ? freeVariables(goal.predicate) : new Set<string>();
  const tables = model.inputs.filter(({ name }) => names.has(name)).map(({ from }) => columnPath(from).table ?? '');
  return tables.flatMap((table) => bricksOfTables[table] ?? [])[0] ?? 'loop';
}

function natureOf({ diagnosis }: Obligation, model: DataModel): Brick['nature'] {
  return diagnosis?.nature ?? (model.kind === 'config' ? 'static' : 'dynamic');
}

/** The brick of a violation; the rows of one step show whether it is one brick's, before what the contract says. */
export function brickOf(obligation: Obligation, goal: Goal, model: DataModel, failure: FirstFailure | null): Brick {
  const granularity = granularityOf(obligation, goal, model);
  return { granularity, nature: natureOf(obligation, model), ...scopeOf(obligation, granularity, failure) };
}

function scopeOf(
  { diagnosis }: Obligation,
  granularity: Granularity,
  failure: FirstFailure | null,
): Pick<Brick, 'scope' | 'because'> {
  if (granularity !== 'loop' && failure !== null && failure.evaluated > 1) {
    const { failed, evaluated, step } = failure;
    const where = step === null ? '' : ` of step ${step}`;
    return {
      scope: failed < evaluated ? 'local' : 'global',
      because: `${failed} of ${count(evaluated, granularity)}${where} ${failed === 1 ? 'fails' : 'fail'}`,
    };
  }
  if (diagnosis?.scope) return { scope: diagnosis.scope, because: 'the contract says so' };
  if (granularity === 'loop') return { scope: 'global', because: 'it is about the whole loop' };
  const seen = failure === null ? 'the data have no rows of others' : `only one ${granularity} was evaluated`;
  return { scope: null, because: seen };
}

/** When a violation shows: a static one before the run, one in a profile at a step as the profiler counts. */
export function onsetOf(obligation: Obligation, model: DataModel, failure: FirstFailure | null): Onset {
  const step = failure?.step ?? null;
  const seenBy = failure?.seenBy ?? null;
  if (natureOf(obligation, model) === 'static') return { when: 'before', step, seenBy };
  return { when: step === null || model.kind === 'trace' ? 'unknown' : 'step', step, seenBy };
}
