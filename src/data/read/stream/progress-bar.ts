/**
 * Progress bars with numbers of training: `Epoch 3: 100%|█| 10/10 [00:01<00:00, loss=2.5]`, `steps:  8%|█ | 229/2820 [05:25<1:01, avr_loss=0.1]`.
 * A bar is drawn again and again; a file may hold the last drawing of each epoch alone, and SpeechBrain names the epoch on a line before.
 */

/** The state of a bar. */
interface Bar {
  readonly step: number;
  readonly total: number;
  /** Null if the bar names none. */
  readonly epoch: number | null;
  /** Batches of the bars before, if none of them names its epoch. */
  readonly before: number;
  /** It is drawn again, or shows the end of the bar before. */
  readonly saysAgain: boolean;
}

/** Bars of a text, one line after the other. */
export interface ProgressBars {
  /** The bar in a line, of `epochBefore` if it names none; null for lines without a bar, or without numbers of training. */
  readonly read: (text: string, isOfTraining: boolean, epochBefore: number | null) => Bar | null;
}

const progressBar = /\|\s*(\d+)\/(\d+)\s+\[/;
const epochOfBar = /^\s*(?:train(?:ing)?\s+)?epoch\s*[:#]?\s*(\d+)/i;
const epoch = /\bepoch\b/i;

/** Remembers the bar before, and whether an epoch began since. */
export function createProgressBars(): ProgressBars {
  let last: Bar | null = null;
  let epochBegins = false;
  /** One bar for all epochs, as kohya's scripts draw it: it is not full where the next epoch begins. */
  let isOfRun = false;
  const next = (step: number, total: number, of: number | null): Bar => {
    if (last === null) return { step, total, epoch: of, before: 0, saysAgain: step === 0 };
    const begins = epochBegins && last.step === last.total && step <= last.step;
    const isDrawnAgain = step === last.step && of === last.epoch && !begins;
    const before = last.before + (begins && of === null ? last.total : 0);
    return { step, total, epoch: of, before, saysAgain: step === 0 || isDrawnAgain };
  };
  return {
    read: (text, isOfTraining, epochBefore) => {
      const found = isOfTraining ? progressBar.exec(text) : null;
      if (!found) {
        epochBegins ||= epoch.test(text);
        return null;
      }
      const named = epochOfBar.exec(text)?.[1];
      const [step, total] = [Number(found[1]), Number(found[2])];
      isOfRun ||= named === undefined && goesOn(last, step, total, epochBefore);
      last = next(step, total, named === undefined ? (isOfRun ? null : epochBefore) : Number(named));
      epochBegins = false;
      return last;
    },
  };
}

/** Whether a bar of a later epoch goes on where that of the epoch before was, which was not full. */
function goesOn(last: Bar | null, step: number, total: number, epochNow: number | null): boolean {
  if (last === null || last.epoch === null || last.epoch === epochNow || last.total !== total) return false;
  return last.step < last.total && step > last.step;
}
