/** What a checkpoint holds: everything that the next step of a training run depends on. */
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { closest, quoted } from '../../base/text.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { NamedTensor } from '../../tensors/safetensors.ts';
import { holdsType, typeOfArray } from '../../tensors/typed-arrays.ts';

/** Where the run stopped. */
export interface TrainingPosition {
  /** Optimizer steps taken. */
  readonly step: number;
  readonly epoch: number;
  /** The index, in its epoch, of the next batch to train on. */
  readonly nextBatch: number;
  /** Batches whose gradients are summed for the next step; 0 between two steps. */
  readonly accumulated: number;
}

/** A training run between two batches. */
export interface TrainingState {
  readonly position: TrainingPosition;
  readonly weights: readonly NamedTensor[];
  /** Moments, momentum buffers and the like; empty for an optimizer that keeps none. */
  readonly optimizer?: readonly NamedTensor[];
  /** The sum of the gradients of `position.accumulated` batches; required if that is not 0. */
  readonly gradients?: readonly NamedTensor[];
  /** Any other arrays: averaged weights, anchors, buffers. */
  readonly others?: readonly NamedTensor[];
  /** The last losses by name; they may be NaN or infinite. */
  readonly losses?: Readonly<Record<string, number>>;
  /** The optimizer's numbers besides its arrays, such as its step and hyperparameters. */
  readonly optimizerNumbers?: JsonObject;
  readonly scheduler?: JsonObject;
  readonly scaler?: JsonObject;
  /** Every stream of random numbers by name: data order, dropout, one per worker or device. */
  readonly random?: Readonly<Record<string, JsonValue>>;
  /** Digests by name of what must not change across a resume: configuration, data, tokenizer. */
  readonly digests?: Readonly<Record<string, string>>;
  /** Versions by name: this package, the runtime, libraries. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Anything else. */
  readonly extra?: JsonObject;
}

/** The parts of a state that are tensors, each a file of its own. */
export const tensorParts = ['weights', 'optimizer', 'gradients', 'others'] as const;

/** The name of such a part. */
export type TensorPart = (typeof tensorParts)[number];

/** Deep enough for any state, and far below what overflows a stack. */
const deepest = 100;

/** All keys of a state and of its position. */
const stateKeys: Readonly<Record<keyof TrainingState, true>> = {
  position: true,
  weights: true,
  optimizer: true,
  gradients: true,
  others: true,
  losses: true,
  optimizerNumbers: true,
  scheduler: true,
  scaler: true,
  random: true,
  digests: true,
  versions: true,
  extra: true,
};
const positionKeys: Readonly<Record<keyof TrainingPosition, true>> = {
  step: true,
  epoch: true,
  nextBatch: true,
  accumulated: true,
};

/** A key that would not be saved, with the one that was probably meant; null if there is none. */
function unknownKey(value: object, known: object, at: string): string | null {
  const key = Object.keys(value).find((one) => !Object.hasOwn(known, one));
  if (key === undefined) return null;
  const near = closest(key, Object.keys(known));
  return `${at} has a key ${quoted(key)}, which a checkpoint does not hold${near === null ? '; anything else belongs in extra or others' : `: did you mean ${near}?`}`;
}

/** PV-8540 for a state that a checkpoint could not give back as it is. */
export function checkState(state: TrainingState): Result<void, Problem> {
  const fault = positionFault(state) ?? accumulationFault(state);
  if (fault !== null) return unusable(fault);
  for (const part of tensorParts) {
    const tensors = tensorsFault(state[part] ?? []);
    if (tensors !== null) return unusable(`${part}: ${tensors}`);
  }
  const { optimizerNumbers, scheduler, scaler, random, digests, versions, extra } = state;
  for (const [key, value] of Object.entries({
    optimizerNumbers,
    scheduler,
    scaler,
    random,
    digests,
    versions,
    extra,
  })) {
    const json = value === undefined ? null : jsonFault(value, key, 0);
    if (json !== null) return unusable(json);
  }
  for (const [name, loss] of Object.entries(state.losses ?? {}))
    if (typeof loss !== 'number') return unusable(`losses.${name} is not a number`);
  return ok(undefined);
}

