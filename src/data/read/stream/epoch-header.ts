/**
 * Logs that name the epoch on a line of its own, before its numbers: Keras's `Epoch 3/5` and the bars below it, and
 * loops that print `Epoch 3/5`, then `train loss: 0.7`.
 *
 * A bar shows the mean over the epoch so far: only its last state is a row, that of the whole epoch or of the part
 * after which training stopped.
 */

/** nnU-Net's loggers write their time before it, those of AllenNLP and SpeechBrain their names. */
const time = String.raw`^(?:\[?\d{4}-\d\d-\d\d[ T][\d:.,]+\]?:?\s+(?:- INFO - )?)?(?:[\w.]+ - )?[\s=*#-]*`;
const header = new RegExp(
  String.raw`${time}Epoch\s*[:#]?\s*(\d+)(?:\s*\/\s*\d+)?(?:\s*\|\s*time\b[^|]*)?[\s=*#:-]*$`,
  'i',
);
/** `Starting epoch 3`, `Training at epoch 2 (total 2) with lr 0.0008`. */
const announced = new RegExp(
  String.raw`${time}(?:start(?:ing)?|begin(?:ning)?|training|going)(?:\s+(?:training|at|of|for|new|into))*\s+epoch\s*[:#]?\s*(\d+)(?![\d.]*\d)(?![^]*loss)[^=:|]*[\s=*#:-]*$`,
  'i',
);
const bar = /^\s*(\d+)\/(\d+|Unknown)\s/;
const validating = /\ballennlp\.[\w.]+ - Validating\s*$|^Eval begin\.\.\./;
const training = /\ballennlp\.[\w.]+ - Training\s*$|^Eval samples: \d/;
const MAX_HEADER = 200;

interface HeldLine {
  readonly text: string;
  readonly line: number;
  readonly epoch: number;
}

/** Tracks the epoch from line to line. */
export interface EpochHeaders {
  /** What to do with a line: skip it, or read it as part of its epoch. */
  readonly take: (text: string, line: number) => 'pass over' | 'read';
  /** The bar that ended before it was full, when the epoch is over. */
  readonly unfinished: (text: string | null) => HeldLine | null;
  /** The epoch of a line that does not state one; null before the first. */
  readonly epoch: () => number | null;
}

/** A tracker before the first line. */
export function createEpochHeaders(): EpochHeaders {
  let epoch: number | null = null;
  let held: HeldLine | null = null;
  /** AllenNLP and Paddle show the batches of a validation as they do those of training. */
  let isValidating = false;
  return {
    epoch: () => epoch,
    unfinished: (text) => {
      const isOver = held !== null && (text === null || isEpochHeader(text));
      const last = isOver ? held : null;
      if (isOver) held = null;
      return last;
    },
    take: (text, line) => {
      if (isEpochHeader(text)) {
        epoch = Number((header.exec(text) ?? announced.exec(text))?.[1]);
        isValidating = false;
        return 'pass over';
      }
      isValidating = validating.test(text) || (isValidating && !training.test(text));
      if (isValidating) return 'pass over';
      const counter = epoch === null ? null : bar.exec(text);
      if (!counter || epoch === null) return 'read';
      if (counter[1] === counter[2]) {
        held = null;
        return 'read';
      }
      held = { text, line, epoch };
      return 'pass over';
    },
  };
}

/** Whether a line says which epoch begins, and nothing else. */
export function isEpochHeader(text: string): boolean {
  return text.length < MAX_HEADER && (header.test(text) || announced.test(text));
}
