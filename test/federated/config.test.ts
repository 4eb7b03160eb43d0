import { describe, expect, it } from 'vitest';
import { fedLearnConfig } from '../../src/federated/config.ts';
import { good } from './nodes.ts';

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
      autoApplyAggregated: false,
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
    ])
      expect(fedLearnConfig(changes).ok).toBe(false);
  });
});
