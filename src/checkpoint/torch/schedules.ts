/**
 * The rates that PyTorch's schedulers give after any number of steps, from what their `state_dict()` holds. Most of them compute each
 * rate from the one before; these are the same functions in closed form.
 *
 * Source: PyTorch 1.13 and 2.13, torch/optim/lr_scheduler.py (`_get_closed_form_lr`, `get_lr`).
 */
import { entriesOf, isPickled, itemsOf, type Pickled } from '../../pickle/pickled.ts';
import type { OwnRate, Setting } from '../checkpoint.ts';

/** Its entries, with those of an empty state for anything else. */
interface State {
  readonly number: (key: string) => number;
  readonly items: (key: string) => readonly Pickled[];
  readonly text: (key: string) => Pickled;
}

/** NaN for what is not a number: the rates that depend on it are NaN, and are not judged. */
const asNumber = (value: Pickled | undefined): number => (typeof value === 'number' ? value : NaN);

function stateOf(entries: ReadonlyMap<Pickled, Pickled>): State {
  return {
    number: (key) => asNumber(entries.get(key)),
    items: (key) => itemsOf(entries.get(key)) ?? [],
    text: (key) => entries.get(key) ?? null,
  };
}

/** A group of parameters, as a schedule sees it. */
interface Group {
  /** Its entry in `base_lrs`. */
  readonly base: number;
  readonly index: number;
  readonly settings: ReadonlyMap<string, Setting>;
}

type Rate = (count: number, group: Group) => number;

/** Null where the state does not determine the rates. */
type Closed = (state: State, entries: ReadonlyMap<Pickled, Pickled>, depth: number) => Rate | null;

const share = (count: number, total: number): number => Math.min(count, total) / total;

const cosine = (from: number, to: number, part: number): number =>
  to + ((from - to) * (1 + Math.cos(Math.PI * part))) / 2;

/** How many of the milestones have been reached. */
const reached = (milestones: readonly number[], count: number): number =>
  milestones.filter((milestone) => milestone <= count).length;

/** Milestones, phases and parts beyond these are not looked at: each rate would take as long. */
const most = { milestones: 1000, phases: 8, parts: 32, depth: 2 } as const;

const schedules: Readonly<Record<string, Closed>> = {
  ConstantLR: ({ number }) => {
    const [factor, total] = [number('factor'), number('total_iters')];
    return (count, { base }) => base * (count < total ? factor : 1);
  },
  LinearLR: ({ number }) => {
    const [start, end, total] = [number('start_factor'), number('end_factor'), number('total_iters')];
    return (count, { base }) => base * (start + (end - start) * share(count, total));
  },
  PolynomialLR: ({ number }) => {
    const [power, total] = [number('power'), number('total_iters')];
    return (count, { base }) => base * (1 - share(count, total)) ** power;
  },
  ExponentialLR: ({ number }) => {
    const gamma = number('gamma');
    return (count, { base }) => base * gamma ** count;
  },
  StepLR: ({ number }) => {
    const [gamma, size] = [number('gamma'), number('step_size')];
    return (count, { base }) => base * gamma ** Math.floor(count / size);
  },
  MultiStepLR: ({ number }, entries) => {
    const [gamma, milestones] = [number('gamma'), counted(entries.get('milestones'))];
    return milestones && ((count, { base }) => base * gamma ** reached(milestones, count));
  },
  CosineAnnealingLR: ({ number }) => {
    const [least, total] = [number('eta_min'), number('T_max')];
    return (count, { base }) => cosine(base, least, count / total);
  },
  CosineAnnealingWarmRestarts: ({ number }) => {
    const [least, first, factor] = [number('eta_min'), number('T_0'), number('T_mult')];
    // `step(epoch + share)` stops between two counts.
    if (!Number.isSafeInteger(number('T_cur'))) return null;
    return (count, { base }) => cosine(base, least, shareOfCycle(count, first, factor));
  },
  OneCycleLR: (state) => oneCycle(state),
  CyclicLR: (state) => cyclic(state),
  SequentialLR: ({ items }, _, depth) => {
    const milestones = items('_milestones').map(asNumber);
    if (milestones.length >= most.parts || depth >= most.depth) return null;
    const parts = items('_schedulers')
      .slice(0, most.parts)
      .map((one) => ownRate(entriesOf(one), depth + 1));
    if (parts.length !== milestones.length + 1 || parts.includes(null)) return null;
    return (count, { index, settings }) => {
      const at = reached(milestones, count);
      return parts[at]?.(count - (milestones[at - 1] ?? 0), index, settings) ?? NaN;
    };
  },
};

function shareOfCycle(count: number, first: number, factor: number): number {
  if (!(first >= 1 && Number.isSafeInteger(factor) && factor >= 1)) return NaN;
  if (factor === 1) return (count % first) / first;
  let [left, length] = [count, first];
  while (left >= length) [left, length] = [left - length, length * factor];
  return left / length;
}

