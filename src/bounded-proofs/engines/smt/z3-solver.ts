/** Z3 as WebAssembly from npm, in a process of its own, so that its memory and its crashes do not affect this one. */
import { startProcess, type Runner } from '../../../host/runner.ts';
import type { Budget } from '../engine.ts';
import { assignmentOf, undecided } from './answer.ts';
import type { Solver, SolverAnswer, SolverQuestion } from './solver.ts';
import type { Z3Reply, Z3Request } from './z3-messages.ts';

/** The version that package.json pins. */
export const z3Version = '4.15.8';

/** Built next to the command line. */
const builtEntry = new URL('./z3.worker.js', import.meta.url);

/** Limit of the process's JavaScript heap, of which Z3 hardly uses any. */
const heapMb = 256;

/** After this many answers a process is replaced, because WebAssembly's memory never shrinks. */
const questionsPerProcess = 400;

/** Text is passed to Z3 on its stack of 20 MB, without a check. */
const longestText = 4_000_000;

type Ended = { readonly kind: 'ended'; readonly reason: string };
type Heard = Z3Reply | Ended | { readonly kind: 'late' };

interface Session {
  readonly ask: (request: Z3Request, timeoutMs: number) => Promise<Heard>;
  readonly end: () => Promise<void>;
}

/** Where the process starts. */
export interface Z3Options {
  /** The process's module, if it is not next to this one. */
  readonly entry?: URL;
}

/**
 * The process starts with the first question, and again after a crash. A missing package is a failed answer.
 */
export function createZ3Solver({ entry = builtEntry }: Z3Options = {}): Solver {
  let session: Session | null = null;
  let asked = 0;
  let last: Promise<unknown> = Promise.resolve();

  const retire = async (): Promise<void> => {
    const ending = session;
    session = null;
    asked = 0;
    await ending?.end();
  };

  const ask = async (question: SolverQuestion, budget: Budget): Promise<SolverAnswer> => {
    if (question.text.length > longestText) return { kind: 'exhausted', budget: 'memory', steps: 0 };
    if (asked >= questionsPerProcess) await retire();
    if (!session) {
      const opened = await openSession(entry);
      if ('reason' in opened) return { kind: 'failed', message: opened.reason };
      session = opened;
    }
    asked += 1;
    const heard = await session.ask({ ...question, steps: Math.max(1, Math.floor(budget.steps)) }, budget.timeoutMs);
    const answer = answerOf(heard);
    if (heard.kind !== 'answer' && heard.kind !== 'misunderstood') await retire();
    return answer;
  };

  return {
    version: `z3-solver ${z3Version}`,
    ask: (question, budget) => {
      const answer = last.then(() => ask(question, budget));
      last = answer.catch(() => undefined);
      return answer;
    },
    close: retire,
  };
}

function answerOf(heard: Heard): SolverAnswer {
  switch (heard.kind) {
    case 'late':
      return { kind: 'exhausted', budget: 'time', steps: 0 };
    case 'ended':
      return /memory/.test(heard.reason)
        ? { kind: 'exhausted', budget: 'memory', steps: 0 }
        : { kind: 'failed', message: `the solver's process ended: ${heard.reason}` };
    case 'broken':
      return /memory|unreachable|out of bounds/i.test(heard.reason)
        ? { kind: 'exhausted', budget: 'memory', steps: 0 }
        : { kind: 'failed', message: `the solver failed: ${heard.reason}` };
    case 'ready':
    case 'absent':
      return { kind: 'failed', message: 'the solver answered out of turn' };
    case 'misunderstood':
      return { kind: 'failed', message: `the solver does not understand the question: ${heard.reason}` };
    case 'answer':
      return readAnswer(heard);
  }
}

function readAnswer({ verdict, exact, digits, reason, steps }: Z3Reply & { readonly kind: 'answer' }): SolverAnswer {
  switch (verdict) {
    case 'unsatisfiable':
      return { kind: 'unsatisfiable', steps };
    case 'unknown':
      return undecided(reason, steps);
    case 'satisfiable':
      // Exact values if there are any, otherwise digits.
      return { kind: 'satisfiable', values: new Map([...assignmentOf(digits), ...assignmentOf(exact)]), steps };
  }
}

/** Starts a process and waits until Z3 is loaded, or fails with the reason. */
async function openSession(entry: URL): Promise<Session | { readonly reason: string }> {
  let listener: ((heard: Heard) => void) | null = null;
  let ended: Ended | null = null;
  const hear = (heard: Heard): void => {
    const waiting = listener;
    listener = null;
    waiting?.(heard);
  };
  const next = (): Promise<Heard> =>
    new Promise((resolve) => {
      if (ended) resolve(ended);
      else listener = resolve;
    });
  const first = next();
  const runner: Runner = startProcess(
    entry,
    { memoryMb: heapMb },
    {
      onMessage: (message) => hear(message as Z3Reply),
      onEnd: (reason) => {
        ended = { kind: 'ended', reason };
        hear(ended);
      },
    },
  );
  const heard = await first;
  if (heard.kind !== 'ready') {
    await runner.end();
    const reason = heard.kind === 'absent' || heard.kind === 'ended' ? heard.reason : heard.kind;
    return { reason: `Z3 cannot be started (${reason}); is the package z3-solver installed?` };
  }
  return {
    ask: async (request, timeoutMs) => {
      const answer = next();
      const timer = setTimeout(() => hear({ kind: 'late' }), timeoutMs);
      if (!ended) runner.post(request);
      const result = await answer;
      clearTimeout(timer);
      return result;
    },
    end: runner.end,
  };
}
