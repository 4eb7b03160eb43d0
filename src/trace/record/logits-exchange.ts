/** The memory that a generating thread and the one that works for it share. */
import { err, ok } from '../../base/result.ts';
import type { FileProblem } from '../../host/host.ts';
import { checkBytes } from '../format/frame.ts';
import { noToken } from '../format/limits.ts';
import { hashBytes } from '../merkle/hash.ts';
import type { AppendOrder, Outcome, StepTokens } from './kept-logits.ts';

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

/** Who has the rest of the memory, and what is in it. */
export const phases = {
  /** The generating thread's. */
  idle: 0,
  /** A step is there. The generating thread may take it back, and the other take it on. */
  asked: 1,
  /** The other thread's, and what it writes to a file is the step's only block. */
  takenOn: 2,
  /** What came of the step is there. */
  answered: 3,
  /** The thread ends. */
  over: 4,
} as const;

export interface Exchange {
  readonly control: Int32Array;
  readonly logits: Float32Array;
  readonly ask: (step: StepTokens, order: AppendOrder | null) => void;
  /** What was asked; the path of an order stays with who knows it. */
  readonly asked: () => { readonly step: StepTokens; readonly order: AppendOrder | null };
  readonly answer: (outcome: Outcome) => void;
  /** A copy of what was answered; `path` is that of the order. */
  readonly answered: (path: string) => Outcome;
}

/** Unsigned numbers of what is asked and answered. */
const words = [
  'position',
  'inputToken',
  'outputToken',
  'descriptor',
  'endsInStep',
  'nonFinite',
  'appended',
  'problem',
] as const;

/** Why a step could not be written: JSON, in UTF-8. */
const problemBytes = 2048;
const longestMessage = 200;

const appendedAs = { not: 0, whole: 1, failed: 2 } as const;

export function shareLogits(length: number, sketch: number): SharedLogits {
  const numbers = Object.keys(control).length + words.length + length + 2 * sketch + 1;
  return { memory: new SharedArrayBuffer(4 * numbers + checkBytes + hashBytes + problemBytes), length, sketch };
}

export function exchangeOf({ memory, length, sketch }: SharedLogits): Exchange {
  let end = 0;
  const place = (bytes: number): number => (end += bytes) - bytes;
  const controls = Object.keys(control).length;
  const flags = new Int32Array(memory, place(4 * controls), controls);
  const numbers = new Uint32Array(memory, place(4 * words.length), words.length);
  const check = new Uint8Array(memory, place(checkBytes), checkBytes);
  const hash = new Uint8Array(memory, place(hashBytes), hashBytes);
  const problem = new Uint8Array(memory, place(problemBytes), problemBytes);
  const logits = new Float32Array(memory, place(4 * length), length);
  const ids = new Uint32Array(memory, place(4 * sketch), sketch);
  // The logits of a sketch and their log-sum-exp are float32 numbers, so that nothing is lost here.
  const largest = new Float32Array(memory, place(4 * sketch), sketch);
  const logSumExp = new Float32Array(memory, place(4), 1);

  const put = (word: (typeof words)[number], value: number): void => void (numbers[words.indexOf(word)] = value);
  const get = (word: (typeof words)[number]): number => numbers[words.indexOf(word)] ?? 0;

  const keptOf = (): Outcome['kept'] => {
    // One more than the index, so that 0 is none.
    const index = get('nonFinite') - 1;
    if (index >= 0) return err({ index, value: logits[index] ?? Number.NaN });
    const numbersKept = { ids: [...ids], logits: [...largest], logSumExp: logSumExp[0] ?? 0 };
    return ok({ logitsHash: Uint8Array.from(hash), sketch: sketch === 0 ? null : numbersKept });
  };
  const appendedOf = (path: string): Outcome['appended'] => {
    const how = get('appended');
    if (how === appendedAs.not) return null;
    if (how === appendedAs.whole) return ok({ check: Uint8Array.from(check), endsInStep: true });
    const text = new TextDecoder().decode(problem.slice(0, get('problem')));
    return err({ ...(JSON.parse(text) as Omit<FileProblem, 'path'>), path });
  };

  return {
    control: flags,
    logits,
    ask({ position, inputToken, outputToken }, order) {
      put('position', position);
      put('inputToken', inputToken);
      put('outputToken', outputToken ?? noToken);
      // One more than the descriptor, so that 0 is none.
      put('descriptor', order === null ? 0 : order.descriptor + 1);
      if (order === null) return;
      put('endsInStep', order.behind.endsInStep ? 1 : 0);
      check.set(order.behind.check);
    },
    asked() {
      const output = get('outputToken');
      const step = {
        position: get('position'),
        inputToken: get('inputToken'),
        outputToken: output === noToken ? null : output,
      };
      const descriptor = get('descriptor') - 1;
      const behind = { check: Uint8Array.from(check), endsInStep: get('endsInStep') === 1 };
      return { step, order: descriptor < 0 ? null : { descriptor, path: '', behind } };
    },
    answer({ kept, appended }) {
      put('nonFinite', kept.ok ? 0 : kept.error.index + 1);
      put('appended', appended === null ? appendedAs.not : appended.ok ? appendedAs.whole : appendedAs.failed);
      if (kept.ok) {
        hash.set(kept.value.logitsHash);
        ids.set(kept.value.sketch?.ids ?? []);
        largest.set(kept.value.sketch?.logits ?? []);
        logSumExp[0] = kept.value.sketch?.logSumExp ?? 0;
      }
      if (appended === null) return;
      if (appended.ok) return check.set(appended.value.check);
      const { kind, message } = appended.error;
      const text = new TextEncoder().encode(JSON.stringify({ kind, message: message.slice(0, longestMessage) }));
      problem.set(text);
      put('problem', text.length);
    },
    answered: (path) => ({ kept: keptOf(), appended: appendedOf(path) }),
  };
}
