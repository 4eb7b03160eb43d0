/** `provable-contracts/federated`: nodes, adapters, aggregation, privacy and verification of federated rounds. For Node. */
import type { Problem } from '../base/problem.ts';
import type { Result } from '../base/result.ts';
import type { Bus } from './bus/bus.ts';
import { connectNats as connect } from './bus/nats.ts';
import type { Refusal } from './fed-code.ts';

export type { Problem } from '../base/problem.ts';
export type { Result } from '../base/result.ts';
export type { Host } from '../host/host.ts';
export { createNodeHost } from '../host/node-host.ts';
export { generateSigner, parseSignerKey, type Signer } from '../notes/signer.ts';
export { adapterConfigText, parseAdapterConfig, type AdapterConfig } from './adapter/adapter-config.ts';
export { readAdapter, writeAdapter } from './adapter/adapter-file.ts';
export { readerOf, type ByteReader } from './adapter/adapter-reader.ts';
export { initialAdapter } from './adapter/initial-adapter.ts';
export { adaptedLayers, type AdaptedLayer, type FloatTensor, type StateDict } from './adapter/layout.ts';
export { aggregate, type AggregationPlan, type AggregationReport, type Mode } from './aggregate/aggregate.ts';
export type { Participant } from './aggregate/cohort.ts';
export type { Rule, RuleName } from './aggregate/rules.ts';
export type { Bus, BusFault, BusMessage, Stop } from './bus/bus.ts';
export { createInProcessHub, type InProcessHub } from './bus/in-process.ts';
export { fedLearnConfig, type FedLearnConfig } from './config.ts';
export type { DeltaRules, DeltaSource } from './delta-rules.ts';
export { fedCodes, type FedCode, type Refusal } from './fed-code.ts';
export { loraRules } from './lora-rules.ts';
export type { RoundManifest, RoundManifestDraft } from './manifest.ts';
export { nodeIdOf, parseNodeId, type NodeId, type Roster } from './node-id.ts';
export { attendRounds, type Attendance } from './node/attend.ts';
export { createAdapters, type Adapters, type AdapterTarget } from './node/adapters.ts';
export { createRoundCoordinator, type RoundCoordinator } from './node/coordinator.ts';
export { openFedNode, type FedNode, type FedNodeOptions } from './node/fed-node.ts';
export { followRounds } from './node/follow.ts';
export { createRoundParticipant, type ParticipantParts, type RoundParticipant } from './node/participant.ts';
export { serveNode } from './node/serve.ts';
export type { Served } from './node/served.ts';
export { calibrateNoise, noisePlan, type NoisePlan, type PrivacyTarget } from './privacy/calibrate.ts';
export { clipGradient, globalNorm } from './privacy/clip.ts';
export { epsilonEstimate, epsilonOf, type Releases } from './privacy/epsilon.ts';
export { addDpNoise } from './privacy/noise.ts';
export { spend, spentEpsilon, type PrivacyAccount, type RoundReleases } from './privacy/privacy-ledger.ts';
export type { RoundResult, Submission } from './statements.ts';
export { readBaseModel, type BaseModel } from './train/base-model.ts';
export { localTraining, type LocalParts } from './train/local-training.ts';
export {
  chatHistoryProvider,
  customFileProvider,
  knowledgeBaseProvider,
  type TrainingDataProvider,
} from './train/providers.ts';
export type { RoundId } from './ulid.ts';
export { clientPrivacy, type ClientPrivacy } from './verify/client-privacy.ts';
export { verifyFolders, type FolderVerdict } from './verify/verify-folders.ts';
export { readNodeFolder, roundsIn, verifyRound, type NodeFolder, type VerifiedRound } from './verify/verify-round.ts';

/** How a NATS server is reached; needs the three optional packages. */
export interface NatsServers {
  /** `nats://HOST:PORT`, or `HOST:PORT`. */
  readonly servers: string | readonly string[];
  /** How long a request may take, in milliseconds; 60,000 if absent. */
  readonly timeoutMs?: number;
  /** Credentials and TLS, as `connect` of @nats-io/transport-node takes them. */
  readonly connection?: Readonly<Record<string, unknown>>;
}

/** A bus over NATS: PV-8602 where the packages are not installed, PV-8603 where the server does not answer or has no JetStream. */
export const connectNats = (servers: NatsServers): Promise<Result<Bus, Problem>> => connect(servers);

/** The error of {@link orThrow}. */
export interface FederatedError extends Error {
  readonly name: 'FederatedError';
  /** A code of `pv explain`, or of {@link fedCodes}; null for a malformed argument. */
  readonly code: string | null;
}

/** The value of a result, for programs without a use for the error. */
export function orThrow<T>(result: Result<T, Problem | Refusal | string>): T {
  if (result.ok) return result.value;
  const { error } = result;
  const code = typeof error === 'string' ? null : error.code;
  throw Object.assign(new Error(messageOf(error)), { name: 'FederatedError' as const, code });
}

function messageOf(error: Problem | Refusal | string): string {
  if (typeof error === 'string') return error;
  return `${error.code}: ${'message' in error ? error.message : error.detail}`;
}
