/** The place of an operation, and what its result must be. */
import { MAX_FLOAT32 } from '../../numeric/float.ts';
import { fromFloat } from '../../numeric/rational.ts';
import type { Place } from '../../subject/kernel-syntax.ts';
import type { NumberExpression } from '../expression.ts';
import { demand, type Execution } from './execution.ts';
import type { Path } from './path.ts';

/** Where an operation is executed. */
export interface Site {
  readonly path: Path;
  readonly place: Place;
  /** The operation as the author wrote it. */
  readonly text: () => string;
}

const largest = fromFloat(MAX_FLOAT32);

/** That a result does not exceed the largest float32. */
export function demandFinite(execution: Execution, result: NumberExpression, { path, place, text }: Site): void {
  const { graph } = execution;
  demand(execution, path, {
    kind: 'overflow',
    place,
    condition: graph.lessEqual(graph.absolute(result), graph.constant(largest)),
    text: () => `${text()} does not overflow`,
  });
}

function demandNothing(execution: Execution, kind: 'overflow' | 'invalid', { path, place, text }: Site): 0 {
  const { graph } = execution;
  const what = kind === 'overflow' ? 'does not overflow' : 'is not NaN';
  demand(execution, path, { kind, place, condition: graph.false, text: () => `${text()} ${what}` });
  return 0;
}

/** A known result, or 0 where it is NaN: nothing follows there, because the condition fails that it is not reached. */
export function unlessNaN(execution: Execution, result: number, site: Site): number {
  return Number.isNaN(result) ? demandNothing(execution, 'invalid', site) : result;
}

/** A known result of finite operands, or 0 where there is none. */
export function unlessOverflow(execution: Execution, result: number, site: Site): number {
  if (Number.isNaN(result)) return unlessNaN(execution, result, site);
  return Number.isFinite(result) ? result : demandNothing(execution, 'overflow', site);
}
