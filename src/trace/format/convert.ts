/**
 * Between this format and that of llama2-rs (the legacy format), as far as each can say what the other says.
 */
import { ok, type Result } from '../../base/result.ts';
import { legacyTrace, type LegacyEntry, type LegacyTrace } from '../legacy/trace.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { treeOf } from './leaves.ts';
import { parseManifest } from './manifest.ts';
import { admitAll } from './sequence.ts';
import type { Manifest, Step, Trace, TraceFile } from './trace.ts';

/** What a legacy file does not contain but its reader may know: from the model, the tokenizer or the command that made it. */
export type KnownBeside = Partial<
  Pick<Manifest, 'model' | 'tokenizer' | 'config' | 'vocabSize' | 'sampler' | 'profile'>
> & {
  readonly promptTokens?: readonly number[];
  /** The token sampled last, which the legacy format never holds. */
  readonly lastToken?: number;
};

/** A conversion, and what of the original is not in it: sentences for a person. */
export interface Converted<T> {
  readonly trace: T;
  readonly lost: readonly string[];
}

/**
 * A legacy trace in this format: positions, input tokens and logits hashes as they are, the output token of each step
 * from the input of the next.
 *
 * Nothing is made up: what neither the file nor `known` says is null, `unspecified` or, for the last output token, not
 * recorded. `tool` is who converts. Texts of entries, which no hash of the original covers, are left out.
 */
export function fromLegacy(
  legacy: LegacyTrace,
  tool: Manifest['tool'],
  known: KnownBeside = {},
): Result<Converted<TraceFile>, Problem> {
  const { metadata, entries } = legacy;
  const manifest = parseManifest({
    format: 'pv-trace/2',
    tool,
    model: known.model ?? { name: metadata.modelPath, digest: null },
    tokenizer: known.tokenizer ?? { name: 'unspecified', digest: null },
    config: known.config ?? null,
    vocabSize: known.vocabSize ?? null,
    prompt: { tokens: known.promptTokens ?? null, text: metadata.prompt },
    steps: metadata.steps,
    sampler: known.sampler ?? { kind: 'other', description: 'unspecified' },
    profile: known.profile ?? 'unspecified',
    sketch: 0,
  });
  if (!manifest.ok) return manifest;
  const steps = entries.map(({ position, token, logitsHash }, i): Step => ({
    kind: 'step',
    position,
    inputToken: token,
    outputToken: entries[i + 1]?.token ?? known.lastToken ?? null,
    logitsHash,
    sketch: null,
  }));
  const admitted = admitAll(manifest.value, steps);
  if (!admitted.ok) return admitted;
  const texts = entries.some(({ text }) => text !== null);
  return ok({
    trace: completeFile({ manifest: manifest.value, entries: steps }),
    lost: texts ? ['the text of each token, which the tokenizer gives again'] : [],
  });
}

/**
 * The legacy form of a trace without gaps, of at least one step. Its format is that of the seed: entries carry no text.
 */
export function toLegacy(trace: Trace): Result<Converted<LegacyTrace>, Problem> {
  const { manifest } = trace;
  const entries: LegacyEntry[] = [];
  for (const entry of trace.entries) {
    if (entry.kind === 'gap') {
      return wrong('PV-8046', 'gap', `The legacy format has no gaps, and position ${entry.position} is one.`, {
        position: entry.position,
      });
    }
    const { position, inputToken: token, logitsHash } = entry;
    entries.push({ position, token, text: null, logitsHash });
  }
  const legacy = legacyTrace(entries, {
    modelPath: manifest.model.name,
    prompt: manifest.prompt.text ?? '',
    steps: manifest.steps ?? entries.length,
  });
  return legacy.ok ? ok({ trace: legacy.value, lost: lostToLegacy(trace) }) : legacy;
}

/** The parts of this trace that the legacy format has no place for. */
function lostToLegacy({ manifest, entries }: Trace): readonly string[] {
  const last = entries[entries.length - 1];
  const parts: readonly (readonly [boolean, string])[] = [
    [manifest.model.digest !== null, 'the hash of the model'],
    [manifest.tokenizer.digest !== null, 'the hash of the tokenizer'],
    [manifest.config !== null, "the hash of the model's configuration"],
    [manifest.vocabSize !== null, 'the size of the vocabulary'],
    [manifest.prompt.tokens !== null, 'the token ids of the prompt'],
    [manifest.sampler.kind !== 'other', 'sampler, seed and temperature'],
    [manifest.profile !== 'unspecified', `the numeric profile (${manifest.profile})`],
    [manifest.sketch > 0, 'the largest logits of each step'],
    [last?.kind === 'step' && last.outputToken !== null, 'the token chosen last'],
    [true, 'all that the tree of RFC 9162 keeps: the manifest under the root, the number of leaves'],
  ];
  return parts.filter(([isLost]) => isLost).map(([, what]) => what);
}

function completeFile(trace: Trace): TraceFile {
  const tree = treeOf(trace);
  return { ...trace, size: tree.size, root: tree.root(), checkpoint: null, complete: true, droppedBytes: 0 };
}
