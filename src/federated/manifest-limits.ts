/** The ranges of a manifest's fields, by a node's configuration and by each other. */
import type { FedLearnConfig } from './config.ts';
import type { RoundManifest } from './manifest.ts';
import { fixedPointOf } from './secure-plan.ts';
import { overflowFault } from './secure/fixed-point.ts';
import { mostShares } from './secure/shamir.ts';

type Check = (manifest: RoundManifest, config: FedLearnConfig) => string | null;

const smallestRank = 4;
/** Below it, weights would lose digits where they are summed. */
const leastReputation = 1e-6;
/** What clipping and noise compute with, in float32. */
const [leastScale, mostScale] = [1e-30, 1e30];
const between = (value: number, least: number, most: number): boolean => value >= least && value <= most;

const adapter: Check = (m, config) => {
  if (!between(m.loraRank, smallestRank, config.maxLoraRank))
    return `lora_rank must be from ${smallestRank} to ${config.maxLoraRank}`;
  const modules = m.loraTargetModules;
  if (!between(modules.length, 1, config.maxLoraTargetModules))
    return `lora_target_modules must name 1 to ${config.maxLoraTargetModules} layers`;
  if (new Set(modules).size < modules.length) return 'lora_target_modules names a layer twice';
  // They become parts of tensor names, and never of paths.
  if (!modules.every((name) => /^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$/.test(name)))
    return 'lora_target_modules may have letters, digits, underscores and single dots between them';
  if (!(m.loraAlpha > 0)) return 'lora_alpha must be above 0';
  if (!(m.loraDropout >= 0 && m.loraDropout < 1)) return 'lora_dropout must be from 0 and below 1';
  return null;
};

const training: Check = (m, config) => {
  if (!between(m.trainSteps, 1, config.maxTrainSteps)) return `train_steps must be from 1 to ${config.maxTrainSteps}`;
  if (!(m.learningRate > 0)) return 'learning_rate must be above 0';
  if (m.batchSize < 1) return 'batch_size must be at least 1';
  if (m.seed >= 2 ** 32) return 'seed must be below 2^32';
  if (!(m.proximalMu >= 0)) return 'proximal_mu must not be negative';
  return null;
};

const privacy: Check = (m) => {
  const isScale = (value: number): boolean => value === 0 || between(value, leastScale, mostScale);
  if (!isScale(m.dpNoiseScale)) return `dp_noise_scale must be 0, or from ${leastScale} to ${mostScale}`;
  if (!isScale(m.clipNorm)) return `clip_norm must be 0, or from ${leastScale} to ${mostScale}`;
  const isNoisy = m.dpNoiseScale > 0;
  if (isNoisy && m.clipNorm === 0) return 'clip_norm must be above 0 where dp_noise_scale is';
  // Without noise no finite ε holds, so that stating one would be false.
  if (!isNoisy && (m.epsilonBudget !== null || m.privacyDelta !== null))
    return 'epsilon_budget and privacy_delta must be null without noise';
  if (isNoisy && (m.epsilonBudget === null || m.privacyDelta === null))
    return 'epsilon_budget and privacy_delta are required where there is noise';
  if (m.epsilonBudget !== null && !(m.epsilonBudget > 0)) return 'epsilon_budget must be above 0';
  if (m.privacyDelta !== null && !(m.privacyDelta > 0 && m.privacyDelta < 1))
    return 'privacy_delta must be between 0 and 1';
  return null;
};

const rule: Check = (m) => {
  const tolerates = m.aggregationRule !== 'fedavg' && m.aggregationRule !== 'norm_bound';
  if (!tolerates && m.faulty > 0) return `faulty must be 0: ${m.aggregationRule} tolerates no hostile participant`;
  if (m.aggregationRule === 'norm_bound' && m.clipNorm === 0) return 'clip_norm must be above 0 for norm_bound';
  if (m.serverOptimizer === 'none' && m.serverLearningRate !== 1)
    return 'server_learning_rate must be 1 without a server optimizer';
  if (m.serverOptimizer !== 'none' && m.aggregationMode !== 'ffa' && m.aggregationMode !== 'fedit')
    return 'server_optimizer needs aggregation_mode ffa or fedit: the others do not average factors';
  if (m.previousStateSha !== null && (m.serverOptimizer === 'none' || m.previousAggregateSha === null))
    return 'previous_state_sha needs a server_optimizer and a previous_aggregate_sha';
  if (!(m.serverLearningRate > 0)) return 'server_learning_rate must be above 0';
  const named = m.reputations.map(({ participant }) => participant);
  if (new Set(named).size < named.length) return 'reputations names a participant twice';
  if (!m.reputations.every(({ factor }) => factor === 0 || between(factor, leastReputation, 1)))
    return `a reputation must be 0, or from ${leastReputation} to 1`;
  return null;
};

const secure: Check = (m, config) => {
  if (m.secure === 'off') {
    if (config.requireSecureAggregation) return 'this node requires secure aggregation';
    return m.fixedPointBits === 0 ? null : 'fixed_point_bits must be 0 without secure aggregation';
  }
  if (m.minParticipants < 3) return 'secure aggregation needs at least 3 participants';
  if (m.maxParticipants > mostShares) return `secure aggregation takes at most ${mostShares} participants`;
  if (m.clipNorm === 0) return 'secure aggregation needs a clip_norm above 0, which bounds each entry';
  const wraps = overflowFault(m.maxParticipants, fixedPointOf(m));
  return (
    perClientFault(m) ??
    (wraps === null
      ? null
      : `secure aggregation could not add up: ${wraps} (bound is clip_norm + 9 × dp_noise_scale, maxWeight max_samples, fractionBits fixed_point_bits)`)
  );
};

/** Why a manifest cannot have secure aggregation, which shows nobody a single delta; null if it can, or does not ask for it. */
export function perClientFault(m: RoundManifest): string | null {
  if (m.secure === 'off') return null;
  if (m.aggregationMode !== 'ffa') return 'secure aggregation needs aggregation_mode ffa, the one that is linear';
  if (m.aggregationRule !== 'fedavg' || m.reputations.length > 0)
    return 'secure aggregation hides single deltas, so aggregation_rule must be fedavg, without reputations';
  return null;
}

const round: Check = (m, config) => {
  const { minRoundParticipants: least, maxRoundParticipants: most } = config;
  if (!between(m.minParticipants, least, most)) return `min_participants must be from ${least} to ${most}`;
  if (!between(m.maxParticipants, m.minParticipants, most))
    return `max_participants must be from min_participants to ${most}`;
  if (m.maxSamples < 1) return 'max_samples must be at least 1';
  if (!(m.minTrustScore >= 0)) return 'min_trust_score must not be negative';
  if (m.consentText.trim() === '') return 'consent_text is empty';
  return null;
};

/** What contradicts the node's limits or the manifest itself, as a sentence without its full stop; null if nothing does. */
export function manifestFault(manifest: RoundManifest, config: FedLearnConfig): string | null {
  for (const check of [adapter, training, privacy, rule, secure, round]) {
    const fault = check(manifest, config);
    if (fault !== null) return fault;
  }
  return null;
}
