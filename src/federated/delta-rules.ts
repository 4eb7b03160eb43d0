/** What the protocol needs to know of deltas, whose bytes it never reads: the checks and the arithmetic are injected. */
import type { Result } from '../base/result.ts';
import type { FileProblem } from '../host/host.ts';
import type { RoundManifest } from './manifest.ts';
import type { NodeId } from './node-id.ts';

/** One accepted delta, read where it is needed. */
export interface DeltaSource {
  readonly participant: NodeId;
  readonly numSamples: number;
  /** SHA-256 of the bytes, which was checked when they were stored. */
  readonly sha: string;
  /** In bytes. */
  readonly size: number;
  /** Some of the bytes, in the beginning of `into` if that is given. */
  readonly read: (offset: number, length: number, into?: Uint8Array) => Promise<Result<Uint8Array, FileProblem>>;
}

/** An aggregate, and what it costs a participant. */
export interface Aggregate {
  readonly bytes: Uint8Array;
  /** At the manifest's `privacy_delta`; null without noise. */
  readonly epsilon: number | null;
  /** The state of the server's optimizer after the round, if it has one. */
  readonly serverState?: Uint8Array;
}

/**
 * How deltas are masked and added up, in rounds with secure aggregation. Each is the same on every node. Errors are sentences without
 * their full stop. `previous` is the aggregate that the manifest names, if it does, and `serverState` the state of the server's optimizer.
 */
export interface SecureRules {
  /** How many numbers are masked. */
  readonly length: (manifest: RoundManifest) => Result<number, string>;
  /** What a valid delta adds to where the round starts, within the bound of the round. */
  readonly numbersOf: (
    bytes: Uint8Array,
    manifest: RoundManifest,
    previous: Uint8Array | null,
  ) => Result<Float32Array, string>;
  /** The aggregate whose numbers are the weighted mean of those of the survivors. */
  readonly aggregateOf: (
    mean: Float32Array,
    manifest: RoundManifest,
    previous: Uint8Array | null,
    serverState: Uint8Array | null,
  ) => Result<Aggregate, string>;
}

/** The rules of one kind of delta. */
export interface DeltaRules {
  /**
   * What is wrong with a submitted delta, as a sentence without its full stop; null if nothing is. `previous` is the aggregate that the
   * manifest names, if it does.
   */
  readonly validate: (bytes: Uint8Array, manifest: RoundManifest, previous: Uint8Array | null) => string | null;
  /**
   * The aggregate of deltas in this order, sorted by participant. Must give the same bytes on every node: the SHA-256 of a takeover's
   * aggregate must be the coordinator's. An error says why there is none. `previous` is the aggregate that the manifest names, if it does,
   * and `serverState` the state of the server's optimizer.
   */
  readonly aggregate: (
    deltas: readonly DeltaSource[],
    manifest: RoundManifest,
    previous: Uint8Array | null,
    serverState: Uint8Array | null,
  ) => Promise<Result<Aggregate, string>>;
  readonly secure: SecureRules;
}
