/**
 * Counters in a line of text: `iteration 3/ 1000`, `[1/14165 batches]`, `Epoch [1/3], Step [100/600]`,
 * `Epoch: [0][10/5005]`, Swin's `Train: [0/300][10/1251]`, mmengine's `Epoch(train) [1][10/100]`, `[2,  4000]`, and those of progress bars.
 */
import { isNamedLoss, objectives } from '../log-names.ts';
import type { LogRows } from './log-rows.ts';
import { createProgressBars } from './progress-bar.ts';

/** Puts a value under a name that the line does not give itself. */
type PutCounter = (name: string, value: number) => void;

/**
 * Reads the counters of a line; true when it is a progress bar that is drawn again. `epochBefore` is the epoch that a line before
 * named.
 */
type ReadCounters = (rows: LogRows, put: PutCounter, text: string, epochBefore: number | null) => boolean;

const counterAt = /^\s*\[\s*(\d+)\s*\/\s*(\d+)(?:\s+(\w+))?\s*\]/;
const iterationOf = /\b(?:step|iter|iteration|epoch)s?[ :=]*\s(\d+)\s*\/\s*(\d+)/i;
const epochAndBatch = /^\s*\[(\d+),\s*(\d+)\]/;
const bracketed =
  /\b(epoch|step|iter|iteration|batch|train(?=: \[\d+\/\d+\]\[\d))(?:\((?:train|val|test)\))?\s*:?\s*\[\s*(\d+)\s*(?:\/\s*(\d+)\s*)?\](?:\s*\[\s*(\d+)\s*\/\s*(\d+)\s*\])?/gi;

/** Remembers whether the log counts its epochs from 0 or from 1. */
export function createCounters(): ReadCounters {
  let firstEpoch: number | null = null;

  const readBracketed = (rows: LogRows, put: PutCounter, text: string): void => {
    let epoch: number | null = null;
    let batch: number | null = null;
    let batches: number | null = null;
    for (const [, word = '', first, of, second, ofSecond] of text.matchAll(bracketed)) {
      const isEpoch = /^(?:epoch|train)$/i.test(word);
      if (isEpoch) epoch = Number(first);
      const [n, total] = isEpoch ? [second, ofSecond] : [first, of];
      if (n === undefined) continue;
      batch = Number(n);
      batches = total === undefined ? null : Number(total);
    }
    if (epoch !== null) {
      firstEpoch ??= Math.min(epoch, 1);
      put('epoch', epoch);
    }
    if (batch === null || rows.has('step')) return;
    if (epoch === null) {
      put('step', batch);
      if (batches !== null) put('total_steps', batches);
      return;
    }
    // Batches begin again in each epoch; steps continue.
    put('batch', batch);
    if (batches === null) return;
    put('total_batches', batches);
    put('step', (epoch - (firstEpoch ?? 0)) * batches + batch);
  };

  const bars = createProgressBars();
  const readBar: ReadCounters = (rows, put, text, epochBefore) => {
    const isOfTraining =
      !rows.has('step') &&
      (rows.has('learning_rate', 'grad_norm', 'eval_loss', ...objectives) || rows.hasKey(isNamedLoss));
    const bar = bars.read(text, isOfTraining, epochBefore);
    if (bar === null) return false;
    if (bar.epoch === null) {
      put('step', bar.before + bar.step);
      if (bar.before === 0) put('total_steps', bar.total);
      return bar.saysAgain;
    }
    firstEpoch ??= Math.min(bar.epoch, 1);
    put('epoch', bar.epoch);
    put('batch', bar.step);
    put('total_batches', bar.total);
    put('step', (bar.epoch - firstEpoch) * bar.total + bar.step);
    return bar.saysAgain;
  };

  return (rows, put, text, epochBefore) => {
    const pair = text.includes('[') ? epochAndBatch.exec(text) : null;
    if (pair) {
      put('epoch', Number(pair[1]));
      put('batch', Number(pair[2]));
    }
    // Most lines have neither, and a search for a character is far cheaper than the expressions.
    if (text.includes(']')) readBracketed(rows, put, text);
    if (text.includes('/')) readSlashes(rows, put, text);
    return readBar(rows, put, text, epochBefore);
  };
}

function readSlashes(rows: LogRows, put: PutCounter, text: string): void {
  const iteration = iterationOf.exec(text);
  if (iteration) {
    const name = /^epoch/i.test(iteration[0]) ? 'epoch' : 'step';
    put(name, Number(iteration[1]));
    if (name === 'step') put('total_steps', Number(iteration[2]));
  }
  const counter = counterAt.exec(text);
  if (counter) {
    const isStep =
      !rows.has('step') && (counter[3] === undefined || /^(?:steps?|iters?|iterations?)$/i.test(counter[3]));
    put(isStep ? 'step' : 'batch', Number(counter[1]));
    put(isStep ? 'total_steps' : 'total_batches', Number(counter[2]));
  }
}
