/** A small base model on bytes, and adapters for it. */
import { certificateFile, weightsFile } from '../../../src/training/certificate/files.ts';
import { initialCharTransformer } from '../../../src/training/model/char-transformer.ts';
import { uniform } from '../../../src/training/model/initial.ts';
import { sgd } from '../../../src/training/optimizer/rules.ts';
import { createVerifiedTrainer } from '../../../src/training/trainer/trainer.ts';
import { adaptedLayers, factorsOf, type AdaptedLayer, type StateDict } from '../../../src/federated/adapter/layout.ts';
import { readBaseModel, type BaseModel } from '../../../src/federated/train/base-model.ts';
import { linearLayers } from '../../../src/federated/train/lora.ts';
import type { JsonObject } from '../../../src/base/canonical-json.ts';

export const smallModel = { kind: 'char_transformer', width: 8, heads: 2, layers: 1, context: 12, tied: true };

/** The files of a run that has only been initialised. */
export async function runFiles(
  run: JsonObject = { model: smallModel, data: { kind: 'text', file: 'x', unit: 'bytes', batch: 1 } },
): Promise<{ readonly certificate: Uint8Array; readonly weights: Uint8Array }> {
  const parameters = initialCharTransformer(4, { ...smallModel, vocabulary: 256 });
  const trainer = createVerifiedTrainer({ parameters, optimizer: sgd({ learningRate: 1 }), invariants: [], run });
  const weights = weightsFile(trainer.parameters);
  return { certificate: certificateFile(await trainer.seal()), weights };
}

export async function smallBase(): Promise<BaseModel> {
  const { certificate, weights } = await runFiles();
  const base = readBaseModel(certificate, weights);
  if (!base.ok) throw new Error(base.error.message);
  return base.value;
}

export function layersOf(base: BaseModel, modules: readonly string[]): readonly AdaptedLayer[] {
  const layers = adaptedLayers(linearLayers(base.sizes), modules);
  if (!layers.ok) throw new Error(layers.error);
  return layers.value;
}

/** Factors of every layer, none of them zero. */
export const scatteredFactors = (layers: readonly AdaptedLayer[], rank: number): StateDict =>
  new Map(
    factorsOf(layers, rank).map(({ name, shape }) => [
      name,
      { shape, data: uniform(1, name, shape[0] * shape[1], 0.3) },
    ]),
  );

/** `text` as bytes. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
