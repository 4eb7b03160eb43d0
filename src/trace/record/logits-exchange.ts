/** The memory that a generating thread and the one that works for it share. */
import { err, ok } from '../../base/result.ts';
import type { FileProblem } from '../../host/host.ts';
import { checksumBytes } from '../format/frame.ts';
import { noToken } from '../format/limits.ts';
import type { Sketch } from '../format/trace.ts';
import { hashBytes } from '../../merkle/hash.ts';
import type { AppendOrder, KeptLogits, Outcome, StepTokens } from './kept-logits.ts';

/** The sizes and the memory; what a thread is started with. */
export interface SharedLogits {
  readonly memory: SharedArrayBuffer;
  /** Logits of a step. */
  readonly length: number;
  /** How many of them a sketch holds. */
  readonly sketch: number;
}

/** Places in {@link Exchange.control}, which come first in the memory. */
export const control = {
  /** 1 once the thread runs. */
  ready: 0,
  /** One of {@link phases}. */
  phase: 1,
} as const;

/** Who owns the rest of the memory, and what is in it. */
export const phases = {
  /** The generating thread's. */
  idle: 0,
  /** A step is there. The generating thread may take it back, and the other take it on. */
  asked: 1,
  /** Owned by the other thread; what it writes to a file is the step's only block. */
  takenOn: 2,
  /** The step's result is available. */
  answered: 3,
  /** The thread has ended, with no unanswered step. */
  over: 4,
  /**
   * The accepted step is abandoned: the thread ended in it, or was given up. Whether it is in the file is unknown.
   */
  lost: 5,
} as const;

export interface Exchange {
  readonly control: Int32Array;
  readonly logits: Float32Array;
  readonly ask: (step: StepTokens, order: AppendOrder | null) => void;
  /** The request. */
  readonly asked: () => { readonly step: StepTokens; readonly order: AppendOrder | null };
  readonly answer: (outcome: Outcome) => void;
  /** A copy of what was answered; `path` is that of the order. */
  readonly answered: (path: string) => Outcome;
}

/** Positions of the unsigned numbers in requests and answers. */
const at = {
  position: 0,
  inputToken: 1,
  outputToken: 2,
  /** The descriptor plus one, so that 0 means none. */
  descriptor: 3,
  endsInStep: 4,
  /** The index plus one, so that 0 means none. */
  nonFinite: 5,
  appended: 6,
  problem: 7,
} as const;

const appendedAs = { not: 0, whole: 1, failed: 2 } as const;

/** Why a step could not be written: JSON, in UTF-8. */
const problemBytes = 2048;
const longestMessage = 200;

/**
 * Bytes of a line of the cache, which the controls have to themselves so that the logits begin with one: at any other
 * place, writing what the other thread has read takes seven times as long (bench/trace, 30 µs of 128 KiB instead of 4).
 */
const cacheLine = 64;

export function shareLogits(length: number, sketch: number): SharedLogits {
  const words = Object.keys(at).length + length + 2 * sketch + 1;
  return {
    memory: new SharedArrayBuffer(cacheLine + 4 * words + checksumBytes + hashBytes + problemBytes),
    length,
    sketch,
  };
}

/**
 * The generating thread sends requests and takes answers after a forward pass, which empties the caches: the cost is in the
 * code and objects that are touched, so these are few.
 */
export function exchangeOf({ memory, length, sketch }: SharedLogits): Exchange {
  let end = 0;
  const place = (bytes: number): number => (end += bytes) - bytes;
  const controls = Object.keys(control).length;
  const count = Object.keys(at).length;
  const flags = new Int32Array(memory, place(cacheLine), controls);
  const logits = new Float32Array(memory, place(4 * length), length);
  const numbers = new Uint32Array(memory, place(4 * count), count);
  const checksum = new Uint8Array(memory, place(checksumBytes), checksumBytes);
  const hash = new Uint8Array(memory, place(hashBytes), hashBytes);
  const problem = new Uint8Array(memory, place(problemBytes), problemBytes);
  const ids = new Uint32Array(memory, place(4 * sketch), sketch);
  // The logits of a sketch and their log-sum-exp are float32 numbers, so that nothing is lost here.
  const largest = new Float32Array(memory, place(4 * sketch), sketch);
  const logSumExp = new Float32Array(memory, place(4), 1);

  const readSketch = (): Sketch => ({ ids: [...ids], logits: [...largest], logSumExp: logSumExp[0] ?? 0 });
  const readProblem = (path: string): FileProblem => {
    const text = new TextDecoder().decode(problem.slice(0, numbers[at.problem]));
    return { ...(JSON.parse(text) as Omit<FileProblem, 'path'>), path };
  };
  const writeProblem = ({ kind, message }: FileProblem): void => {
    const text = new TextEncoder().encode(JSON.stringify({ kind, message: message.slice(0, longestMessage) }));
    problem.set(text);
    numbers[at.problem] = text.length;
  };
  const writeKept = ({ logitsHash, sketch: taken }: KeptLogits): void => {
    hash.set(logitsHash);
    if (taken === null) return;
    ids.set(taken.ids);
    largest.set(taken.logits);
    logSumExp[0] = taken.logSumExp;
  };

  return {
    control: flags,
    logits,
    ask({ position, inputToken, outputToken }, order) {
      numbers[at.position] = position;
      numbers[at.inputToken] = inputToken;
      numbers[at.outputToken] = outputToken ?? noToken;
      numbers[at.descriptor] = order === null ? 0 : order.descriptor + 1;
      if (order === null) return;
      numbers[at.endsInStep] = order.behind.endsInStep ? 1 : 0;
      checksum.set(order.behind.checksum);
    },
    asked() {
      const [position = 0, inputToken = 0, output = 0, descriptor = 0, endsInStep = 0] = numbers;
      const step = { position, inputToken, outputToken: output === noToken ? null : output };
      const behind = { checksum: checksum.slice(), endsInStep: endsInStep === 1 };
      return { step, order: descriptor === 0 ? null : { descriptor: descriptor - 1, path: '', behind } };
    },
    answer({ kept, appended }) {
      numbers[at.nonFinite] = kept.ok ? 0 : kept.error.index + 1;
      if (kept.ok) writeKept(kept.value);
      numbers[at.appended] = appended === null ? appendedAs.not : appended.ok ? appendedAs.whole : appendedAs.failed;
      if (appended?.ok === true) checksum.set(appended.value.checksum);
      else if (appended !== null) writeProblem(appended.error);
    },
    answered(path) {
      const [index, how] = [(numbers[at.nonFinite] ?? 0) - 1, numbers[at.appended]];
      if (index >= 0) return { kept: err({ index, value: logits[index] ?? Number.NaN }), appended: null };
      const kept = ok({ logitsHash: hash.slice(), sketch: sketch === 0 ? null : readSketch() });
      if (how === appendedAs.not) return { kept, appended: null };
      const whole = how === appendedAs.whole;
      return { kept, appended: whole ? ok({ checksum: checksum.slice(), endsInStep: true }) : err(readProblem(path)) };
    },
  };
}
