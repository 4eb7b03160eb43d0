/**
 * A recorded generation: a manifest (leaf 0) and one leaf for each recorded step or gap after it.
 */
import type { Hash } from '../../merkle/hash.ts';

/** How the next token was chosen from the logits. */
export type Sampler =
  | { readonly kind: 'greedy' }
  | {
      readonly kind: 'top-p';
      /** Above 0; used as float32. */
      readonly temperature: number;
      /** Used as float32; at ≤ 0 or ≥ 1 the whole distribution is drawn from. */
      readonly topP: number;
      /** An unsigned 64-bit number in decimal digits: JSON numbers do not hold it. */
      readonly seed: string;
      /** The random number generator, by name and version. */
      readonly generator: 'llama2-rs/1' | 'xorshift64star/1';
    }
  /** Another engine's own: it can be replayed by that engine alone. */
  | { readonly kind: 'other'; readonly description: string };

/**
 * A file used in the generation; `digest` (`sha256:` and 64 hexadecimal digits) is null if the file was not available.
 */
export interface Artefact {
  readonly name: string;
  readonly digest: string | null;
}

/** Everything that a replay needs besides the files themselves. Leaf 0 of the tree is its RFC 8785 JSON. */
export interface Manifest {
  readonly format: 'pv-trace/2';
  readonly tool: { readonly name: string; readonly version: string };
  readonly model: Artefact;
  readonly tokenizer: Artefact;
  /** `sha256:` of the RFC 8785 JSON of the model's configuration; null if the engine does not know it. */
  readonly config: string | null;
  /** Logits per step; null in a trace converted from a format that does not say it. */
  readonly vocabSize: number | null;
  /**
   * Token ids that were forced, BOS included (null if they were not kept), and their text if it is to be
   * disclosed.
   */
  readonly prompt: { readonly tokens: readonly number[] | null; readonly text: string | null };
  /** How many positions were requested at most; null if it is not known. */
  readonly steps: number | null;
  readonly sampler: Sampler;
  /** The engine's numeric profile, such as `f32-strict/1`; `unspecified` where bits are not reproducible. */
  readonly profile: string;
  /** How many of the largest logits each step keeps with its hash; 0 for none. */
  readonly sketch: number;
}

/** The `k` largest logits of a step, so that another engine can compare numbers where hashes cannot agree. */
export interface Sketch {
  /** Token ids, by logit from the largest down, ties by id from the smallest up. */
  readonly ids: readonly number[];
  /** Their float32 logits. */
  readonly logits: readonly number[];
  /** log Σⱼ exp(logitⱼ) over the whole vocabulary, as float32. */
  readonly logSumExp: number;
}

/** One generation step: what was fed in, what came out, what was chosen. */
export interface Step {
  readonly kind: 'step';
  readonly position: number;
  readonly inputToken: number;
  /**
   * The token at the next position: forced by the prompt, or sampled from these logits.
   *
   * Null if it was not recorded, which only the last step before a gap or the end can be: the next step's input says
   * it.
   */
  readonly outputToken: number | null;
  /** SHA-256 of the raw logits as little-endian float32. */
  readonly logitsHash: Uint8Array;
  readonly sketch: Sketch | null;
}

/** Positions that were not recorded, such as a prefill whose logits the engine does not expose. */
export interface Gap {
  readonly kind: 'gap';
  readonly position: number;
  readonly count: number;
}

/** What a leaf after the manifest holds. */
export type Entry = Step | Gap;

/** Leaf 0 and the leaves after it. Its entries cover the positions from 0 on without a hole. */
export interface Trace {
  readonly manifest: Manifest;
  readonly entries: readonly Entry[];
}

/** A trace as it was read, and what else its file says. */
export interface TraceFile extends Trace {
  /**
   * Leaves, the manifest included, and the root over them: computed from the entries, and equal to what the file
   * declares.
   */
  readonly size: number;
  readonly root: Hash;
  /** A signed note over size and root, as unverified text; null if unsigned. */
  readonly checkpoint: string | null;
  /**
   * Whether the file ends with its footer. One that does not is what a crash or a cut has left, up to its last whole
   * entry.
   */
  readonly complete: boolean;
  /** Bytes after the last whole entry that were not used; 0 in a complete file. */
  readonly droppedBytes: number;
}
