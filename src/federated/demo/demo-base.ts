/** The base model of the demo: a small character transformer on plain text. */
import { encodeUtf8 } from '../../base/utf8.ts';
import type { JsonObject } from '../../base/canonical-json.ts';
import { certificateFile, weightsFile } from '../../training/certificate/files.ts';
import { readRun } from '../../training/run/run-file.ts';
import { train } from '../../training/run/train.ts';
import { orThrow } from '../../training/training-error.ts';
import { plainText } from './village-text.ts';

const run: JsonObject = {
  format: 'pv-training-run/1',
  seed: 1,
  steps: 400,
  model: { kind: 'char_transformer', width: 32, heads: 2, layers: 1, context: 24 },
  data: { kind: 'text', file: 'data.txt', unit: 'bytes', batch: 4 },
  optimizer: { kind: 'adamw', learning_rate: 0.01 },
  invariants: [{ WeightNormBound: { max_norm: 100 } }],
};

/** The files of a run folder, as `pv train` writes them, so that anyone can replay how the base came to be. */
export async function trainDemoBase(): Promise<ReadonlyMap<string, Uint8Array>> {
  const text = encodeUtf8(plainText(1, 400));
  const lines: string[] = [];
  const ended = await train(orThrow(readRun({ ...run, checkpoint_interval: 150 }, text)), {
    ledger: (line) => {
      lines.push(line);
    },
    checkpoint: async () => {},
    progress: async () => false,
  });
  return new Map([
    ['certificate.json', certificateFile(ended.certificate)],
    ['weights.safetensors', weightsFile(ended.parameters)],
    ['ledger.jsonl', encodeUtf8(lines.join(''))],
    ['data.txt', text],
  ]);
}
