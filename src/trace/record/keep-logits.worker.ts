/** The entry of the thread that hashes logits for another one. */
import { workerData } from 'node:worker_threads';
import { keepLogits } from './kept-logits.ts';
import { control, exchangeOf, type SharedLogits } from './logits-exchange.ts';

const shared = workerData as SharedLogits;
const exchange = exchangeOf(shared);
const { ready, asked, answered } = control;

Atomics.store(exchange.control, ready, 1);
let turn = 0;
for (;;) {
  Atomics.wait(exchange.control, asked, turn);
  turn = Atomics.load(exchange.control, asked);
  if (turn < 0) break;
  exchange.write(keepLogits(exchange.logits, shared.sketch));
  Atomics.store(exchange.control, answered, turn);
  Atomics.notify(exchange.control, answered);
}
