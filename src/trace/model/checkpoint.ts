/**
 * Reads a llama2.c checkpoint: sizes checked before anything is made of them, weights looked through for NaN and ∞.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { invariant } from '../../base/invariant.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { firstNonFinite, float32Numbers } from '../../tensors/float32-bytes.ts';
import { sha256 } from '../../merkle/sha256.ts';
import type { Problem } from '../../base/problem.ts';
import { checkpointBytes, headerBytes, headerFields, isSkipped, tensorPlaces, type TensorPlace } from './layout.ts';
import type { Model, ModelConfig, ModelWeights } from './model.ts';

/**
 * The model in the bytes of a checkpoint file.
 *
 * Weights are views of `bytes` where these are aligned to four bytes, and copies otherwise: `bytes` must not be modified
 * afterwards. Problems: PV-8007 (header), PV-8008 (length), PV-8009 (a weight that is not finite).
 */
export function readModel(bytes: Uint8Array): Result<Model, Problem> {
  const header = readHeader(bytes);
  if (!header.ok) return header;
  const { config, sharedClassifier } = header.value;
  const length = lengthProblem(bytes.length, config, sharedClassifier);
  if (length) return err(length);

  const numbers = float32Numbers(bytes.subarray(headerBytes));
  const tensors = new Map<TensorPlace['name'], Float32Array>();
  let start = 0;
  for (const place of tensorPlaces(config, sharedClassifier)) {
    const tensor = numbers.subarray(start, start + place.count);
    const bad = isSkipped(place.name) ? -1 : firstNonFinite(tensor);
    if (bad >= 0) return err(weightProblem(place.name, bad, tensor[bad], headerBytes + 4 * (start + bad)));
    tensors.set(place.name, tensor);
    start += place.count;
  }
  const weights = weightsFrom(tensors);
  return ok({ config, weights, digest: `sha256:${bytesToHex(sha256(bytes))}` });
}

/** Whether `bytes` start with sizes that a model has: what follows may be cut. */
export const isModelHeader = (bytes: Uint8Array): boolean => readHeader(bytes).ok;

interface Header {
  readonly config: ModelConfig;
  readonly sharedClassifier: boolean;
}

function readHeader(bytes: Uint8Array): Result<Header, Problem> {
  if (bytes.length < headerBytes) {
    return err({
      code: 'PV-8007',
      check: 'checkpoint header',
      message: `The checkpoint ends inside its header: a llama2.c checkpoint starts with ${headerBytes} bytes of sizes.`,
      offset: bytes.length,
      expected: `at least ${headerBytes} bytes`,
      actual: count(bytes.length, 'byte'),
    });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, headerBytes);
  const sizes = headerFields.map((_, field) => view.getInt32(4 * field, true));
  const [dim = 0, hiddenDim = 0, layers = 0, heads = 0, kvHeads = 0, vocabulary = 0, sequenceLength = 0] = sizes;
  const sharedClassifier = vocabulary > 0;
  const vocabSize = Math.abs(vocabulary);
  const config: ModelConfig = { dim, hiddenDim, layers, heads, kvHeads, vocabSize, sequenceLength };
  const wrong = headerFields.find((field) => config[field] < 1);
  if (wrong) return err(headerProblem(wrong, 'a whole number above 0', config[wrong]));
  if (vocabSize < 2) {
    return err(headerProblem('vocabSize', '2 or more: every text begins with BOS, which is token 1', vocabulary));
  }
  if (dim % (2 * heads) !== 0) {
    return err(headerProblem('dim', `a multiple of 2 · heads = ${2 * heads}: heads are rotated in pairs`, dim));
  }
  if (heads % kvHeads !== 0)
    return err(headerProblem('kvHeads', `a divisor of the number of heads, ${heads}`, kvHeads));
  return ok({ config, sharedClassifier });
}

function headerProblem(field: (typeof headerFields)[number], expected: string, actual: number): Problem {
  return {
    code: 'PV-8007',
    check: `checkpoint header: ${field}`,
    message: `The checkpoint's header has ${field} = ${actual}, which no model has. Is this a llama2.c checkpoint of the legacy format?`,
    offset: 4 * headerFields.indexOf(field),
    expected,
    actual: `${actual}`,
  };
}

function lengthProblem(length: number, config: ModelConfig, sharedClassifier: boolean): Problem | null {
  const whole = checkpointBytes(config, sharedClassifier);
  if (length === whole) return null;
  const difference =
    length < whole
      ? `its end is missing, ${count(whole - length, 'byte')}`
      : `it continues after its last tensor for ${count(length - whole, 'byte')}`;
  return {
    code: 'PV-8008',
    check: 'checkpoint length',
    message: `The checkpoint is not as long as its header says: ${difference}. Copy the file again.`,
    offset: Math.min(length, whole),
    expected: count(whole, 'byte'),
    actual: count(length, 'byte'),
  };
}

function weightProblem(name: string, index: number, weight: number | undefined, offset: number): Problem {
  return {
    code: 'PV-8009',
    check: 'finite weights',
    message: `Number ${index} of the tensor ${name} is ${weight}: logits that rest on it commit to nothing.`,
    offset,
    expected: 'a finite number',
    actual: `${weight}`,
  };
}

function weightsFrom(tensors: ReadonlyMap<TensorPlace['name'], Float32Array>): ModelWeights {
  const tensor = (name: TensorPlace['name']): Float32Array => {
    const found = tensors.get(name);
    invariant(found, 'the layout names every tensor');
    return found;
  };
  return {
    tokenEmbedding: tensor('tokenEmbedding'),
    attentionNorm: tensor('attentionNorm'),
    query: tensor('query'),
    key: tensor('key'),
    value: tensor('value'),
    output: tensor('output'),
    feedForwardNorm: tensor('feedForwardNorm'),
    gate: tensor('gate'),
    down: tensor('down'),
    up: tensor('up'),
    finalNorm: tensor('finalNorm'),
    classifier: tensors.get('classifier') ?? tensor('tokenEmbedding'),
  };
}
