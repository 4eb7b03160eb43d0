/** A small base model on bytes, and what two nodes might have to say. */
import { certificateFile, weightsFile } from '../../../src/training/certificate/files.ts';
import { initialCharTransformer } from '../../../src/training/model/char-transformer.ts';
import { uniform } from '../../../src/training/model/initial.ts';
import { sgd } from '../../../src/training/optimizer/rules.ts';
import { createVerifiedTrainer } from '../../../src/training/trainer/trainer.ts';
import { readBaseModel, type BaseModel } from '../../../src/federated/train/base-model.ts';
import { factorNames, targetLayers } from '../../../src/federated/train/lora.ts';
import type { JsonObject } from '../../../src/base/canonical-json.ts';
import type { Parameter } from '../../../src/training/parameters.ts';

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

/** Factors of every target, none of them zero. */
export function factorsOf(
  base: BaseModel,
  modules: readonly string[],
  rank: number,
): Record<string, Pick<Parameter, 'shape' | 'data'>> {
  return Object.fromEntries(
    targetLayers(base.sizes, modules).flatMap(({ path, inputs, outputs }) => {
      const { a, b } = factorNames(path);
      return [
        [a, { shape: [rank, inputs], data: uniform(1, a, rank * inputs, 0.3) }],
        [b, { shape: [outputs, rank], data: uniform(2, b, outputs * rank, 0.3) }],
      ];
    }),
  );
}

/** `text` as bytes. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
