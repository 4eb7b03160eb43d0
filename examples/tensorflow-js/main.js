// Trains a small TensorFlow.js model whose every update passes pv's gate, and writes a certified run to run/.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import {
  adamW,
  certificateFile,
  createVerifiedTrainer,
  lossStabilityBound,
  weightNormBound,
  weightsFile,
} from 'provable-contracts/training';
import * as tf from '@tensorflow/tfjs';

const model = tf.sequential({
  layers: [
    tf.layers.dense({
      units: 16,
      inputShape: [2],
      activation: 'tanh',
      kernelInitializer: tf.initializers.glorotUniform({ seed: 1 }),
    }),
    tf.layers.dense({ units: 1, kernelInitializer: tf.initializers.glorotUniform({ seed: 2 }) }),
  ],
});
const inputs = tf.randomUniform([128, 2], -1, 1, 'float32', 3);
const targets = tf.tidy(() => inputs.square().sum(1, true));

const nameOf = (name) => name.replaceAll('/', '.');
// Dots, so that the kernel and bias of a layer count as one layer: dense_Dense1.kernel and dense_Dense1.bias.
const variables = new Map(model.trainableWeights.map(({ name, val }) => [nameOf(name), val]));

mkdirSync('run'); // fails if there is a run already
const trainer = createVerifiedTrainer({
  parameters: Object.fromEntries(
    [...variables].map(([name, variable]) => [name, { shape: variable.shape, data: variable.dataSync().slice() }]),
  ),
  optimizer: adamW({ learningRate: 0.05 }),
  invariants: [
    lossStabilityBound({ spikeCap: 1, window: 20, maxGradientNorm: 20, maxStepSize: 1 }),
    weightNormBound({ max: 30 }),
  ],
  run: { model: 'dense 16, tanh', data: 'sum of two squares', tfjs: tf.version.tfjs },
  ledger: (line) => appendFileSync('run/ledger.jsonl', line),
});

for (let step = 1; step <= 100; step++) {
  // Step 50 gets targets that nobody scaled: the gate refuses its update, and training goes on.
  const scale = step === 50 ? 1e4 : 1;
  const { value, grads } = tf.tidy(() =>
    tf.variableGrads(() => tf.losses.meanSquaredError(targets.mul(scale), model.apply(inputs))),
  );
  const outcome = await trainer.step({
    loss: value.dataSync()[0],
    gradients: Object.fromEntries(Object.entries(grads).map(([name, gradient]) => [nameOf(name), gradient.dataSync()])),
  });
  tf.dispose([value, grads]);
  if (outcome.verdict === 'refused') {
    const [{ what, value: measured, bound }] = outcome.violations;
    console.log(`step ${step} refused: ${what} is ${measured}, must be at most ${bound}`);
    continue;
  }
  // pv updated its own arrays; TensorFlow.js gets a copy.
  for (const { name, shape, data } of trainer.parameters)
    tf.tidy(() => variables.get(name).assign(tf.tensor(data, shape)));
  if (step % 25 === 0) console.log(`step ${step}: loss ${outcome.loss.toFixed(4)}`);
}

const certificate = await trainer.seal({ code: { name: 'my TensorFlow.js trainer', version: '1', digest: null } });
writeFileSync('run/weights.safetensors', weightsFile(trainer.parameters));
writeFileSync('run/certificate.json', certificateFile(certificate));
console.log(`${certificate.committedSteps} of ${certificate.totalSteps} steps committed`);
