/** The limits of a node: the constants of the specification, and the configuration that may narrow or widen them. */
import type { JsonValue } from '../base/canonical-json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { count, flag, number, orNull, recordCodec, wireName } from './wire/codec.ts';

/** Largest rank of an adapter. */
export const FEDLEARN_MAX_LORA_RANK = 64;
/** Most linear layers that may carry an adapter. */
export const FEDLEARN_MAX_LORA_TARGET_MODULES = 8;
/** Most local optimizer steps of one participant in one round. */
export const FEDLEARN_MAX_TRAIN_STEPS = 1000;
/** Most participants of one round. */
export const FEDLEARN_MAX_PARTICIPANTS = 32;
/** Fewest participants of one round. */
export const FEDLEARN_MIN_PARTICIPANTS = 3;
/** Standard deviation of the noise that a manifest draft gets by default; 0 is off. */
export const FEDLEARN_DP_NOISE_SCALE_DEFAULT = 0;
/** L2 norm that a manifest draft clips to by default. */
export const FEDLEARN_CLIP_NORM_DEFAULT = 1;
/** Largest submission: 64 MiB. */
export const FEDLEARN_SUBMISSION_MAX_BYTES = 64 * 1024 * 1024;

/** What one node allows. The switch is off unless a person turns it on. */
export interface FedLearnConfig {
  /** The master switch. While it is off, every capability answers `experimental_disabled`, queries included. */
  readonly enabled: boolean;
  readonly maxLoraRank: number;
  readonly maxLoraTargetModules: number;
  readonly maxTrainSteps: number;
  readonly maxRoundParticipants: number;
  readonly minRoundParticipants: number;
  readonly dpNoiseScaleDefault: number;
  readonly clipNormDefault: number;
  /** In bytes. */
  readonly submissionMaxBytes: number;
  /** Refuses manifests without secure aggregation. */
  readonly requireSecureAggregation: boolean;
  /** How long a secure round of this node takes participants, at most; fewer where it is full before. */
  readonly secureJoinSeconds: number;
  /** How long a step of keys or shares of such a round waits for those who have not answered, at most. */
  readonly secureStepSeconds: number;
  /** Applies the aggregate of a joined round to the session when the round completes. */
  readonly autoApplyAggregated: boolean;
  /** The largest ε that this node's data may cost over all rounds, at `privacyDelta`; null to join rounds whatever they cost together. */
  readonly privacyEpsilonBudget: number | null;
  /** Above 0, below 1. */
  readonly privacyDelta: number;
  /** In MB (10⁶ bytes). */
  readonly trainingVramBudgetMb: number;
  /** In MB (10⁶ bytes). */
  readonly trainingDiskBudgetMb: number;
}

const defaults: FedLearnConfig = {
  enabled: false,
  maxLoraRank: FEDLEARN_MAX_LORA_RANK,
  maxLoraTargetModules: FEDLEARN_MAX_LORA_TARGET_MODULES,
  maxTrainSteps: FEDLEARN_MAX_TRAIN_STEPS,
  maxRoundParticipants: FEDLEARN_MAX_PARTICIPANTS,
  minRoundParticipants: FEDLEARN_MIN_PARTICIPANTS,
  dpNoiseScaleDefault: FEDLEARN_DP_NOISE_SCALE_DEFAULT,
  clipNormDefault: FEDLEARN_CLIP_NORM_DEFAULT,
  submissionMaxBytes: FEDLEARN_SUBMISSION_MAX_BYTES,
  requireSecureAggregation: false,
  secureJoinSeconds: 300,
  secureStepSeconds: 60,
  autoApplyAggregated: false,
  privacyEpsilonBudget: null,
  privacyDelta: 1e-5,
  trainingVramBudgetMb: 8192,
  trainingDiskBudgetMb: 4096,
};

const atLeastOne = [
  'maxLoraRank',
  'maxLoraTargetModules',
  'maxTrainSteps',
  'maxRoundParticipants',
  'minRoundParticipants',
  'submissionMaxBytes',
] as const satisfies readonly (keyof FedLearnConfig)[];

const notNegative = [
  'dpNoiseScaleDefault',
  'clipNormDefault',
  'trainingVramBudgetMb',
  'trainingDiskBudgetMb',
] as const satisfies readonly (keyof FedLearnConfig)[];

/** A week. */
const longestStepSeconds = 604_800;

/** The defaults with `changes`; an error names the field that no node can keep to. */
export function fedLearnConfig(changes: Partial<FedLearnConfig> = {}): Result<FedLearnConfig, string> {
  const config = { ...defaults, ...changes };
  for (const name of atLeastOne)
    if (!Number.isSafeInteger(config[name]) || config[name] < 1)
      return err(`${wireName(name)} must be a whole number from 1`);
  for (const name of notNegative)
    if (!Number.isFinite(config[name]) || config[name] < 0) return err(`${wireName(name)} must be a number from 0`);
  for (const name of ['secureJoinSeconds', 'secureStepSeconds'] as const)
    if (!(config[name] > 0 && config[name] <= longestStepSeconds))
      return err(`${wireName(name)} must be a number above 0 and up to ${longestStepSeconds}`);
  const { privacyEpsilonBudget: budget, privacyDelta } = config;
  if (budget !== null && !(budget > 0 && budget < Infinity))
    return err('privacy_epsilon_budget must be a number above 0');
  if (!(privacyDelta > 0 && privacyDelta < 1)) return err('privacy_delta must be above 0 and below 1');
  if (config.minRoundParticipants > config.maxRoundParticipants)
    return err('min_round_participants is above max_round_participants');
  return ok(config);
}

const onWire = recordCodec<FedLearnConfig>({
  enabled: flag,
  maxLoraRank: count,
  maxLoraTargetModules: count,
  maxTrainSteps: count,
  maxRoundParticipants: count,
  minRoundParticipants: count,
  dpNoiseScaleDefault: number,
  clipNormDefault: number,
  submissionMaxBytes: count,
  requireSecureAggregation: flag,
  secureJoinSeconds: number,
  secureStepSeconds: number,
  autoApplyAggregated: flag,
  trainingVramBudgetMb: number,
  trainingDiskBudgetMb: number,
  privacyEpsilonBudget: orNull(number),
  privacyDelta: number,
});

/**
 * The configuration as it is written in a file: the fields of the specification by their own names, those that are left out at their
 * defaults; or `true`, which turns the switch on and leaves the rest. An error names the first field at fault.
 */
export function readFedLearnConfig(value: JsonValue, at: string): Result<FedLearnConfig, string> {
  if (typeof value === 'boolean') return fedLearnConfig({ enabled: value });
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return err(`${at} is not true, false or a mapping`);
  const read = onWire.decode({ ...onWire.encode(defaults), ...value }, at);
  if (!read.ok) return read;
  const config = fedLearnConfig(read.value);
  return config.ok ? config : err(`${at}.${config.error}`);
}
