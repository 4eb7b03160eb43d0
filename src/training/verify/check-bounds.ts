/** Checks recorded comparisons against the configuration, so that a ledger cannot widen a bound or omit a comparison. */
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { permutationAt, permutationHash } from '../invariants/permutation-equivariance.ts';
import { taskAt } from '../trainer/configuration.ts';
import { widened } from '../invariants/weight-norm.ts';
import type { Measured, StepRecord } from '../ledger/step-record.ts';

/** The most permutation entries per step, so that a hostile configuration cannot keep the verifier busy. */
const mostPermuted = 1e6;

/**
 * Checks that every bound follows from its invariant's settings (for the loss of LossStabilityBound, from the recomputed average),
 * that step sizes follow from learning rates, and that every step that changed the weights made all required comparisons, on the
 * required permutations. PV-8410 names the step.
 */
export function checkBounds(config: JsonObject, records: readonly StepRecord[]): Result<null, Problem> {
  const settings = settingsOf(config);
  const stability = settings.get('LossStabilityBound');
  const anchors = anchorNorms(config);
  const loss = stability === undefined ? null : lossBounds(stability, config);
  let changed = false;
  for (const record of records) {
    const lossBound = loss?.next(record) ?? null;
    const rate = checkRate(record);
    if (!rate.ok) return rate;
    anchors.begin(record.step);
    for (const one of record.measured) {
      const isLoss = one.invariant === 'LossStabilityBound' && /^(replayed )?loss$/.test(one.what);
      const allowed = isLoss ? [lossBound] : boundsOf(one, settings, anchors.of);
      if (!allowed.includes(one.bound)) return differs(record.step, one, allowed);
    }
    if (record.verdict !== 'refused') {
      const missing = expectedOf(config, settings, record, { hasAverage: lossBound !== null, canReplay: changed }).find(
        ([invariant, comparison]) =>
          !record.measured.some((one) => one.invariant === invariant && `${one.what} ${one.is}` === comparison),
      );
      if (missing !== undefined)
        return wrong(
          'PV-8410',
          'ledger',
          `Step ${record.step} changed the weights without a required comparison of ${missing[0]}: ${missing[1]} its bound.`,
          {
            position: record.step,
          },
        );
      changed = true;
      anchors.changed(record);
    }
  }
  return ok(null);
}

/** Checks that the learning rate is not negative, and that each step size of LossStabilityBound is the rate times a gradient norm. */
function checkRate({ step, rate, measured }: StepRecord): Result<null, Problem> {
  const own = measured.filter(({ invariant }) => invariant === 'LossStabilityBound');
  const valueOf = (what: string): number | undefined => own.find((one) => one.what === what)?.value;
  // A skipped step may have a rate or a gradient that is NaN or infinite.
  const isWrong = own.some(
    ({ what, value }) =>
      what.endsWith('step size') &&
      !Object.is(value, rate * (valueOf(what.replace('step size', 'gradient norm')) ?? NaN)),
  );
  if (!(rate < 0) && !isWrong) return ok(null);
  const message = isWrong
    ? `A step size of step ${step} is not its learning rate times its gradient norm.`
    : `The learning rate of step ${step} is negative.`;
  return wrong('PV-8410', 'ledger', message, { position: step, actual: `learning rate ${rate}` });
}

/** What the earlier steps say about a step. */
interface Earlier {
  /** Whether LossStabilityBound has an average. */
  readonly hasAverage: boolean;
  /** Whether a step has changed the weights, and thus put its samples into the replay buffer. */
  readonly canReplay: boolean;
}

/** The comparisons required of a step that changes the weights; custom invariants name their own. */
function expectedOf(
  config: JsonObject,
  settings: ReadonlyMap<string, JsonObject>,
  { step, measured }: StepRecord,
  { hasAverage, canReplay }: Earlier,
): readonly (readonly [invariant: string, comparison: string])[] {
  const layers = Object.keys(objectOf(config['layers']));
  const matrices = matricesOf(config);
  const deepIsDue = step % Number(config['expensive_check_interval']) === 0 || isEscalated(settings, measured);
  const fisher = settings.get('FullFisher');
  const fisherIsDue = step % (Number(fisher?.['every_epochs']) * Number(fisher?.['steps_per_epoch'])) === 0;
  const replays = canReplay && Number(objectOf(config['replay'])['per_step']) > 0;
  const stability = ['gradient norm', 'step size', ...(hasAverage ? ['loss'] : [])];
  const isFloored = Number(settings.get('WeightNormBound')?.['min_norm']) > 0;
  const atMost = (whats: readonly string[]): readonly string[] => whats.map((what) => `${what} at most`);
  const atLeast = (whats: readonly string[]): readonly string[] => whats.map((what) => `${what} at least`);
  const expected: Readonly<Record<string, () => readonly string[]>> = {
    LossStabilityBound: () => atMost([...stability, ...(replays ? stability.map((what) => `replayed ${what}`) : [])]),
    WeightNormBound: () => [...atMost(layers), ...(isFloored ? atLeast(layers) : [])],
    LipschitzBound: () => atMost(matrices.flatMap((name) => [`${name} estimate`, `${name} upper bound`])),
    CoherenceBound: () => atLeast(matrices),
    EnergyGate: () => atLeast(['energy']),
    PermutationEquivariance: () =>
      deepIsDue ? atMost(permutationsAt(step, settings.get('PermutationEquivariance'))) : [],
    FullFisher: () => (deepIsDue && fisherIsDue ? atMost(['interaction']) : []),
  };
  return Object.entries(expected).flatMap(([invariant, whats]) =>
    settings.has(invariant) ? whats().map((what) => [invariant, what] as const) : [],
  );
}

