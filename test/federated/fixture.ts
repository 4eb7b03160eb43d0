/** Small adapters for the tests of federated rounds. */
import { expect } from 'vitest';
import { readAdapter, writeAdapter } from '../../src/federated/adapter/adapter-file.ts';
import { readerOf } from '../../src/federated/adapter/adapter-reader.ts';
import { initialAdapter } from '../../src/federated/adapter/initial-adapter.ts';
import type { AdaptedLayer, FloatTensor, StateDict } from '../../src/federated/adapter/layout.ts';
import { aggregate, type AggregationPlan, type AggregationReport } from '../../src/federated/aggregate/aggregate.ts';
import type { Participant } from '../../src/federated/aggregate/cohort.ts';
import type { Rule, RuleName } from '../../src/federated/aggregate/rules.ts';
import { streamFor, unitDouble } from '../../src/numeric/xoshiro.ts';

export const layers: readonly AdaptedLayer[] = [
  { path: 'model.layers.1.v_proj', inputs: 6, outputs: 5 },
  { path: 'model.layers.0.q_proj', inputs: 4, outputs: 7 },
];

/** An adapter whose numbers come from the stream `name`; with `frozen` its A is that of the seed 0. */
export function adapterFrom(name: string, frozen = true, rank = 2, of: readonly AdaptedLayer[] = layers): StateDict {
  const stream = streamFor(7, name);
  return new Map(
    [...initialAdapter(0, of, rank)].map(([key, { shape, data }]): [string, FloatTensor] => {
      const isKept = frozen && key.includes('lora_A');
      return [key, { shape, data: isKept ? data : data.map(() => 2 * unitDouble(stream) - 1) }];
    }),
  );
}

/** A submission of an adapter. */
export const submission = (id: string, adapter: StateDict, samples = 1, reputation?: number): Participant => ({
  id,
  samples,
  adapter: readerOf(writeAdapter(adapter)),
  ...(reputation === undefined ? {} : { reputation }),
});

export const ruleOf = (name: RuleName, faulty = 0, normBound: number | null = null): Rule => ({
  name,
  faulty,
  normBound,
});

export const planOf = (changes: Partial<AggregationPlan> = {}): AggregationPlan => ({
  mode: 'ffa',
  rule: ruleOf('fedavg'),
  alpha: 4,
  start: null,
  ...changes,
});

/** The bytes of an aggregate and its report. */
export async function aggregated(
  participants: readonly Participant[],
  plan: AggregationPlan,
): Promise<{ readonly bytes: Uint8Array; readonly adapter: StateDict; readonly report: AggregationReport }> {
  const parts: Uint8Array[] = [];
  const report = await aggregate(participants, plan, (part) => {
    parts.push(part);
  });
  if (!report.ok) expect.fail(`${report.error.name}: ${report.error.message}`);
  const bytes = Uint8Array.from(Buffer.concat(parts));
  const adapter = readAdapter(bytes);
  if (!adapter.ok) expect.fail(adapter.error);
  return { bytes, adapter: adapter.value, report: report.value };
}

/** The name of the fault of an aggregation. */
export async function faultOf(participants: readonly Participant[], plan: AggregationPlan): Promise<string> {
  const report = await aggregate(participants, plan, () => {});
  return report.ok ? 'none' : report.error.name;
}

/** The product B·A of a layer in float64, row by row. */
export function productOf(adapter: StateDict, { path, inputs, outputs }: AdaptedLayer): Float64Array {
  const a = adapter.get(`base_model.model.${path}.lora_A.weight`);
  const b = adapter.get(`base_model.model.${path}.lora_B.weight`);
  const rank = a?.shape[0] ?? 0;
  const out = new Float64Array(outputs * inputs);
  for (let i = 0; i < outputs; i++)
    for (let j = 0; j < inputs; j++)
      for (let k = 0; k < rank; k++)
        out[i * inputs + j] =
          (out[i * inputs + j] ?? NaN) + (b?.data[i * rank + k] ?? NaN) * (a?.data[k * inputs + j] ?? NaN);
  return out;
}

/** ‖x − y‖ / ‖y‖ */
export function relativeError(x: Float64Array, y: Float64Array): number {
  const square = (of: (i: number) => number): number => Array.from(y, (_, i) => of(i) ** 2).reduce((a, b) => a + b, 0);
  return Math.sqrt(square((i) => (x[i] ?? NaN) - (y[i] ?? NaN)) / square((i) => y[i] ?? NaN));
}
