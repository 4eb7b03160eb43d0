import type { Goal, StatisticalComparison, StatisticalStatement } from '../../contract/goal.ts';
import type { CompiledEquation } from '../../math/compile/compiled.ts';
import { loadEquation } from '../../math/compile/load.ts';
import type { Term, Type } from '../../math/term/term.ts';

/** The functions take the sizes, and the values of the domain with the outputs of the applications after them. */
export interface LoadedComparison extends Pick<StatisticalComparison, 'statistic' | 'text' | 'relation'> {
  readonly sample: CompiledEquation;
  /** These depend on no output and no drawn input. */
  readonly target: CompiledEquation;
  readonly allowed: CompiledEquation | null;
}

/** The statistics of a claim with compiled terms. */
export interface LoadedStatistics extends Omit<StatisticalStatement, 'comparisons'> {
  readonly comparisons: readonly LoadedComparison[];
}

/** The statistics of a goal as functions in float64; null for a goal that is about single runs. */
export async function loadStatistics(
  goal: Pick<Goal, 'id' | 'domain' | 'applications' | 'statistical'>,
): Promise<LoadedStatistics | null> {
  const { statistical: statement } = goal;
  if (statement === null) return null;
  const { sizes, variables } = goal.domain;
  const inputs = variables.map(({ name, element, shape }): { name: string; type: Type } => ({
    name,
    type: shape.length === 0 || element.kind === 'string' ? element : { kind: 'tensor', element, shape },
  }));
  const outputs = goal.applications.map(({ output, type }) => ({ name: output, type }));
  const load = (body: Term): Promise<CompiledEquation> =>
    loadEquation(
      { name: goal.id, parameters: [...inputs, ...outputs], sizes: sizes.map(({ name }) => name), body },
      { arithmetic: 'float64' },
    );
  const comparisons = statement.comparisons.map(async ({ statistic, text, relation, sample, target, allowed }) => ({
    statistic,
    text,
    relation,
    sample: await load(sample),
    target: await load(target),
    allowed: allowed && (await load(allowed)),
  }));
  return { ...statement, comparisons: await Promise.all(comparisons) };
}
