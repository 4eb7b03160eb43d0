/** Z3 as WebAssembly from npm, in a process of its own: what it takes, and what ends it, is no concern of this one. */
import { startProcess, type Runner } from '../../../host/runner.ts';
import type { Budget } from '../engine.ts';
import { errorIn, parseSExpressions, undecided, valuesOf, type SExpression } from './answer.ts';
import type { Solver, SolverAnswer, SolverQuestion } from './solver.ts';
import type { Z3Reply, Z3Request } from './z3-messages.ts';

/** The version that package.json pins. */
export const z3Version = '4.15.8';

/** Built beside the command line. */
const builtEntry = new URL('./z3.worker.js', import.meta.url);

/** Of the process's JavaScript heap, where Z3 has next to nothing. */
const heapMb = 256;

/** A process that has answered this often makes place for a fresh one: WebAssembly's memory grows and never shrinks. */
const questionsPerProcess = 400;

type Ended = { readonly kind: 'ended'; readonly reason: string };
type Heard = Z3Reply | Ended | { readonly kind: 'late' };

interface Session {
  readonly ask: (request: Z3Request, timeoutMs: number) => Promise<Heard>;
  readonly end: () => Promise<void>;
}

export interface Z3Options {
  /** The process's module, where it is not beside this one. */
  readonly entry?: URL;
}

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
    if (asked >= questionsPerProcess) await retire();
    if (!session) {
      const opened = await openSession(entry);
      if ('reason' in opened) return { kind: 'failed', message: opened.reason };
      session = opened;
    }
    asked += 1;
    const heard = await session.ask(requestOf(question, budget), budget.timeoutMs);
    const answer = answerOf(heard);
    if (heard.kind !== 'answer') await retire();
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

function requestOf({ logic, text, symbols }: SolverQuestion, { steps }: Budget): Z3Request {
  const options = `(set-option :produce-models true)\n(set-option :rlimit ${Math.max(1, Math.floor(steps))})\n`;
  const about = '(get-info :reason-unknown)(get-info :rlimit)';
  const values = symbols.length === 0 ? '' : `(get-value (${symbols.join(' ')}))`;
  // A second look, with digits, for values that are no fractions.
  const digits = values && `(set-option :pp.decimal true)(set-option :pp.decimal_precision 60)${values}`;
  return {
    check: `${options}(set-logic ${logic})\n${text}\n(check-sat)`,
    whenSatisfiable: `(get-info :rlimit)${values}${digits}`,
    whenNot: about,
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
    case 'answer':
      return readAnswer(heard.check, heard.more);
  }
}

function readAnswer(check: string, more: string): SolverAnswer {
  const [verdict, details] = [parseSExpressions(check), parseSExpressions(more)];
  if (!verdict || !details) return { kind: 'failed', message: 'the solver printed what is no SMT-LIB' };
  const error = errorIn(verdict);
  if (error !== null) return { kind: 'failed', message: `the solver does not understand the question: ${error}` };
  const steps = Number(infoOf(details, ':rlimit') ?? 0);
  switch (verdict.at(-1)) {
    case 'unsat':
      return { kind: 'unsatisfiable', steps };
    case 'sat': {
      const [exact = [], digits = []] = details.filter((each) => typeof each !== 'string' && each[0] !== ':rlimit');
      return { kind: 'satisfiable', values: new Map([...valuesOf([digits]), ...valuesOf([exact])]), steps };
    }
    case 'unknown':
      return undecided(String(infoOf(details, ':reason-unknown') ?? '').replaceAll('"', ''), steps);
    default:
      return { kind: 'failed', message: `the solver answered '${check.trim().slice(0, 80)}'` };
  }
}

function infoOf(output: readonly SExpression[], key: string): SExpression | undefined {
  for (const list of output) if (typeof list !== 'string' && list[0] === key) return list[1];
  return undefined;
}

/** Starts a process and waits until Z3 is there; the reason where it is not. */
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
