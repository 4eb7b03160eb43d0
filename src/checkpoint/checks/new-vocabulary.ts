/** A run that starts again from the weights because its vocabulary changed: nothing else of the checkpoint fits, so all of it is left. */
import type { Probe } from '../probe/probe.ts';
import type { Evidence } from './check.ts';

/**
 * Whether the embedding has another size than at the save, and every rank is at step 0 of epoch 0 with an optimizer and a scheduler
 * that have not stepped. A run that keeps a part of its position or state does not start again: it is inconsistent.
 */
export function startsWithNewVocabulary({ live, saved }: Evidence): boolean {
  const before = saved?.[0]?.embedding_rows ?? null;
  if (live === null || before === null) return false;
  return live.every(
    (probe) => typeof probe.embedding_rows === 'number' && probe.embedding_rows !== before && isFresh(probe),
  );
}

const isFresh = ({ step, epoch, batch_in_epoch: batch, optimizer, scheduler }: Probe): boolean =>
  step === 0 &&
  (epoch ?? 0) === 0 &&
  (batch ?? 0) === 0 &&
  optimizer?.parameters.every((parameter) => (parameter.step ?? 0) === 0) === true &&
  (scheduler?.last_epoch ?? 0) === 0;
