/**
 * Records a generation while it goes, for any engine: one call with the logits of a position, one with the token chosen.
 *
 * Everything is hashed before a call returns, so that the caller's buffer may be written to again. What the calling code
 * does wrong is thrown as a {@link RecorderError}, and leaves the recorder as it was.
 */
import { ok, type Result } from '../../base/result.ts';
import { checkGap } from '../format/entry.ts';
import { entryLeaf, manifestLeaf } from '../format/leaf.ts';
import { parseManifest } from '../format/manifest.ts';
import { admit, start, type Progress } from '../format/sequence.ts';
import type { Entry, Gap, Manifest, Step } from '../format/trace.ts';
import { wrong } from '../format/wrong.ts';
import { sha256 } from '../hash/sha256.ts';
import { createCompactRange } from '../merkle/compact-range.ts';
import { leafHash } from '../merkle/hash.ts';
import type { TraceProblem } from '../problem.ts';
import { firstNonFinite, littleEndianBytes } from '../float32-bytes.ts';
import { memorySink } from './memory-sink.ts';
import { orThrow, recorderError } from './recorder-error.ts';
import type { SignHead, TraceSink, TreeHead } from './sink.ts';
import { takeSketch } from './sketch.ts';

export interface RecordedTrace<T> extends TreeHead {
  /** What the signer made of the size and root; null without a signer. */
  readonly checkpoint: string | null;
  /** What the sink made of the entries: the bytes of the file, unless another sink was given. */
  readonly file: T;
}

export interface Recorder<T> {
  /**
   * Takes the raw logits after `inputToken` at `position`: hashed, and the sketch taken, before this returns.
   *
   * Positions come in order from 0 on. Refused: another length than the vocabulary, NaN and infinities, a position that
   * does not follow, an input that is not the token chosen before it.
   */
  readonly logits: (position: number, inputToken: number, logits: Float32Array) => void;
  /** Takes the token at the next position: sampled from the logits just given, or forced by the prompt. */
  readonly token: (id: number) => void;
  /** Records that `count` positions from `position` on were computed without their logits being seen. */
  readonly gap: (position: number, count: number) => void;
  /** Size and root of what is recorded so far, for checkpoints on the way; logits without a token and the gap at the end wait. */
  readonly head: () => TreeHead;
  /** Ends the trace. Logits whose token was not given are kept as a step without output token. */
  readonly finish: (signer?: SignHead) => Promise<RecordedTrace<T>>;
}

/** A recorder of one generation; its trace stays in memory unless `sink` takes it elsewhere. Throws for an impossible manifest. */
export function createRecorder(manifest: Manifest): Recorder<Uint8Array>;
export function createRecorder<T>(manifest: Manifest, options: { readonly sink: TraceSink<T> }): Recorder<T>;
export function createRecorder(
  manifest: Manifest,
  options: { readonly sink: TraceSink<unknown> } = { sink: memorySink() },
): Recorder<unknown> {
  const parsed = orThrow(parseManifest(manifest));
  const { sink } = options;
  const tree = createCompactRange();
  const manifestHash = leafHash(manifestLeaf(parsed));
  tree.append(manifestHash);
  sink.begin(parsed);

  let progress: Progress = start;
  /** Logits whose token has not come. */
  let open: Step | null = null;
  /** A gap that may still grow: neighbouring gaps are one entry. */
  let gap: Gap | null = null;
  let finished = false;

  const running = (): void => {
    if (finished) throw recorderError(misuse('finished', 'The trace is finished: nothing can be added to it.'));
  };
  const write = (entry: Entry): void => {
    progress = orThrow(admit(parsed, progress, entry));
    tree.append(leafHash(entryLeaf(entry)));
    sink.entry(entry);
  };
  /** Where the next call has to go on, and what it is checked against. */
  const reached = (): Progress => (gap === null ? progress : orThrow(admit(parsed, progress, gap)));
  const closed = (): void => {
    running();
    if (open !== null) throw recorderError(tokenMissing(open.position));
  };

  return {
    logits(position, inputToken, logits) {
      closed();
      orThrow(checkLogits(logits, parsed.vocabSize, position));
      const step: Step = {
        kind: 'step',
        position,
        inputToken,
        outputToken: null,
        logitsHash: sha256(littleEndianBytes(logits)),
        sketch: takeSketch(logits, parsed.sketch),
      };
      orThrow(admit(parsed, reached(), step));
      if (gap !== null) write(gap);
      gap = null;
      open = step;
    },
    token(id) {
      running();
      if (open === null)
        throw recorderError(misuse('call order', 'A token came without logits before it: call logits(…) first.'));
      write({ ...open, outputToken: id });
      open = null;
    },
    gap(position, count) {
      closed();
      const added: Gap = { kind: 'gap', position, count };
      orThrow(checkGap(added));
      const before = gap;
      const grows = before !== null && before.position + before.count === position;
      const grown = grows ? { ...before, count: before.count + count } : added;
      orThrow(admit(parsed, progress, grown));
      gap = grown;
    },
    head: () => ({ size: tree.size, root: tree.root() }),
    async finish(signer) {
      running();
      if (open !== null) write(open);
      else if (gap !== null) write(gap);
      open = gap = null;
      const head: TreeHead = { size: tree.size, root: tree.root() };
      const checkpoint = signer === undefined ? null : await signer({ ...head, manifestHash });
      running();
      finished = true;
      return { ...head, checkpoint, file: await sink.finish({ ...head, checkpoint }) };
    },
  };
}

function checkLogits(logits: Float32Array, vocabSize: number | null, position: number): Result<void, TraceProblem> {
  const expected = vocabSize === null ? 'a vocabulary size in the manifest' : `a Float32Array of ${vocabSize} numbers`;
  if (!(logits instanceof Float32Array) || logits.length !== vocabSize) {
    return wrong('PV-8048', 'logits length', `The logits of position ${position} do not fit the vocabulary.`, {
      position,
      expected,
      actual: logits instanceof Float32Array ? `${logits.length} numbers` : typeof logits,
    });
  }
  const index = firstNonFinite(logits);
  if (index < 0) return ok(undefined);
  return wrong('PV-8049', 'finite logits', `The logit of token ${index} at position ${position} is ${logits[index]}.`, {
    position,
    expected: 'a finite number',
    actual: String(logits[index]),
  });
}

const tokenMissing = (position: number): TraceProblem =>
  misuse(
    'call order',
    `The token chosen from the logits of position ${position} is missing: call token(…) first.`,
    position,
  );

function misuse(check: string, message: string, position?: number): TraceProblem {
  return { code: 'PV-8048', check, message, ...(position === undefined ? {} : { position }) };
}
