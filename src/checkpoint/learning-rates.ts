/**
 * The learning rates of transformers' schedules, computed as its Python does, operation by operation.
 *
 * Source: huggingface/transformers 4.x, src/transformers/optimization.py (`_get_*_schedule_with_warmup_lr_lambda`).
 */
import type { Checkpoint, Setting } from './checkpoint.ts';

/** What a schedule depends on. */
interface Terms {
  readonly step: number;
  readonly warmup: number;
  readonly total: number;
  /** `num_cycles`, where the configuration gives one. */
  readonly cycles: number | null;
}

type Factor = (terms: Terms) => number;

const progress = ({ step, warmup, total }: Terms): number => (step - warmup) / Math.max(1, total - warmup);

/** Python's `max(0.0, x)`. */
const notNegative = (x: number): number => (x > 0 ? x : 0);

const ramp =
  (after: Factor): Factor =>
  (terms) =>
    terms.step < terms.warmup ? terms.step / Math.max(1, terms.warmup) : after(terms);

/** By the value of `lr_scheduler_type`: the factor of the peak. */
const factors: Readonly<Record<string, Factor>> = {
  constant: () => 1,
  constant_with_warmup: ({ step, warmup }) => (step < warmup ? step / Math.max(1, warmup) : 1),
  linear: ramp(({ step, warmup, total }) => notNegative((total - step) / Math.max(1, total - warmup))),
  cosine: ramp((terms) => notNegative(0.5 * (1 + Math.cos(Math.PI * (terms.cycles ?? 0.5) * 2 * progress(terms))))),
  cosine_with_restarts: ramp((terms) =>
    progress(terms) >= 1
      ? 0
      : notNegative(0.5 * (1 + Math.cos(Math.PI * (((terms.cycles ?? 1) * progress(terms)) % 1)))),
  ),
  inverse_sqrt: ({ step, warmup }) => {
    const scale = warmup || 10_000;
    return step < warmup ? step / Math.max(1, warmup) : 1 / Math.sqrt((step + (scale - warmup)) / scale);
  },
};

/** The schedule of a run, from its configuration. */
export interface Schedule {
  readonly kind: string;
  readonly peak: number;
  readonly warmup: number;
  readonly total: number;
  /** The learning rate after `step` steps of the scheduler; `from` is the peak where a group has its own. */
  readonly at: (step: number, from?: number) => number;
}

/** Settings of one schedule, by name. */
const kwargs = 'lr_scheduler_kwargs.';
const knownKwargs = [`${kwargs}num_cycles`];

/** The schedule that the settings describe; otherwise what is missing. */
export function scheduleOf(
  settings: ReadonlyMap<string, Setting>,
  maxSteps: number | null,
): Schedule | { readonly missing: string } {
  const kind = settings.get('lr_scheduler_type');
  const peak = settings.get('learning_rate');
  if (typeof kind !== 'string' || typeof peak !== 'number')
    return { missing: 'no settings with lr_scheduler_type and learning_rate were saved' };
  const factor = Object.hasOwn(factors, kind) ? factors[kind] : undefined;
  if (factor === undefined) return { missing: `pv does not know the schedule ${JSON.stringify(kind)}` };
  const extra = [...settings.keys()].find((key) => key.startsWith(kwargs) && !knownKwargs.includes(key));
  if (extra !== undefined) return { missing: `pv does not know ${extra} of ${kind}` };
  if (maxSteps === null) return { missing: 'the number of steps of the whole run is unknown' };
  const warmup = warmupOf(settings, maxSteps);
  const given = settings.get(`${kwargs}num_cycles`);
  const cycles = typeof given === 'number' ? given : null;
  return {
    kind,
    peak,
    warmup,
    total: maxSteps,
    at: (step, from = peak) => from * factor({ step, warmup, total: maxSteps, cycles }),
  };
}

/**
 * The schedule of a checkpoint. The settings do not describe a scheduler that was passed to the Trainer, which their author built: it is
 * of another class than the Trainer's.
 */
export function scheduleIn({
  settings,
  position,
  scheduler,
}: Pick<Checkpoint, 'settings' | 'position' | 'scheduler'>): ReturnType<typeof scheduleOf> {
  const kind = scheduler?.kind ?? 'LambdaLR';
  if (kind === 'ReduceLROnPlateau')
    return { missing: 'the rates of ReduceLROnPlateau follow what the run measured, which no configuration gives' };
  if (kind !== 'LambdaLR')
    return {
      missing: `the scheduler that was saved is a ${kind}, which the run built itself: its settings do not say how`,
    };
  return scheduleOf(settings, position?.maxSteps ?? null);
}

/** The rates that a scheduler gives by its own state, which holds its settings. */
export interface OwnSchedule {
  /** PyTorch's class. */
  readonly kind: string;
  /** How often it was stepped. */
  readonly count: number;
  /** The rate of each group of the optimizer after as many steps; NaN where the schedule has ended. */
  readonly groups: readonly ((count: number) => number)[];
}

/** Null where no scheduler was saved, or where its state does not determine its rates, as that of a `LambdaLR` does not. */
export function ownScheduleIn({
  scheduler,
  optimizer,
}: Pick<Checkpoint, 'scheduler' | 'optimizer'>): OwnSchedule | null {
  const own = scheduler?.own;
  if (scheduler === null || own === undefined) return null;
  const { kind = 'scheduler', lastEpoch: count } = scheduler;
  // Of several optimizers, it is not known which one it steps.
  const groups = optimizer?.optimizers === undefined ? (optimizer?.groups ?? []) : [];
  const settings = groups.map((group) => group.settings ?? new Map<string, Setting>());
  const rates = scheduler.learningRates.map((_, i) => (steps: number) => own(steps, i, settings[i] ?? new Map()));
  const isKnown = rates.length > 0 && rates.every((rate) => Number.isFinite(rate(count)));
  return isKnown ? { kind, count, groups: rates } : null;
}

/** `TrainingArguments.get_warmup_steps`: a number of steps comes before a ratio. */
function warmupOf(settings: ReadonlyMap<string, Setting>, total: number): number {
  const [steps, ratio] = [settings.get('warmup_steps'), settings.get('warmup_ratio')];
  if (typeof steps === 'number' && steps >= 1) return steps;
  // Newer versions take a share below 1 in warmup_steps too.
  const share = typeof steps === 'number' && steps > 0 ? steps : ratio;
  return typeof share === 'number' ? Math.ceil(total * share) : 0;
}
