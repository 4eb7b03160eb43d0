// Trains a small jax-js model whose every update passes pv's gate, and writes a certified run to run/.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import {
  certificateFile,
  createVerifiedTrainer,
  lossStabilityBound,
  sgd,
  weightNormBound,
  weightsFile,
} from 'provable-contracts/training';
import { numpy as np, valueAndGrad } from '@jax-js/jax';

// A parabola through 64 points, and weights from a seed.
const points = Float32Array.from({ length: 64 }, (_, i) => i / 32 - 1);
const labels = points.map((x) => x * x);
let seed = 1;
const random = () => ((seed = (seed * 48271) % 2147483647) / 2147483647 - 0.5) * 2;
const shapes = { 'hidden.weight': [1, 16], 'hidden.bias': [16], 'output.weight': [16, 1], 'output.bias': [1] };

mkdirSync('run'); // fails if there is a run already
const trainer = createVerifiedTrainer({
  parameters: Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      const size = shape.reduce((product, n) => product * n, 1);
      return [name, { shape, data: Float32Array.from({ length: size }, random) }];
    }),
  ),
  optimizer: sgd({ learningRate: 0.05, momentum: 0.9 }),
  invariants: [
    lossStabilityBound({ spikeCap: 1, window: 20, maxGradientNorm: 20, maxStepSize: 1 }),
    weightNormBound({ max: 30 }),
  ],
  run: { model: 'dense 16, tanh', data: 'parabola', seed: 1 },
  ledger: (line) => appendFileSync('run/ledger.jsonl', line),
});

/** Mean squared error. jax-js counts references: `.ref` keeps an array that is used again. */
function loss(weights, x, y) {
  const hidden = np.tanh(np.dot(x, weights['hidden.weight']).add(weights['hidden.bias']));
  const error = np.dot(hidden, weights['output.weight']).add(weights['output.bias']).sub(y);
  return np.mean(error.ref.mul(error));
}
const lossAndGradients = valueAndGrad(loss);

for (let step = 1; step <= 100; step++) {
  // Step 50 gets labels that nobody scaled: the gate refuses its update, and training goes on.
  const scale = step === 50 ? 1e4 : 1;
  const weights = Object.fromEntries(
    trainer.parameters.map(({ name, shape, data }) => [name, np.array(data.slice()).reshape(shape)]),
  );
  const x = np.array(points.slice()).reshape([64, 1]);
  const y = np.array(labels.map((label) => label * scale)).reshape([64, 1]);
  const [value, gradients] = lossAndGradients(weights, x, y);
  const arrays = await Promise.all(Object.entries(gradients).map(async ([name, g]) => [name, await g.data()]));
  const outcome = await trainer.step({ loss: (await value.data())[0], gradients: Object.fromEntries(arrays) });
  if (outcome.verdict === 'refused') {
    const [{ what, value: measured, bound }] = outcome.violations;
    console.log(`step ${step} refused: ${what} is ${measured}, must be at most ${bound}`);
  } else if (step % 25 === 0) console.log(`step ${step}: loss ${outcome.loss.toFixed(4)}`);
}

const certificate = await trainer.seal({ code: { name: 'my jax-js trainer', version: '1', digest: null } });
writeFileSync('run/weights.safetensors', weightsFile(trainer.parameters));
writeFileSync('run/certificate.json', certificateFile(certificate));
console.log(`${certificate.committedSteps} of ${certificate.totalSteps} steps committed`);
