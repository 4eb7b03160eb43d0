/** Drafts of rounds as people write them, with the fields and the names of manifests. */
import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { encodeBase64 } from '../notes/base64.ts';
import { signatureBytes } from '../notes/ed25519.ts';
import type { FedLearnConfig } from './config.ts';
import { manifestForm, type RoundManifestDraft } from './manifest.ts';
import type { NodeId } from './node-id.ts';

/** What the announcement fills in; here with values that have the right form. */
const filledIn = (coordinator: NodeId): JsonObject => ({
  format: 'pv-fedlearn-manifest/1',
  round_id: '0'.repeat(26),
  coordinator,
  coordinator_sig: encodeBase64(new Uint8Array(signatureBytes)),
});

/** A complete draft from its JSON, for the node that announces it; an error names the first field that is missing, unknown or malformed. */
export function readDraft(value: JsonValue, coordinator: NodeId, at: string): Result<RoundManifestDraft, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return err(`${at} is not a mapping`);
  const filled = filledIn(coordinator);
  const taken = Object.keys(value).find((name) => Object.hasOwn(filled, name));
  if (taken !== undefined) return err(`${at}.${taken} is filled in by the announcement`);
  const read = manifestForm.decode({ ...value, ...filled }, at);
  if (!read.ok) return read;
  const { format: _f, roundId: _r, coordinator: _c, coordinatorSig: _s, ...draft } = read.value;
  return ok(draft);
}

/** The fields of a draft that a person may leave out, by the node's configuration. The others have no value that fits every round. */
export const draftDefaults = (config: FedLearnConfig, baseModelSha: string): JsonObject => ({
  base_model_sha: baseModelSha,
  lora_dropout: 0,
  proximal_mu: 0,
  dp_noise_scale: config.dpNoiseScaleDefault,
  clip_norm: config.clipNormDefault,
  epsilon_budget: null,
  privacy_delta: null,
  secure: 'off',
  aggregation_mode: 'ffa',
  aggregation_rule: 'fedavg',
  faulty: 0,
  server_optimizer: 'none',
  server_learning_rate: 1,
  max_samples: 10_000,
  fixed_point_bits: 0,
  reputations: [],
  previous_aggregate_sha: null,
  previous_state_sha: null,
  min_participants: config.minRoundParticipants,
  max_participants: config.maxRoundParticipants,
  min_trust_score: 0,
});
