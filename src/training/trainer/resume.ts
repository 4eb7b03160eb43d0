/** The state of a trainer as a checkpoint, from which another process continues with the same bits. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonObject, type JsonValue } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import { version } from '../../base/version.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { TrainingState } from '../../checkpoint/store/training-state.ts';
import { count, list, record, text, type Decoder } from '../../evidence/decoder.ts';
import type { NamedFloats, NamedTensor } from '../../tensors/safetensors.ts';
import { ledgerUpTo, readLedger, type LedgerFile } from '../ledger/read-ledger.ts';
import type { InvariantStats } from './gate.ts';
import { plain, progress } from './read-progress.ts';
import type { ResumeFrom } from './resume-from.ts';
import type { Kept } from './stepper.ts';

/** A run up to a checkpoint. */
export interface EarlierRun {
  readonly kept: Kept;
  readonly stats: readonly InvariantStats[];
  /** Up to the checkpoint's step. */
  readonly ledger: LedgerFile;
}

/** What is under `extra.trainer`. */
interface OfTrainer {
  readonly config: JsonObject;
  readonly invariants: readonly JsonObject[];
  readonly stats: readonly InvariantStats[];
}

const tiers: Decoder<readonly [number, number, number]> = (value, at) => {
  const counts = list(count, 3)(value, at);
  if (!counts.ok) return counts;
  const [reflex = 0, standard = 0, deep = 0] = counts.value;
  return ok([reflex, standard, deep]);
};

const ofTrainer: Decoder<OfTrainer> = record<OfTrainer>({
  config: plain,
  invariants: list(plain, 1000),
  stats: list(
    record<InvariantStats>({ name: text, checks: count, satisfied: count, overridden: count, tierDistribution: tiers }),
    100,
  ),
});

const prefixes = { weights: 'weights/', optimizer: 'optimizer/' } as const;

/** The state of a run between two steps. */
export function stateOfRun(
  { step, arrays, progress: { schedule, powers }, invariants }: Kept,
  config: { readonly json: JsonObject; readonly digest: Uint8Array },
  stats: readonly InvariantStats[],
): TrainingState {
  const part = (prefix: string): readonly NamedTensor[] =>
    arrays
      .filter(({ name }) => name.startsWith(prefix))
      .map((one) => ({ ...one, name: one.name.slice(prefix.length), data: one.data.slice() }));
  const isOther = ({ name }: NamedFloats): boolean =>
    !Object.values(prefixes).some((prefix) => name.startsWith(prefix));
  return {
    position: { step, epoch: 0, nextBatch: step, accumulated: 0 },
    weights: part(prefixes.weights),
    optimizer: part(prefixes.optimizer),
    others: arrays.filter(isOther).map((one) => ({ ...one, data: one.data.slice() })),
    optimizerNumbers: { powers },
    scheduler: { ...schedule },
    digests: { config: bytesToHex(config.digest) },
    versions: { 'provable-contracts': version },
    extra: { trainer: { config: config.json, invariants, stats: stats.map((one) => ({ ...one })) } },
  };
}

/** Reads where a run continues; PV-8546 if checkpoint, ledger and settings do not belong together. */
export function readResume(
  { state, ledger: content }: ResumeFrom,
  config: { readonly json: JsonObject; readonly digest: Uint8Array },
): Result<EarlierRun, Problem> {
  const decoded = ofTrainer(state.extra?.['trainer'], 'extra.trainer');
  const numbers = progress({ schedule: state.scheduler, ...state.optimizerNumbers }, 'state');
  if (!decoded.ok) return cannot(`It is not the checkpoint of a verified trainer: ${decoded.error}`);
  if (!numbers.ok) return cannot(`It is not the checkpoint of a verified trainer: ${numbers.error}`);
  const differing = firstDifference(decoded.value.config, config.json);
  if (differing !== null)
    return cannot(`The run was started with another ${quoted(differing)}; resume it with the settings that it had`);
  const { step } = state.position;
  const ledger = readLedger(ledgerUpTo(content, step));
  if (!ledger.ok) return ledger;
  if (ledger.value.records.length < step)
    return cannot(`The ledger ends after step ${ledger.value.records.length}, before the checkpoint's step ${step}`);
  if (bytesToHex(ledger.value.config) !== bytesToHex(config.digest))
    return cannot('The ledger is that of a run with other settings');
  const arrays: NamedFloats[] = [];
  const parts = [
    [prefixes.weights, state.weights],
    [prefixes.optimizer, state.optimizer ?? []],
    ['', state.others ?? []],
  ] as const;
  for (const [prefix, tensors] of parts)
    for (const { name, shape, data } of tensors) {
      if (!(data instanceof Float32Array)) return cannot(`${quoted(name)} is not float32`);
      arrays.push({ name: prefix + name, shape, data });
    }
  const { invariants, stats } = decoded.value;
  return ok({ kept: { step, arrays, progress: numbers.value, invariants }, stats, ledger: ledger.value });
}

/** The first key at which two configurations differ; null if they are the same. */
function firstDifference(a: JsonObject, b: JsonObject): string | null {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted();
  return keys.find((key) => textOf(a[key]) !== textOf(b[key])) ?? null;
}

const textOf = (value: JsonValue | undefined): string => (value === undefined ? '' : canonicalJson(value));

/** PV-8546. */
export const cannot = (why: string): Result<never, Problem> =>
  wrong('PV-8546', 'resume', `The run cannot be resumed. ${why}.`);
