/** The frozen model under a LoRA adapter: a character transformer that `pv train` made, reading bytes. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { quoted } from '../../base/text.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { float32Of, readSafetensors } from '../../tensors/safetensors.ts';
import { firstNonFinite } from '../../tensors/float32-bytes.ts';
import { readCertificate } from '../../training/certificate/read-certificate.ts';
import { bufferSize, charTransformerShapes, type CharTransformerSizes } from '../../training/model/char-transformer.ts';
import { isObject } from '../../training/run/model-and-data.ts';
import { charTransformerModel } from '../../training/run/text-task.ts';

/** A model whose weights no round changes. */
export interface BaseModel {
  readonly sizes: CharTransformerSizes;
  /** By name, as `weights.safetensors` has them. */
  readonly weights: ReadonlyMap<string, Float32Array>;
  /** SHA-256 of `weights.safetensors`, in hexadecimal: `base_model_sha` of a manifest. */
  readonly sha256: string;
}

/** Every node must read any text alike, and an alphabet would reveal which characters a text has. */
const vocabulary = 256;

/**
 * Reads the base model from `certificate.json` and `weights.safetensors` of a run folder. PV-8680 if the run is not a character
 * transformer on `unit: bytes`, or if its weights are not those that the certificate names.
 */
export function readBaseModel(certificateFile: Uint8Array, weightsFile: Uint8Array): Result<BaseModel, Problem> {
  const certificate = readCertificate(certificateFile);
  if (!certificate.ok) return certificate;
  const sizes = sizesOf(certificate.value.config['run'] ?? null);
  if (!sizes.ok) return unusable(sizes.error);
  const digest = bytesToHex(sha256(weightsFile));
  if (digest !== certificate.value.weights.sha256)
    return unusable('weights.safetensors is not the file that certificate.json names', {
      expected: certificate.value.weights.sha256,
      actual: digest,
    });
  const weights = weightsOf(sizes.value, weightsFile);
  return weights.ok ? ok({ sizes: sizes.value, weights: weights.value, sha256: digest }) : weights;
}

function sizesOf(run: JsonValue): Result<CharTransformerSizes, string> {
  const { model, data } = fieldsOf(run);
  const described = charTransformerModel(model, 'run.model');
  if (!described.ok) return described;
  if (fieldsOf(data)['unit'] !== 'bytes')
    return err(
      'run.data.unit is not bytes; train it again with unit: bytes, so that it can read the text of every node',
    );
  const { width, heads, layers, context, tied = true } = described.value;
  const sizes = { vocabulary, width, heads, layers, context, tied };
  return width % heads === 0 && bufferSize(sizes) <= mostNumbers
    ? ok(sizes)
    : err('run.model is not a size that pv trains');
}

/** Float32 numbers in the buffers for one sequence: 400 MB. */
const mostNumbers = 100_000_000;

function weightsOf(sizes: CharTransformerSizes, file: Uint8Array): Result<ReadonlyMap<string, Float32Array>, Problem> {
  const read = readSafetensors(file);
  if (!read.ok) return read;
  const weights = new Map<string, Float32Array>();
  for (const [name, shape] of Object.entries(charTransformerShapes(sizes))) {
    const tensor = read.value.tensors.get(name);
    const data = tensor === undefined ? null : float32Of(tensor);
    if (tensor === undefined || data === null || tensor.shape.join() !== shape.join())
      return unusable(`weights.safetensors has no float32 tensor ${quoted(name)} of shape [${shape.join(', ')}]`);
    if (firstNonFinite(data) >= 0) return unusable(`${quoted(name)} has elements that are not finite`);
    weights.set(name, data);
  }
  const { size } = read.value.tensors;
  return size === weights.size
    ? ok(weights)
    : unusable(`weights.safetensors has ${size} tensors; the model has ${weights.size}`);
}

/** The keys of an object; none of anything else. */
const fieldsOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

const unusable = (why: string, digests: { expected?: string; actual?: string } = {}): Result<never, Problem> =>
  wrong('PV-8680', 'base model', `The base model cannot carry an adapter: ${why}.`, digests);
