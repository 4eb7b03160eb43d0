/** What a coordinator has received, by stage. A state has nothing secret in it, so that anybody can rebuild it from the messages. */
import type { SecureRound } from './secure-round.ts';
import type { KeyAdvertisement, MaskedInput, ShareEnvelope, SurvivorAttestation, UnmaskShares } from './statement.ts';

/** By participant. */
export type Received<T> = ReadonlyMap<string, T>;

interface Common {
  readonly round: SecureRound;
}

/** Waits for ephemeral keys. */
export interface KeysStage extends Common {
  readonly stage: 'keys';
  readonly keys: Received<KeyAdvertisement>;
}

interface WithKeys extends Common {
  /** Sorted by participant. */
  readonly keyList: readonly KeyAdvertisement[];
}

/** Waits for shares: one envelope of each participant of the key list for each other. */
export interface SharesStage extends WithKeys {
  readonly stage: 'shares';
  /** By dealer, then by recipient. */
  readonly envelopes: Received<Received<ShareEnvelope>>;
}

export interface WithSharers extends WithKeys {
  readonly envelopes: Received<Received<ShareEnvelope>>;
  /** Sorted; all of whom have dealt all of their shares. */
  readonly sharers: readonly string[];
  readonly inputs: Received<MaskedInput>;
}

/** Waits for masked deltas. */
export interface MaskedStage extends WithSharers {
  readonly stage: 'masked';
}

/** Waits for signatures of the set of survivors. */
export interface SurvivorsStage extends WithSharers {
  readonly stage: 'survivors';
  readonly survivors: readonly string[];
  readonly attestations: Received<SurvivorAttestation>;
}

/** Waits for shares that unmask the sum. Under `additive_pairwise` nothing is waited for. */
export interface UnmaskStage extends WithSharers {
  readonly stage: 'unmask';
  readonly survivors: readonly string[];
  readonly attestations: Received<SurvivorAttestation>;
  readonly answers: Received<UnmaskShares>;
}

/** The coordinator's state; `sumOf` takes the last. */
export type ServerState = KeysStage | SharesStage | MaskedStage | SurvivorsStage | UnmaskStage;