/** What is wrong with the keys or the position; null if nothing is. */
function positionFault(state: TrainingState): string | null {
  // Callers in JavaScript have no types.
  const given: unknown = Object(state).position;
  if (typeof given !== 'object' || given === null) return 'position is missing';
  const unknown = unknownKey(state, stateKeys, 'the state') ?? unknownKey(given, positionKeys, 'position');
  if (unknown !== null) return unknown;
  for (const name of Object.keys(positionKeys) as (keyof TrainingPosition)[]) {
    const value = state.position[name];
    if (!Number.isSafeInteger(value) || value < 0)
      return `position.${name} is ${String(value)}; it must be a whole number ≥ 0`;
  }
  return null;
}

function accumulationFault({ position: { accumulated }, gradients = [] }: TrainingState): string | null {
  if (accumulated > 0 && gradients.length === 0)
    return (
      `position.accumulated is ${accumulated}, but there are no gradients: without their sum, a resumed run would lose ` +
      `${accumulated === 1 ? 'a batch' : `${accumulated} batches`}. Pass it as gradients, or save between two steps`
    );
  if (accumulated === 0 && gradients.length > 0)
    return 'there are gradients, but position.accumulated is 0: pass the number of batches that they sum';
  return null;
}

function tensorsFault(tensors: readonly NamedTensor[]): string | null {
  const names = new Set<string>();
  for (const { name, shape, data, dtype } of tensors) {
    if (name === '__metadata__') return 'safetensors reserves the name __metadata__';
    if (!isUnicode(name)) return `the name ${quoted(name)} is not Unicode text`;
    if (names.has(name)) return `there are two tensors named ${quoted(name)}`;
    names.add(name);
    if (typeOfArray(data) === null) return `${quoted(name)} is not a typed array`;
    if (dtype !== undefined && !holdsType(data, dtype))
      return `${quoted(name)} is of type ${dtype}, which a ${data.constructor.name} does not hold`;
    const size = shape.reduce((product, n) => product * n, 1);
    if (size !== data.length || !shape.every((n) => Number.isSafeInteger(n) && n >= 0))
      return `${quoted(name)} has the shape [${shape.join(', ')}] but ${data.length} elements`;
  }
  return null;
}

/** What in a value JSON cannot represent; null if it can. */
function jsonFault(value: unknown, at: string, depth: number): string | null {
  if (depth > deepest) return `${at} is nested more than ${deepest} deep`;
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : `${at} is ${value}, which JSON cannot represent`;
  if (typeof value === 'string') return isUnicode(value) ? null : `${at} is not Unicode text`;
  if (typeof value !== 'object') return `${at} is a ${typeof value}, which JSON cannot represent`;
  if (!Array.isArray(value) && !isPlain(value))
    return `${at} is a ${value.constructor?.name ?? 'value'}, which JSON cannot represent: pass tensors as others`;
  for (const [key, member] of Object.entries(value)) {
    if (!isUnicode(key)) return `a key of ${at} is not Unicode text`;
    const fault = jsonFault(member, `${at}.${key}`, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

/** Whether an object is a literal or has no prototype; those of another realm have an `Object.prototype` of their own. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a text has no lone surrogates, which UTF-8 cannot encode. */
const isUnicode = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/** PV-8540 also for a state without weights, from which nothing could be resumed. */
export function checkToSave(state: TrainingState): Result<void, Problem> {
  const sound = checkState(state);
  if (!sound.ok) return sound;
  return Array.isArray(state.weights) && state.weights.length > 0
    ? sound
    : unusable('it has no weights; pass the tensors of the model as weights');
}

const unusable = (why: string): Result<never, Problem> =>
  wrong('PV-8540', 'state', `The checkpoint was not saved: ${why}.`);
