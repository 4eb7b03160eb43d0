/** `state.json`: everything of a training state that is not a tensor, as RFC 8785 canonical JSON. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonObject, type JsonValue } from '../../base/canonical-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { count, finite, mapping, oneOf, record, text, type Decoder } from '../../evidence/decoder.ts';
import type { TensorPart, TrainingPosition, TrainingState } from './training-state.ts';

/** The version of the schema. A reader refuses others. */
const stateFormat = 'pv-checkpoint-state/1';

/** A training state without its tensors. */
export type ScalarState = Omit<TrainingState, TensorPart>;

interface StateFile {
  readonly format: typeof stateFormat;
  readonly position: {
    readonly step: number;
    readonly epoch: number;
    readonly next_batch: number;
    readonly accumulated: number;
  };
  readonly losses: Readonly<Record<string, number>>;
  readonly optimizer?: JsonObject;
  readonly scheduler?: JsonObject;
  readonly scaler?: JsonObject;
  readonly random: Readonly<Record<string, JsonValue>>;
  readonly digests: Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly extra: JsonObject;
}

/** The keys of an object may be any; its values came from JSON. */
const json: Decoder<JsonObject> = (value, at) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ok(value as JsonObject)
    : err(`${at} is not a record`);

/** Numbers that JSON has no words for. */
const words: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };

const loss: Decoder<number> = (value, at) =>
  typeof value === 'string' && Object.hasOwn(words, value) ? ok(words[value] ?? NaN) : finite(value, at);

const wordOf = (value: number): JsonValue =>
  Object.entries(words).find(([, special]) => Object.is(special, value))?.[0] ?? value;

const stateFile: Decoder<StateFile> = record<StateFile>(
  {
    format: oneOf(stateFormat),
    position: record<StateFile['position']>({ step: count, epoch: count, next_batch: count, accumulated: count }),
    losses: mapping(loss),
    optimizer: json,
    scheduler: json,
    scaler: json,
    random: json,
    digests: mapping(text),
    versions: mapping(text),
    extra: json,
  },
  ['optimizer', 'scheduler', 'scaler'],
);

/** The bytes of the file. The state has passed `checkState`. */
export function writeStateFile(state: ScalarState): Uint8Array {
  const { position, optimizerNumbers, scheduler, scaler } = state;
  return utf8ToBytes(
    canonicalJson({
      format: stateFormat,
      position: positionJson(position),
      losses: Object.fromEntries(Object.entries(state.losses ?? {}).map(([name, value]) => [name, wordOf(value)])),
      ...(optimizerNumbers && { optimizer: optimizerNumbers }),
      ...(scheduler && { scheduler }),
      ...(scaler && { scaler }),
      random: state.random ?? {},
      digests: state.digests ?? {},
      versions: state.versions ?? {},
      extra: state.extra ?? {},
    }),
  );
}

const positionJson = ({
  step,
  epoch,
  nextBatch,
  accumulated,
}: TrainingPosition): StateFile['position'] & JsonObject => ({
  step,
  epoch,
  next_batch: nextBatch,
  accumulated,
});

/** Enough for the positions of many data workers. */
const mostKeys = 1_000_000;

/** Reads the file; an error says what is wrong with it. */
export function readStateFile(bytes: Uint8Array): Result<ScalarState, string> {
  const content = decodeUtf8(bytes);
  if (content === null) return err('state.json is not UTF-8');
  const parsed = parseStrictJson(content, 'state.json', mostKeys);
  if (!parsed.ok) return parsed;
  const decoded = stateFile(parsed.value, 'state.json');
  if (!decoded.ok) return decoded;
  const { format: _, position, optimizer, ...rest } = decoded.value;
  const { next_batch: nextBatch, ...counts } = position;
  return ok({ ...rest, position: { ...counts, nextBatch }, ...(optimizer && { optimizerNumbers: optimizer }) });
}
