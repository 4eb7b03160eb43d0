/** Aggregation rules on the rows of a matrix, as bound to `contracts/federated-aggregation-v1.yaml`. */
import { ok } from '../../base/result.ts';
import type { Factor } from '../adapter/layout.ts';
import { scan, type Cohort } from '../aggregate/cohort.ts';
import { prepareRule, type RuleName } from '../aggregate/rules.ts';

/** Participants whose adapter is one column of B: row p of `numbers`, with p's samples. */
function cohortOf(numbers: Float32Array, samples: readonly number[]): Cohort {
  const size = numbers.length / samples.length;
  const factor: Factor = { name: 'b', kind: 'B', shape: [size, 1] };
  const members = samples.map((weight, p) => ({
    id: `${p}`,
    weight,
    adapter: {
      tensors: new Map(),
      read: async (_: string, first: number, count: number) => {
        const start = p * size + first;
        return ok(numbers.subarray(start, start + count));
      },
    },
  }));
  return { members, layers: [], rank: 1, factors: [factor], start: null };
}

/** The aggregate by a rule; empty if the rule refuses, as for too few participants. */
async function aggregateOf(
  cohort: Cohort,
  name: RuleName,
  faulty: number,
  normBound: number | null = null,
): Promise<Float32Array> {
  const prepared = await prepareRule(cohort, cohort.factors, { name, faulty, normBound });
  const [factor] = cohort.factors;
  if (!prepared.ok || factor === undefined) return new Float32Array();
  const out = new Float32Array(factor.shape[0]);
  await scan(cohort, cohort.factors, (part) => {
    prepared.value.combine(part, out);
    return null;
  });
  return out;
}

const equal = (participants: number): readonly number[] => Array.from({ length: participants }, () => 1);

/** Federated averaging by samples. */
export const weightedAverage = (numbers: Float32Array, samples: Int32Array): Promise<Float32Array> =>
  aggregateOf(cohortOf(numbers, Array.from(samples)), 'fedavg', 0);

/** The median of every coordinate. */
export const coordinateMedian = (numbers: Float32Array, participants: number): Promise<Float32Array> =>
  aggregateOf(cohortOf(numbers, equal(participants)), 'median', 0);

/** The mean without the `trimmed` smallest and largest values of every coordinate. */
export const trimmedAverage = (numbers: Float32Array, trimmed: number, participants: number): Promise<Float32Array> =>
  aggregateOf(cohortOf(numbers, equal(participants)), 'trimmed_mean', trimmed);

/** The row that Krum chooses; empty where there are fewer than 2f + 3. */
export const krumChoice = (numbers: Float32Array, faulty: number, participants: number): Promise<Float32Array> =>
  aggregateOf(cohortOf(numbers, equal(participants)), 'krum', faulty);

/** The mean of rows that are shortened to the norm `bound`. */
export const normBoundedAverage = (numbers: Float32Array, samples: Int32Array, bound: number): Promise<Float32Array> =>
  aggregateOf(cohortOf(numbers, Array.from(samples)), 'norm_bound', 0, bound);