/** The elements of a `Counter`; null if there are too many. */
function counted(value: Pickled | undefined): readonly number[] | null {
  const inner = isPickled(value, 'call') ? (itemsOf(value.arguments)?.[0] ?? null) : value;
  const found: number[] = [];
  for (const [milestone, times] of entriesOf(inner) ?? []) {
    if (typeof milestone !== 'number' || !(asNumber(times) + found.length <= most.milestones)) return null;
    for (let i = 0; i < asNumber(times); i++) found.push(milestone);
  }
  return found;
}

/** Its phases name the settings of the group that they lead from and to. */
function oneCycle({ items, number, text }: State): Rate | null {
  const phases = items('_schedule_phases').map((phase) => entriesOf(phase));
  const anneal = text('_anneal_func_type') ?? methodIn(text('anneal_func'));
  const isLinear = anneal === 'linear' || anneal === '_annealing_linear';
  if (!isLinear && anneal !== 'cos' && anneal !== '_annealing_cos') return null;
  if (phases.length > most.phases) return null;
  return (count, { settings }) => {
    if (count > number('total_steps')) return NaN;
    let start = 0;
    for (const [i, phase] of phases.entries()) {
      const end = asNumber(phase?.get('end_step'));
      if (count <= end || i === phases.length - 1) {
        const setting = (key: string): number => {
          const name = phase?.get(key);
          return typeof name === 'string' ? asNumber(settings.get(name)) : NaN;
        };
        const [from, to, part] = [setting('start_lr'), setting('end_lr'), (count - start) / (end - start)];
        return isLinear ? from + (to - from) * part : cosine(from, to, part);
      }
      start = end;
    }
    return NaN;
  };
}

/** Before 2.0 the state has the method itself, which is pickled as `getattr(scheduler, '_annealing_cos')`. */
const methodIn = (value: Pickled): Pickled =>
  isPickled(value, 'call') ? (itemsOf(value.arguments)?.[1] ?? null) : null;

function cyclic({ items, number, text }: State): Rate | null {
  const tops = items('max_lrs').map(asNumber);
  const [size, ratio, gamma, mode] = [number('total_size'), number('step_ratio'), number('gamma'), text('mode')];
  const scales: Readonly<Record<string, (cycle: number, count: number) => number>> = {
    triangular: () => 1,
    triangular2: (cycle) => 2 ** (1 - cycle),
    exp_range: (_, count) => gamma ** count,
  };
  const scale = typeof mode === 'string' && Object.hasOwn(scales, mode) ? scales[mode] : undefined;
  if (scale === undefined || text('_scale_fn_custom') !== null) return null;
  return (count, { base, index }) => {
    const top = tops[index] ?? NaN;
    const cycle = Math.floor(1 + count / size);
    const part = 1 + count / size - cycle;
    const height = part <= ratio ? part / ratio : (part - 1) / (ratio - 1);
    return base + (top - base) * height * scale(cycle, count);
  };
}

/** Keys that only the state of one class has. */
const kinds: readonly (readonly [key: string, kind: string])[] = [
  ['lr_lambdas', 'LambdaLR'],
  ['num_bad_epochs', 'ReduceLROnPlateau'],
  ['_schedule_phases', 'OneCycleLR'],
  ['T_max', 'CosineAnnealingLR'],
  ['T_0', 'CosineAnnealingWarmRestarts'],
  ['_milestones', 'SequentialLR'],
  ['_schedulers', 'ChainedScheduler'],
  ['milestones', 'MultiStepLR'],
  ['step_size', 'StepLR'],
  ['start_factor', 'LinearLR'],
  ['power', 'PolynomialLR'],
  ['total_size', 'CyclicLR'],
  ['gamma', 'ExponentialLR'],
  ['total_iters', 'ConstantLR'],
];

/** PyTorch's class, as far as the keys of a state show it. */
export const kindOf = (entries: ReadonlyMap<Pickled, Pickled> | null): string | null =>
  kinds.find(([key]) => entries?.has(key))?.[1] ?? null;

/** The rates that follow from the state; null if they do not (functions of the run, measured values, chains). */
export function ownRate(entries: ReadonlyMap<Pickled, Pickled> | null, depth = 0): OwnRate | null {
  const kind = kindOf(entries);
  if (entries === null || kind === null || !Object.hasOwn(schedules, kind)) return null;
  const rate = schedules[kind]?.(stateOf(entries), entries, depth) ?? null;
  const bases = (itemsOf(entries.get('base_lrs')) ?? []).map(asNumber);
  return rate && ((count, index, settings) => rate(count, { base: bases[index] ?? NaN, index, settings }));
}
