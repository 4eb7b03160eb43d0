/** Holds src/scan/training-context.ts. */
import { describe, expect, it } from 'vitest';
import { pointedAt } from '../../support/scan-code.ts';

const rule = 'console-diagnostics';

describe('console-diagnostics finds', () => {
  it.each([
    [
      'a loss in a loop over steps',
      'for (let step = 0; step < n; step++) { console.log(`step ${step} loss ${loss}`); }',
      'console.log(`step ${step} loss ${loss}`)',
    ],
    [
      'a gradient norm in a function of training',
      'function trainStep(b) { console.warn("grad norm", gradNorm); }',
      'console.warn("grad norm", gradNorm)',
    ],
    [
      'a learning rate on standard output',
      'async function train() { process.stdout.write(`lr=${lr}\\n`); }',
      'process.stdout.write(`lr=${lr}\\n`)',
    ],
    [
      'a method of a trainer',
      'class T { fit() { console.info({ loss: l, lr: this.lr }); } }',
      'console.info({ loss: l, lr: this.lr })',
    ],
    [
      'a loop that calls backward',
      'while (!done) { const out = f(); out.backward(); console.debug(out.loss.item()); }',
      'console.debug(out.loss.item())',
    ],
    [
      'a loop over batches',
      'for (const batch of loader) { console.log("loss:", f(batch)); }',
      'console.log("loss:", f(batch))',
    ],
    [
      'a callback of an epoch',
      'const cb = { onEpochEnd: (epoch, logs) => { console.log(`epoch ${epoch}: ${logs.loss}`); } };',
      'console.log(`epoch ${epoch}: ${logs.loss}`)',
    ],
    [
      'standard error',
      'const trainLoop = () => { process.stderr.write("val_loss: " + v); };',
      'process.stderr.write("val_loss: " + v)',
    ],
    ['a loop to a number of steps', 'while (step < maxSteps) { console.log("loss", l); }', 'console.log("loss", l)'],
    [
      'a loop over epochs',
      'for (let i = 0; i < config.epochs; i++) { console.log(trainLoss); }',
      'console.log(trainLoss)',
    ],
    [
      'a loop over a loader',
      'for await (const { x, y } of trainLoader) { console.log({ lr }); }',
      'console.log({ lr })',
    ],
    [
      'a callback of batches',
      'batches.forEach((b) => { console.log(`loss ${f(b)}`); });',
      'console.log(`loss ${f(b)}`)',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });
});

describe('console-diagnostics leaves alone', () => {
  it.each([
    ['a structured event', 'function train() { emitMetric({ step, loss, lr }); logger.info({ loss }); }'],
    ['a message without a metric', 'function train() { console.log("saved the checkpoint"); }'],
    ['a viewer of a finished run', 'for (const row of history) { console.log(row.epoch, row.loss); }'],
    ['a report', 'function printTrainingReport(r) { console.log(`final loss: ${r.loss}`); }'],
    ['a report of a report', 'function main() { console.log(`loss: ${result.loss}`); }'],
    ['another loss', 'function trainOnline() { console.warn("possible data loss: " + file); }'],
    ['an installer', 'for (const s of steps) { console.log("Step " + s.title); }'],
    ['a lossless codec', 'for (const f of files) { console.log(f.lossless); }'],
    ['a console of its own', 'import { console } from "./ui.ts"; function train() { console.log(loss); }'],
    ['a comment', 'function train() { /* console.log(loss) */ }'],
    ['a text', 'function train() { hint("console.log(loss) is not an event"); }'],
    ['a curve', 'for (let epoch = 0; epoch < history.loss.length; epoch++) { console.log(history.loss[epoch]); }'],
    [
      'a warning about data',
      'function fitDataset() { console.warn(`ran out of data: expected ${batchesPerEpoch} batches`); }',
    ],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});
