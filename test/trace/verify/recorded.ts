/** Generations of the tiny model, recorded by pv's own recorder and read back, and replays of them. */
import { createStrictEngine } from '../../../src/trace/engine/strict.ts';
import type { Engine } from '../../../src/trace/engine/engine.ts';
import { generate } from '../../../src/trace/engine/generate.ts';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import { treeOf } from '../../../src/trace/format/leaves.ts';
import type { Entry, Manifest, Sampler, TraceFile } from '../../../src/trace/format/trace.ts';
import { configDigest } from '../../../src/trace/model/config-digest.ts';
import type { Model } from '../../../src/trace/model/model.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { createRecorder } from '../../../src/trace/record/recorder.ts';
import { sourceOf } from '../../../src/trace/verify/source.ts';
import { verifyTrace, type TraceVerdict, type Verification } from '../../../src/trace/verify/verify-trace.ts';
import { modelOf, tokenizerOf } from '../../support/llama-data.ts';
import { valueOf } from '../../notes/signers.ts';

const files = tinyModel(7);
export const model = modelOf(files.checkpoint);
export const tokenizer = tokenizerOf(files.tokenizer, model.config.vocabSize);
export const otherModel = modelOf(tinyModel(8).checkpoint);

export const topP: Extract<Sampler, { readonly kind: 'top-p' }> = {
  kind: 'top-p',
  temperature: 1,
  topP: 0.9,
  seed: '42',
  generator: 'llama2-rs/1',
};
export const promptText = 'Once upon a time';

export interface Recording {
  readonly engine?: Engine;
  readonly of?: Model;
  readonly steps?: number;
  readonly manifest?: Partial<Manifest>;
  /** Positions whose logits are not handed to the recorder. */
  readonly unseen?: (position: number) => boolean;
}

export async function recorded({
  of = model,
  engine = createStrictEngine(of),
  steps = 24,
  manifest = {},
  unseen,
}: Recording = {}): Promise<TraceFile> {
  const prompt = { tokens: tokenizer.encode(promptText), text: promptText };
  const whole: Manifest = {
    format: 'pv-trace/2',
    tool: { name: 'pv', version: '0.0.0' },
    model: { name: 'tiny.bin', digest: of.digest },
    tokenizer: { name: 'tiny.tok', digest: tokenizer.digest },
    config: configDigest(of.config),
    vocabSize: of.config.vocabSize,
    prompt,
    steps,
    sampler: topP,
    profile: engine.profile,
    sketch: 0,
    ...manifest,
  };
  const recorder = createRecorder(whole);
  for (const step of generate(engine, { prompt: prompt.tokens, steps, sampler: whole.sampler })) {
    const { position, inputToken, logits, outputToken } = valueOf(step);
    if (unseen?.(position) === true) recorder.gap(position, 1);
    else {
      recorder.logits(position, inputToken, logits);
      recorder.token(outputToken);
    }
  }
  return valueOf(await readTrace((await recorder.finish()).file));
}

/** The trace with other entries or another manifest, and the root that a forger would give it. */
export function forged(
  trace: TraceFile,
  change: { readonly entries?: readonly Entry[]; readonly manifest?: Manifest },
): TraceFile {
  const edited = { ...trace, ...change };
  const tree = treeOf(edited);
  return { ...edited, size: tree.size, root: tree.root() };
}

/** Verifies all of `trace` with a new engine of the tiny model, unless told otherwise. */
export function verified(
  trace: TraceFile,
  other: Partial<Verification> & { readonly of?: Model } = {},
): Promise<TraceVerdict> {
  const { of = model, ...rest } = other;
  return verifyTrace({
    source: sourceOf(trace),
    engine: createStrictEngine(of),
    files: { modelDigest: of.digest, config: of.config, tokenizer },
    which: { kind: 'all' },
    level: null,
    anchor: { root: trace.root, size: trace.size },
    ...rest,
  });
}
