/** What a replay is compared with: what a trace of either format says about itself. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { err, ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { leafBytes, leafIndexAt, treeOf } from '../format/leaves.ts';
import type { Entry, Manifest, Sampler, Trace, TraceFile } from '../format/trace.ts';
import { legacyProofs, verifyLegacyProof } from '../legacy/proof.ts';
import { legacyEntryHash, type LegacyTrace } from '../legacy/trace.ts';
import { legacyRoot } from '../legacy/tree.ts';
import { emptyRoot, leafHash, sameBytes, type Hash } from '../../merkle/hash.ts';
import { verifyInclusion } from '../../merkle/verify.ts';
import type { Problem } from '../../base/problem.ts';
import type { DeclaredHead } from './anchor.ts';

export interface ReplaySource {
  readonly head: DeclaredHead;
  readonly entries: readonly Entry[];
  /** Whether its file claims to be complete, was cut, or has a format that binds no number of steps. */
  readonly ending: 'whole' | 'cut' | 'unbound';
  /** Bytes after the last whole entry of a file that was cut. */
  readonly droppedBytes: number;
  readonly recorded: Omit<Manifest, 'format' | 'tool'>;
  /**
   * Where the prompt comes from: bound by the root (`trace`), a text in the file that no hash covers (`file`), or given by
   * the verifier (`verifier`). In the latter two cases the sampler is the verifier's own.
   */
  readonly promptOf: 'trace' | 'file' | 'verifier';
  /** Missing flags that the sampler needs: a token other than its choice then shows no fault. */
  readonly assumed: readonly string[];
  /**
   * Computes the root from the entries, and the path from each of `positions` to it; a sentence on what was found, or
   * PV-8018 where the head has another root.
   */
  readonly checkTree: (positions: readonly number[]) => Result<string, Problem>;
  /** What this trace cannot bind, whatever the replay shows. */
  readonly unbound: readonly string[];
  /** The same in a few words each, for the first line of a verdict. */
  readonly open: readonly string[];
}

export function sourceOf(trace: TraceFile): ReplaySource {
  const { manifest, entries, size, root, checkpoint, complete } = trace;
  const last = entries.at(-1);
  const unrecorded = last?.kind === 'step' && last.outputToken === null;
  const cut = 'that this is the whole generation: the file ends without its footer';
  return {
    head: { size, root, checkpoint },
    entries,
    ending: complete ? 'whole' : 'cut',
    droppedBytes: trace.droppedBytes,
    recorded: manifest,
    promptOf: 'trace',
    assumed: [],
    checkTree: (positions) => checkTree(trace, root, positions),
    unbound: [
      ...(complete ? [] : [cut]),
      ...(unrecorded ? ['the token chosen last: the trace does not record it'] : []),
    ],
    open: [...(complete ? [] : ['file incomplete']), ...(unrecorded ? ['last token not recorded'] : [])],
  };
}

function checkTree(trace: Trace, root: Hash, positions: readonly number[]): Result<string, Problem> {
  const tree = treeOf(trace);
  const whole = compareRoot(root, tree.root());
  if (!whole.ok) return whole;
  const { size } = tree;
  for (const position of positions) {
    const index = leafIndexAt(trace, position) ?? size;
    const path = index < size ? tree.inclusionPath(index) : [];
    const leaf = leafHash(leafBytes(trace, Math.min(index, size - 1)));
    const included = verifyInclusion({ index, size, leafHash: leaf, path, root });
    if (!included.ok) return included;
  }
  return ok(treeText(size, root, positions));
}

function compareRoot(root: Hash, computed: Hash): Result<null, Problem> {
  if (sameBytes(root, computed)) return ok(null);
  const [expected, actual] = [bytesToHex(root), bytesToHex(computed)];
  const message = `The entries have the root ${actual}, and ${expected} is declared: an entry was changed, added or removed.`;
  return err({ code: 'PV-8018', check: 'root', message, expected, actual });
}

function treeText(size: number, root: Hash, positions: readonly number[]): string {
  const paths = positions.length === 0 ? '' : ` ${count(positions.length, 'path')} verified.`;
  return `${count(size, 'leaf', 'leaves')} ${size === 1 ? 'has' : 'have'} the root ${bytesToHex(root)}.${paths}`;
}

/**
 * What llama2-rs takes from its command line when verifying: it is not in the file, or not bound there.
 */
export interface LegacyParameters {
  /** Token ids that were forced, BOS included. */
  readonly prompt: readonly number[];
  readonly sampler: Sampler;
  /** Whether the prompt is the text in the file, which anyone with the file can change; else it is the verifier's. */
  readonly promptOfFile?: boolean;
  /** Flags of the sampler that were not given, such as `--temperature`; their values are defaults. */
  readonly assumed?: readonly string[];
}

/**
 * An entry of llama2-rs holds the token that was fed in; the next entry's is the one that was chosen, and the last is
 * nowhere.
 */
export function legacySource(trace: LegacyTrace, parameters: LegacyParameters): ReplaySource {
  const { prompt, sampler, promptOfFile = false, assumed = [] } = parameters;
  const entries = trace.entries.map(({ position, token, logitsHash }, index): Entry => ({
    kind: 'step',
    position,
    inputToken: token,
    outputToken: trace.entries[index + 1]?.token ?? null,
    logitsHash,
    sketch: null,
  }));
  return {
    head: { size: trace.entries.length, root: trace.root, checkpoint: null },
    entries,
    ending: 'unbound',
    droppedBytes: 0,
    recorded: {
      model: { name: trace.metadata.modelPath, digest: null },
      tokenizer: { name: '', digest: null },
      config: null,
      vocabSize: null,
      prompt: { tokens: prompt, text: null },
      steps: trace.metadata.steps,
      sampler,
      profile: 'unspecified',
      sketch: 0,
    },
    promptOf: promptOfFile ? 'file' : 'verifier',
    assumed,
    checkTree: (positions) => {
      const whole = compareRoot(trace.root, legacyRoot(trace.entries.map(legacyEntryHash)) ?? emptyRoot);
      if (!whole.ok) return whole;
      const proofOf = legacyProofs(trace);
      const broken = positions
        .map((position) => verifyLegacyProof(proofOf(position), trace.root))
        .find(({ ok: held }) => !held);
      return broken?.ok === false ? broken : ok(treeText(trace.entries.length, trace.root, positions));
    },
    unbound: [
      ...(trace.form === 'head' ? ['the texts of the tokens: no hash covers them'] : []),
      promptOfFile
        ? 'model, tokenizer, seed and sampler: the legacy format does not commit to them, and those of this replay are the verifier’s own'
        : 'model, tokenizer, prompt, seed and sampler: the legacy format does not commit to them, and those of this replay are the verifier’s own',
      ...(promptOfFile ? ['the prompt: this replay took the text in the file, which no hash covers'] : []),
      'the number of steps and their indices: the legacy root does not bind them',
      'the last token that was chosen: the legacy format does not record it',
    ],
    open: ['number of steps not bound'],
  };
}