/** Whether the energy gate sent a step to the deep checks, whatever their interval. */
function isEscalated(settings: ReadonlyMap<string, JsonObject>, measured: readonly Measured[]): boolean {
  const gate = settings.get('EnergyGate');
  if (gate?.['escalation_tier'] !== 'deep') return false;
  return measured.some(({ invariant, value }) => invariant === 'EnergyGate' && value < Number(gate['min_energy']));
}

/** The parameters with two or more dimensions. */
function matricesOf(config: JsonObject): readonly string[] {
  return Object.entries(objectOf(config['parameters'])).flatMap(([name, shape]) => {
    const sizes = listOf(shape);
    return sizes.length > 1 && !sizes.includes(0) ? [name] : [];
  });
}

/** The permutations of a step, recomputed from their seed, so that a ledger cannot substitute others. */
function permutationsAt(step: number, settings: JsonObject = {}): readonly string[] {
  const [samples, nodes, seed] = ['samples', 'nodes', 'rng_seed'].map((key) => Number(settings[key]));
  if (samples === undefined || nodes === undefined || seed === undefined) return [];
  // A hostile configuration may ask for absurdly many.
  if (!(samples * nodes <= mostPermuted && Number.isSafeInteger(seed))) return [];
  return Array.from(
    { length: samples },
    (_, sample) => `permutation ${permutationHash(permutationAt(seed, (step - 1) * samples + sample, nodes))}`,
  );
}

/** The bound on the loss of each step, from the losses of the earlier steps of its task that changed the weights. */
function lossBounds(settings: JsonObject, config: JsonObject) {
  const [cap, window] = [Number(settings['spike_cap']), Number(settings['window'])];
  const starts = listOf(config['task_starts']).map(Number);
  let average: number | null = null;
  let task = 0;
  return {
    next({ step, verdict, loss }: StepRecord): number | null {
      const now = taskAt(starts, step) === task ? average : null;
      if (verdict !== 'refused') {
        average = now === null ? loss : now + (2 / (window + 1)) * (loss - now);
        task = taskAt(starts, step);
      }
      return now === null ? null : now + cap * Math.abs(now);
    },
  };
}

/** The setting that bounds each kind of comparison. A custom invariant's function sets its own bounds, which cannot be checked. */
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

/**
 * The norms of each layer's EWC anchors. The configuration has those of given tasks; those of a task that the run learned are what
 * WeightNormBound measured at the last step up to the task's end that changed the weights.
 */
function anchorNorms(config: JsonObject) {
  const tasks = listOf(objectOf(config['ewc'])['tasks']).map(objectOf);
  const ends = new Set(tasks.map(({ after }) => after));
  const known = tasks.flatMap(({ norms }) => (norms === undefined ? [] : [new Map(Object.entries(objectOf(norms)))]));
  let now: ReadonlyMap<string, JsonValue> | null = null;
  return {
    begin(step: number): void {
      if (now !== null && ends.has(step - 1)) known.push(new Map(now));
    },
    changed({ measured }: StepRecord): void {
      const own = measured.filter(({ invariant }) => invariant === 'WeightNormBound');
      now = new Map(own.map(({ what, value }) => [what, value]));
    },
    of: (layer: string): readonly number[] => known.map((norms) => Number(norms.get(layer))),
  };
}

function settingsOf(config: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(
    listOf(config['invariants'])
      .map(objectOf)
      .map(({ name, settings }) => [typeof name === 'string' ? name : '', objectOf(settings)]),
  );
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);

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
    `Step ${step} compares ${what} with a bound that differs from the configuration of ${invariant}.`,
    {
      position: step,
      expected: numbers.length === 0 ? 'no comparison' : numbers.join(' or '),
      actual: String(bound),
    },
  );
}
