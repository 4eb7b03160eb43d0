/** Recorded comparisons against the configuration: nobody may widen a bound, or leave a comparison out, in the ledger alone. */
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { widened } from '../invariants/weight-norm.ts';
import type { Measured, StepRecord } from '../ledger/step-record.ts';

/**
 * Every bound is that of its invariant's settings, but for the loss of LossStabilityBound, whose average is computed again;
 * every step that changed the weights made the comparisons of the cheap invariants. PV-8410 names the step.
 */
export function checkBounds(config: JsonObject, records: readonly StepRecord[]): Result<null, Problem> {
  const settings = settingsOf(config);
  const layers = Object.keys(objectOf(config['layers']));
  const stability = settings.get('LossStabilityBound');
  const anchors = anchorNorms(config);
  const loss = stability === undefined ? null : lossBounds(stability);
  for (const record of records) {
    const lossBound = loss?.next(record) ?? null;
    for (const one of record.measured) {
      const isLoss = one.invariant === 'LossStabilityBound' && /^(replayed )?loss$/.test(one.what);
      const allowed = isLoss ? [lossBound] : boundsOf(one, settings, anchors);
      if (!allowed.includes(one.bound)) return differs(record.step, one, allowed);
    }
    if (record.verdict !== 'refused') {
      const missing = expectedOf(settings, layers, lossBound !== null).find(
        ([invariant, what]) => !record.measured.some((one) => one.invariant === invariant && one.what === what),
      );
      if (missing !== undefined)
        return wrong(
          'PV-8410',
          'ledger',
          `Step ${record.step} changed the weights without the comparison of ${missing[1]} by ${missing[0]}.`,
          {
            position: record.step,
          },
        );
    }
  }
  return ok(null);
}

/** What a step that changes the weights must have compared. */
function expectedOf(
  settings: ReadonlyMap<string, JsonObject>,
  layers: readonly string[],
  hasAverage: boolean,
): readonly (readonly [invariant: string, what: string])[] {
  const stability = settings.has('LossStabilityBound')
    ? ['gradient norm', 'step size', ...(hasAverage ? ['loss'] : [])]
    : [];
  return [
    ...stability.map((what) => ['LossStabilityBound', what] as const),
    ...(settings.has('WeightNormBound') ? layers : []).map((what) => ['WeightNormBound', what] as const),
  ];
}

/** The bound on the loss of each step, from the losses of the steps before that changed the weights. */
function lossBounds(settings: JsonObject) {
  const [cap, window] = [Number(settings['spike_cap']), Number(settings['window'])];
  let average: number | null = null;
  return {
    next({ verdict, loss }: StepRecord): number | null {
      const bound = average === null ? null : average + cap * Math.abs(average);
      if (verdict !== 'refused') average = average === null ? loss : average + (2 / (window + 1)) * (loss - average);
      return bound;
    },
  };
}

/** The settings that bound each kind of comparison. A custom invariant's bounds are the word of its function. */
const boundSettings: Readonly<Record<string, (one: Measured) => string>> = {
  LossStabilityBound: ({ what }) => (what.endsWith('gradient norm') ? 'max_gradient_norm' : 'max_step_size'),
  LipschitzBound: ({ what }) => (what.endsWith(' estimate') ? 'max_lipschitz' : 'max_upper_bound'),
  CoherenceBound: () => 'min_coherence',
  EnergyGate: () => 'critical_energy',
  PermutationEquivariance: () => 'max_deviation',
  FullFisher: () => 'max_interaction',
};

function boundsOf(
  one: Measured,
  settings: ReadonlyMap<string, JsonObject>,
  anchors: (layer: string) => readonly number[],
): readonly (number | null)[] {
  const { invariant, what, is, bound } = one;
  if (invariant === 'Finite') return [Number.MAX_VALUE];
  const own = settings.get(invariant);
  if (own === undefined) return [];
  if (own['kind'] === 'Custom') return [bound];
  if (invariant === 'WeightNormBound') {
    const { max, min } = widened({ max: Number(own['max_norm']), min: Number(own['min_norm']) }, anchors(what));
    return [is === 'at most' ? max : min];
  }
  const value = own[boundSettings[invariant]?.(one) ?? ''];
  return typeof value === 'number' ? [value] : [];
}

/** The norms of each layer in the tasks that EWC holds it to. */
function anchorNorms(config: JsonObject): (layer: string) => readonly number[] {
  const tasks: JsonValue = objectOf(config['ewc'])['tasks'] ?? null;
  const list: readonly JsonValue[] = Array.isArray(tasks) ? tasks : [];
  return (layer) => list.map((task) => Number(objectOf(objectOf(task)['norms'])[layer]));
}

function settingsOf(config: JsonObject): ReadonlyMap<string, JsonObject> {
  const invariants: JsonValue = config['invariants'] ?? null;
  const list: readonly JsonValue[] = Array.isArray(invariants) ? invariants : [];
  return new Map(
    list.map(objectOf).map(({ name, settings }) => [typeof name === 'string' ? name : '', objectOf(settings)]),
  );
}

const objectOf = (value: JsonValue | undefined): JsonObject =>
  // Lists are excluded, and JSON has no other objects.
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

function differs(
  step: number,
  { invariant, what, bound }: Measured,
  allowed: readonly (number | null)[],
): Result<never, Problem> {
  const numbers = allowed.filter((one) => one !== null);
  return wrong(
    'PV-8410',
    'ledger',
    `Step ${step} compares ${what} with another bound than the configuration of ${invariant} has.`,
    {
      position: step,
      expected: numbers.length === 0 ? 'no comparison' : numbers.join(' or '),
      actual: String(bound),
    },
  );
}
