/** A stop between two updates: the gradients of the micro-batches so far are in no checkpoint, so the next update lacks them. */
import { critical, notChecked, pass, warn } from './check.ts';
import { ofEachRank } from './probe-check.ts';

const name = 'accumulation state';

export const accumulationState = ofEachRank(({ live, saved }) => {
  const now = live.accumulation ?? null;
  if (now === null) return notChecked(name, 'the probe has no accumulation: pass (done, of) to write_probe');
  const before = saved?.accumulation ?? null;
  if (before === null)
    return notChecked(name, saved === null ? noCounter : 'the probe of the save has no accumulation');
  const expected = `${before.done} of ${before.of} micro-batches done`;
  const actual = `${now.done} of ${now.of} micro-batches done`;
  if (before.done >= before.of && before.of > 0)
    return critical(name, {
      expected: `fewer than ${before.of} micro-batches`,
      actual: `${before.done} at the save`,
      why: 'more micro-batches were accumulated than an update takes: updates and micro-batches are counted as one',
      fix: 'Count updates apart from micro-batches; save after an update.',
    });
  if (now.done > before.done || (now.done < before.done && now.done > 0))
    return critical(name, {
      expected,
      actual,
      why: 'the counter is that of another moment, so the next update has too few or too many micro-batches',
      fix: 'Restore the counter with the checkpoint, or start it at 0 and go back to the last update.',
    });
  if (before.done > 0)
    return warn(name, {
      expected,
      actual,
      why: `the checkpoint was saved in the middle of an accumulation: the gradients of ${before.done} micro-batches are lost, and the next update ${now.done === 0 ? 'starts again' : `uses only ${before.of - before.done}`}`,
      fix: 'Save right after an update. Expect a disturbance of some hundred steps otherwise.',
    });
  return pass(name, { expected, actual });
});

const noCounter = 'the checkpoint does not say how many micro-batches were accumulated (pv_probe.json)';
