import { describe, expect, it } from 'vitest';
import {
  FEDLEARN_CLIP_NORM_DEFAULT,
  FEDLEARN_DP_NOISE_SCALE_DEFAULT,
  FEDLEARN_MAX_LORA_RANK,
  FEDLEARN_MAX_LORA_TARGET_MODULES,
  FEDLEARN_MAX_PARTICIPANTS,
  FEDLEARN_MAX_TRAIN_STEPS,
  FEDLEARN_MIN_PARTICIPANTS,
  FEDLEARN_SUBMISSION_MAX_BYTES,
  fedLearnConfig,
} from '../../src/federated/config.ts';
import { fedCodes } from '../../src/federated/fed-code.ts';
import { good } from './nodes.ts';

describe('the names of the specification', () => {
  it('are constants with its values', () => {
    expect([
      FEDLEARN_MAX_LORA_RANK,
      FEDLEARN_MAX_LORA_TARGET_MODULES,
      FEDLEARN_MAX_TRAIN_STEPS,
      FEDLEARN_MAX_PARTICIPANTS,
      FEDLEARN_MIN_PARTICIPANTS,
      FEDLEARN_DP_NOISE_SCALE_DEFAULT,
      FEDLEARN_CLIP_NORM_DEFAULT,
      FEDLEARN_SUBMISSION_MAX_BYTES,
    ]).toEqual([64, 8, 1000, 32, 3, 0, 1, 67_108_864]);
  });

  it('are codes, each with its meaning', () => {
    expect(Object.keys(fedCodes)).toEqual(
      expect.arrayContaining([
        'experimental_disabled',
        'signature_invalid',
        'base_model_mismatch',
        'insufficient_resources',
        'consent_required',
        'round_full',
        'round_closed',
        'delta_invalid',
        'fedlearn_aggregation_failed',
        'fedlearn_min_participants_unmet',
        'fedlearn_aggregator_unreachable',
        'adapter_not_found',
      ]),
    );
    for (const meaning of Object.values(fedCodes)) expect(meaning).toMatch(/^[A-Z].*[.]$/);
  });
});

describe('the configuration', () => {
  it('has the defaults of the specification, and is off', () => {
    expect(good(fedLearnConfig())).toEqual({
      enabled: false,
      maxLoraRank: 64,
      maxLoraTargetModules: 8,
      maxTrainSteps: 1000,
      maxRoundParticipants: 32,
      minRoundParticipants: 3,
      dpNoiseScaleDefault: 0,
      clipNormDefault: 1,
      submissionMaxBytes: 64 * 2 ** 20,
      requireSecureAggregation: false,
      secureJoinSeconds: 300,
      secureStepSeconds: 60,
      autoApplyAggregated: false,
      privacyEpsilonBudget: null,
      privacyDelta: 1e-5,
      trainingVramBudgetMb: 8192,
      trainingDiskBudgetMb: 4096,
    });
  });

  it('refuses what no node can keep to', () => {
    for (const changes of [
      { maxLoraRank: 0 },
      { maxTrainSteps: 1.5 },
      { clipNormDefault: -1 },
      { trainingVramBudgetMb: Number.NaN },
      { minRoundParticipants: 33 },
      { privacyEpsilonBudget: 0 },
      { privacyDelta: 1 },
      { secureJoinSeconds: 0 },
      { secureStepSeconds: Number.NaN },
      { secureStepSeconds: 604_801 },
    ])
      expect(fedLearnConfig(changes).ok).toBe(false);
  });
});
