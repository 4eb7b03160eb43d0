/** Real models have hundreds of parameters: nothing that pv writes about one may be refused by pv. */
import { expect, test } from 'vitest';
import { createVerifiedTrainer, lossStabilityBound, sgd, weightNormBound } from '../../src/training/index.ts';
import { readCertificate } from '../../src/training/certificate/read-certificate.ts';
import { canonicalJson, type JsonValue } from '../../src/base/canonical-json.ts';
import { readSafetensors, writeSafetensors } from '../../src/tensors/safetensors.ts';

const names = Array.from({ length: 400 }, (_, i) => `model.layers.${i}.weight`);

test('a model of 400 parameters is trained, certified and read again', async () => {
  const parameters = Object.fromEntries(names.map((name) => [name, Float32Array.of(1, 2)]));
  const gradients = Object.fromEntries(names.map((name) => [name, Float32Array.of(0.5, -0.5)]));
  const lines: string[] = [];
  const trainer = createVerifiedTrainer({
    parameters,
    optimizer: sgd({ learningRate: 0.1 }),
    invariants: [
      weightNormBound({ max: 100 }),
      lossStabilityBound({ spikeCap: 1, window: 5, maxGradientNorm: 1e3, maxStepSize: 1e3 }),
    ],
    ledger: (line) => void lines.push(line),
  });
  expect((await trainer.step({ loss: 1, gradients })).verdict).toBe('committed');
  const certificate = await trainer.seal();
  const json: JsonValue = JSON.parse(JSON.stringify(certificate));
  const read = readCertificate(new TextEncoder().encode(canonicalJson(json)));
  expect(read.ok ? read.value.totalSteps : read.error.message).toBe(1);
  const file = Buffer.concat(
    writeSafetensors(names.map((name) => ({ name, shape: [2], data: parameters[name] ?? new Float32Array() }))),
  );
  const tensors = readSafetensors(file);
  expect(tensors.ok ? [...tensors.value.tensors.keys()] : tensors.error.message).toEqual(names);
});
