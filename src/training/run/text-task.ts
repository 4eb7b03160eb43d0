/** `model: { kind: char_transformer }` on `data: { kind: text }`. */
import { sha256 } from '../../merkle/sha256.ts';
import { bytesToHex } from '@noble/hashes/utils.js';
import { matching, oneOf, record, text, type Decoder } from '../../evidence/decoder.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import {
  bufferSize,
  createCharTransformer,
  initialCharTransformer,
  type CharTransformerSizes,
} from '../model/char-transformer.ts';
import type { Branches } from '../model/branch.ts';
import { symbolsOf, type Symbols, type Unit } from '../model/text.ts';
import { flag, whole } from './fields.ts';
import { streamAt, streamKey, uniformInteger } from '../../numeric/xoshiro.ts';
import type { Weights } from '../model/module.ts';
import type { LossAndGradients, Task } from './task.ts';

/** The `model:` key of a character transformer. */
export interface CharTransformerModel {
  readonly kind: 'char_transformer';
  readonly width: number;
  readonly heads: number;
  readonly layers: number;
  readonly context: number;
  readonly tied?: boolean;
}

/** The `data:` key of a text. */
export interface TextData {
  readonly kind: 'text';
  /** Relative to the run file. */
  readonly file: string;
  readonly unit?: Unit;
  /** Sequences per step. */
  readonly batch: number;
  /** The digest that the file must have; `pv train` records it. */
  readonly sha256?: string;
}

export const charTransformerModel: Decoder<CharTransformerModel> = record<CharTransformerModel>(
  {
    kind: oneOf('char_transformer'),
    width: whole(1, 1024),
    heads: whole(1, 64),
    layers: whole(1, 24),
    context: whole(1, 1024),
    tied: flag,
  },
  ['tied'],
);

export const textData: Decoder<TextData> = record<TextData>(
  {
    kind: oneOf('text'),
    file: text,
    unit: oneOf('characters', 'bytes'),
    batch: whole(1, 1024),
    sha256: matching(/^[0-9a-f]{64}$/, 'a SHA-256 digest in lower-case hexadecimal'),
  },
  ['unit', 'sha256'],
);

/** The largest text, in bytes. */
export const largestText = 16 * 1024 * 1024;

/** A text that fits its model. */
export interface PreparedText {
  /** Its SHA-256, in hexadecimal. */
  readonly digest: string;
  readonly symbols: Symbols;
  readonly sizes: CharTransformerSizes;
  /** Float32 numbers in the buffers of the model for one sequence. */
  readonly numbersPerSequence: number;
  /** What is added to the layers of the model; nothing by default. */
  readonly branches?: Branches;
}

/** Reads the symbols of `file`; PV-8321 if the model cannot learn from it, PV-8322 if it is not the file that `data` names. */
export function prepareText(
  model: CharTransformerModel,
  data: TextData,
  file: Uint8Array,
): Result<PreparedText, Problem> {
  const unusable = (why: string): Result<never, Problem> =>
    wrong('PV-8321', 'training text', `run.data.file ${quoted(data.file)} ${why}.`);
  if (file.length > largestText) return unusable(`has ${file.length} bytes; the limit is ${largestText}`);
  const digest = bytesToHex(sha256(file));
  if (data.sha256 !== undefined && data.sha256 !== digest)
    return wrong(
      'PV-8322',
      'training text',
      `run.data.sha256 is the digest of a different text than ${quoted(data.file)}.`,
      {
        expected: data.sha256,
        actual: digest,
      },
    );
  const unit = data.unit ?? 'characters';
  const symbols = symbolsOf(file, unit);
  if (!symbols.ok) return unusable(symbols.error);
  const { tokens, vocabulary } = symbols.value;
  if (tokens.length <= model.context)
    return unusable(
      `has ${tokens.length} ${unit}; run.model.context is ${model.context}, which needs at least ${model.context + 1}`,
    );
  if (tokens.every((token) => token === tokens[0]))
    return unusable('repeats a single symbol, so there is nothing to learn');
  const sizes = { ...model, vocabulary, tied: model.tied ?? true };
  return ok({ digest, symbols: symbols.value, sizes, numbersPerSequence: bufferSize(sizes) });
}

/** Training on random sequences of the text: a pure function of the weights and the step. A sample is where a sequence starts. */
export function textTask(seed: number, { batch }: TextData, file: Uint8Array, prepared: PreparedText): Task {
  const { sizes, branches } = prepared;
  const { tokens } = prepared.symbols;
  const { context } = sizes;
  const count = tokens.length - context;
  const key = streamKey(seed, 'batches');
  const startsAt = (step: number): readonly number[] => {
    const stream = streamAt(key, step);
    return Array.from({ length: batch }, () => uniformInteger(stream, 0, count - 1));
  };
  const learner = (sequences: number): ((weights: Weights, starts: readonly number[]) => LossAndGradients) => {
    const network = createCharTransformer(sizes, sequences, branches);
    const [inputs, targets] = [new Int32Array(sequences * context), new Int32Array(sequences * context)];
    return (weights, starts) => {
      for (const [i, start] of starts.entries()) {
        inputs.set(tokens.subarray(start, start + context), i * context);
        targets.set(tokens.subarray(start + 1, start + 1 + context), i * context);
      }
      return network.lossAndGradients(weights, inputs, targets);
    };
  };
  const learn = learner(batch);
  /** Learners of single samples, by their number. */
  const others = new Map<number, ReturnType<typeof learner>>();
  return {
    initial: () => initialCharTransformer(seed, sizes),
    lossAndGradients: (weights, step) => learn(weights, startsAt(step)),
    samples: {
      count,
      at: startsAt,
      lossAndGradients(weights, samples) {
        const other = others.get(samples.length) ?? learner(samples.length);
        others.set(samples.length, other);
        // A checkpoint of strangers may name samples that do not exist.
        return other(
          weights,
          samples.map((start) => Math.min(start, count - 1)),
        );
      },
    },
    equivariance: null,
    certifyRobustness: null,
    sequence: [],
    manifest: file,
  };
}
