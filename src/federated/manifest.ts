/** The manifest of a round: everything that the coordinator fixes and signs before anybody joins. */
import { nodeIdCodec, type NodeId } from './node-id.ts';
import { roundIdCodec, type RoundId } from './ulid.ts';
import { choice, count, digest, instant, listOf, number, orNull, recordCodec, signature, text } from './wire/codec.ts';
import { statementSha, type Form } from './wire/signed.ts';

/** How adapters are combined; src/federated/aggregate computes it. */
const aggregationModes = ['ffa', 'stack', 'svd', 'fedit'] as const;
/** `ffa`: A is frozen from the seed, exact. `stack`: exact, ranks add up. `svd`: the exact product, truncated. `fedit`: A and B apart. */
type AggregationMode = (typeof aggregationModes)[number];

const aggregationRules = [
  'fedavg',
  'median',
  'trimmed_mean',
  'krum',
  'multi_krum',
  'geometric_median',
  'bulyan',
  'norm_bound',
] as const;
/** The rule by which deltas are averaged; all but `fedavg` and `norm_bound` tolerate `faulty` hostile participants. */
type AggregationRule = (typeof aggregationRules)[number];

const serverOptimizers = ['none', 'fedavgm', 'fedadam'] as const;
const secureModes = ['off', 'additive_pairwise', 'double_mask'] as const;
/** `additive_pairwise` is the specification's, which no participant may leave; `double_mask` is Bonawitz et al. (2017). */
type SecureMode = (typeof secureModes)[number];

/** A round as it is announced. Wire names are the same in snake_case. */
export interface RoundManifest {
  readonly format: 'pv-fedlearn-manifest/1';
  readonly roundId: RoundId;
  readonly coordinator: NodeId;
  /** For people; the SHA-256 decides. */
  readonly baseModelId: string;
  /** SHA-256 of the base weights. */
  readonly baseModelSha: string;
  /** The linear layers that carry an adapter, without repetition. */
  readonly loraTargetModules: readonly string[];
  readonly loraRank: number;
  readonly loraAlpha: number;
  /** From 0, below 1. */
  readonly loraDropout: number;
  /** Most local optimizer steps. */
  readonly trainSteps: number;
  readonly learningRate: number;
  readonly batchSize: number;
  /** Of the initial A, below 2³². */
  readonly seed: number;
  /** FedProx: the weight of the proximal term; 0 is off. */
  readonly proximalMu: number;
  /** Standard deviation of the noise that each participant adds: 0 is off, otherwise from 10⁻³⁰ to 10³⁰. */
  readonly dpNoiseScale: number;
  /** Largest L2 norm of a delta; above 0 where there is noise or secure aggregation. */
  readonly clipNorm: number;
  /** What the result may cost a participant, and the δ of it; null where there is no noise. */
  readonly epsilonBudget: number | null;
  readonly privacyDelta: number | null;
  readonly secure: SecureMode;
  readonly aggregationMode: AggregationMode;
  readonly aggregationRule: AggregationRule;
  /** Hostile participants that the rule must tolerate. */
  readonly faulty: number;
  readonly serverOptimizer: (typeof serverOptimizers)[number];
  /** Step of the server's optimizer; 1 without one. Its other constants are those of src/federated/lora-server.ts. */
  readonly serverLearningRate: number;
  /** The largest `num_samples` that a submission may state, which bounds its weight. */
  readonly maxSamples: number;
  /** Fraction bits of the fixed point of secure aggregation; 0 without it. */
  readonly fixedPointBits: number;
  /** Factors of the weights of single participants; others have 1. */
  readonly reputations: readonly Reputation[];
  /** SHA-256 of the aggregate that the round continues from; null for a round that begins anew. */
  readonly previousAggregateSha: string | null;
  /** SHA-256 of the state of the server's optimizer that the round continues from; null for one that begins anew, and without one. */
  readonly previousStateSha: string | null;
  readonly minParticipants: number;
  readonly maxParticipants: number;
  /** Stated and signed, not enforced: nothing here measures trust yet. */
  readonly minTrustScore: number;
  /** In milliseconds since 1970; submissions from then on are late. */
  readonly deadline: number;
  readonly topic: string;
  /** What a participant's operator must accept. */
  readonly consentText: string;
  readonly coordinatorSig: Uint8Array;
}

/** A participant's factor: 0, which leaves it out, or from 10⁻⁶ to 1. */
export interface Reputation {
  readonly participant: NodeId;
  readonly factor: number;
}

/** All that is signed but what the announcement fills in. */
export type RoundManifestDraft = Omit<RoundManifest, 'format' | 'roundId' | 'coordinator' | 'coordinatorSig'>;

const shortText = text(256);
/** The longest `lora_target_modules`. */
export const mostModules = 256;
const mostReputations = 1024;

/** The signed form of a manifest. */
export const manifestForm: Form<RoundManifest, 'coordinatorSig'> = {
  purpose: 'manifest',
  signer: 'coordinator',
  signature: 'coordinatorSig',
  ...recordCodec<RoundManifest>({
    format: choice('pv-fedlearn-manifest/1'),
    roundId: roundIdCodec,
    coordinator: nodeIdCodec,
    baseModelId: shortText,
    baseModelSha: digest,
    loraTargetModules: listOf(shortText, mostModules),
    loraRank: count,
    loraAlpha: number,
    loraDropout: number,
    trainSteps: count,
    learningRate: number,
    batchSize: count,
    seed: count,
    proximalMu: number,
    dpNoiseScale: number,
    clipNorm: number,
    epsilonBudget: orNull(number),
    privacyDelta: orNull(number),
    secure: choice(...secureModes),
    aggregationMode: choice(...aggregationModes),
    aggregationRule: choice(...aggregationRules),
    faulty: count,
    serverOptimizer: choice(...serverOptimizers),
    serverLearningRate: number,
    maxSamples: count,
    fixedPointBits: count,
    reputations: listOf(recordCodec<Reputation>({ participant: nodeIdCodec, factor: number }), mostReputations),
    previousAggregateSha: orNull(digest),
    previousStateSha: orNull(digest),
    minParticipants: count,
    maxParticipants: count,
    minTrustScore: number,
    deadline: instant,
    topic: shortText,
    consentText: text(65_536),
    coordinatorSig: signature,
  }),
};

/** The identity of a manifest: SHA-256 of its canonical JSON without the signature. */
export const manifestSha = (manifest: RoundManifest): string => statementSha(manifestForm, manifest);
