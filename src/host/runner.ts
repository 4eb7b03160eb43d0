/**
 * Where jobs run outside this thread: on a worker thread, or in a separate process.
 *
 * A thread is cheap and shares the process's memory; code that may exhaust the memory, end the process or leave something
 * behind needs a process.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { Duplex, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { frameOf, frameReader } from './frames.ts';
import { memoryVariable, secretVariable } from './inputs/variables.ts';
import { pipeNumber } from './parent-pipe.ts';
import { residentMb } from './process-memory.ts';
import { removeTemporary, temporaryFolder } from './temporary-folder.ts';

/** What a runner reports to the thread that started it. */
export interface RunnerEvents {
  readonly onMessage: (message: unknown) => void;
  /** Called once when it has ended, for whatever reason; a sentence fragment says why: `it ended its process with code 0`. */
  readonly onEnd: (reason: string) => void;
  /** What the code prints to either stream, in pieces; without it, both reach the standard error stream of this process as they are. */
  readonly onPrinted?: (text: string) => void;
}

/** Runs what is posted to it until it ends. */
export interface Runner {
  readonly post: (job: object) => void;
  /** Ends it at once, whatever it does. */
  readonly end: () => Promise<void>;
  /** Between two jobs: replaces its process by a fresh one, which the code of earlier jobs cannot have touched. */
  readonly renew?: () => void;
}

/** How much memory a runner may use; beyond it, the runner is ended. */
export interface RunnerLimits {
  /** Of the heap in a thread; of the whole process in a process. */
  readonly memoryMb: number;
}

/** How a process starts, where not as this one did. */
export interface ProcessOptions {
  /** Environment variables in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Discards what it prints, because drivers print irrelevant messages. */
  readonly quiet?: boolean;
}

/**
 * A worker thread. It survives neither a single allocation of tens of megabytes beyond its memory nor one outside the heap:
 * then the whole process ends, since V8 gives threads no way out of that.
 *
 * Its temporary files are removed with it: a browser that it started leaves its profile when the thread is ended.
 */
export function startThread(entry: URL, { memoryMb }: RunnerLimits, events: RunnerEvents): Runner {
  const { onPrinted } = events;
  const isHeard = onPrinted !== undefined;
  const temporary = temporaryFolder();
  const worker = new Worker(entry, {
    ...(temporary !== null && { env: { ...process.env, TMPDIR: temporary, TEMP: temporary } }),
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    stdout: isHeard,
    stderr: isHeard,
  });
  if (onPrinted) hear([worker.stdout, worker.stderr], onPrinted);
  let reason: string | null = null;
  worker.on('message', events.onMessage);
  worker.on('error', (error: unknown) => (reason = error instanceof Error ? error.message : String(error)));
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', (code) => {
      events.onEnd(reason ?? `the worker ended with code ${code}`);
      resolve(temporary === null ? undefined : removeTemporary(temporary));
    });
  });
  return {
    post: (job) => worker.postMessage(job),
    end: async () => {
      await worker.terminate();
      await ended;
    },
  };
}

function hear(streams: readonly (Readable | null)[], onPrinted: (text: string) => void): void {
  for (const stream of streams) stream?.setEncoding('utf8').on('data', onPrinted);
}

/** The signal by which a process that is started here ends itself when it is beyond its memory. */
export const memorySignal = 'SIGUSR2';

/**
 * A process. It has to watch its own memory (`memoryVariable`, `memorySignal`): what it allocates outside the heap, only
 * the operating system limits.
 */
export function startProcess(
  entry: URL,
  { memoryMb }: RunnerLimits,
  events: RunnerEvents,
  { environment = {}, quiet = false }: ProcessOptions = {},
): Runner {
  const { [secretVariable]: _secret, ...inherited } = process.env;
  const { onPrinted } = events;
  const printed = quiet ? 'ignore' : onPrinted ? 'pipe' : process.stderr.fd;
  const child = fork(entry, [], {
    // The heap's own limit ends a process with pages of native frames; the watch should come first.
    execArgv: [`--max-old-space-size=${2 * memoryMb}`],
    env: { ...inherited, ...environment, [memoryVariable]: String(memoryMb) },
    serialization: 'advanced',
    stdio: ['ignore', printed, printed, 'ipc'],
  });
  return runnerOf(child, memoryMb, events);
}

function runnerOf(child: ChildProcess, memoryMb: number, events: RunnerEvents): Runner {
  const ended = endingOf(child, memoryMb, events);
  child.on('message', events.onMessage);
  return { post: (job) => void child.send(job), end: ended };
}

/** Reports the end of a process once; the result ends it and waits for that. */
function endingOf(child: ChildProcess, memoryMb: number, { onPrinted, onEnd }: RunnerEvents): Runner['end'] {
  if (onPrinted) hear([child.stdout, child.stderr], onPrinted);
  const ended = new Promise<void>((resolve) => {
    let isOver = false;
    const over = (reason: string): void => {
      if (isOver) return;
      isOver = true;
      resolve();
      onEnd(reason);
    };
    child.on('exit', (code, signal) => over(endOf(code, signal, memoryMb)));
    // When it could not be started, there is no exit; when it could not be killed or reached, one follows.
    child.on('error', (error) => (child.pid === undefined ? over(`it could not be started: ${error.message}`) : null));
  });
  return () => {
    child.kill('SIGKILL');
    return ended;
  };
}

/** A runner whose messages, both ways, are bytes over a pipe of their own: what it sends cannot end this process. */
function pipedRunner(child: ChildProcess, memoryMb: number, events: RunnerEvents): Runner {
  const end = endingOf(child, memoryMb, events);
  const pipe = child.stdio[pipeNumber];
  if (!(pipe instanceof Duplex)) return { post: () => undefined, end };
  const read = frameReader(events.onMessage, () => void child.kill('SIGKILL'));
  pipe.on('data', read);
  // It ends with the process, which reports why.
  pipe.on('error', () => undefined);
  return { post: (job) => void (job instanceof Uint8Array && pipe.write(frameOf(job))), end };
}

/** A process for untrusted code, which takes and sends bytes (`parentPipe`). It watches its own memory, as {@link startProcess} says. */
export function startFunctionProcess(entry: URL, { memoryMb }: RunnerLimits, events: RunnerEvents): Runner {
  const { [secretVariable]: _secret, ...inherited } = process.env;
  const printed = events.onPrinted ? 'pipe' : process.stderr.fd;
  const child = spawn(process.execPath, [`--max-old-space-size=${2 * memoryMb}`, fileURLToPath(entry)], {
    env: { ...inherited, [memoryVariable]: String(memoryMb) },
    stdio: ['ignore', printed, printed, 'pipe'],
  });
  return pipedRunner(child, memoryMb, events);
}

/** Between two looks at the memory of a process. */
const lookMs = 20;

/**
 * A process that evaluates `text`, an ES module of built-in modules alone, in an empty folder of the system: without arguments,
 * without environment, and with Node's permissions for no file, no child process, no thread and no native code. Its memory is
 * watched from outside.
 */
export function startBareProcess(text: string, { memoryMb }: RunnerLimits, events: RunnerEvents): Runner {
  const permission = ['--permission', '--experimental-permission'].find((flag) =>
    process.allowedNodeEnvironmentFlags.has(flag),
  );
  const flags = [
    ...(permission === undefined ? [] : [permission]),
    '--no-warnings',
    `--max-old-space-size=${2 * memoryMb}`,
    '--input-type=module',
    '--eval',
    text,
  ];
  const printed = events.onPrinted ? 'pipe' : 'ignore';
  const child = spawn(process.execPath, flags, {
    cwd: tmpdir(),
    env: {},
    stdio: ['ignore', printed, printed, 'pipe'],
  });
  const watch = setInterval(() => {
    if (child.pid !== undefined && residentMb(child.pid) > memoryMb) child.kill(memorySignal);
  }, lookMs);
  child.on('exit', () => clearInterval(watch));
  child.on('error', () => clearInterval(watch));
  return pipedRunner(child, memoryMb, events);
}

/** What a thread posts to its process, and the answers. */
export interface Question {
  readonly question: object;
}
/** The message with which a runner answers a job. */
export interface Answer {
  readonly answer: unknown;
}

/**
 * A thread of `judge` with its own process of functions. What the process posts reaches only the thread, as an {@link
 * Answer}, so untrusted code in the process speaks only for itself. They end together; the thread, which runs no code but its
 * own, can go on with another process.
 */
export function startJudge(
  judge: URL,
  limits: RunnerLimits,
  events: RunnerEvents,
  startFunctions: (events: RunnerEvents) => Runner,
): Runner {
  let isOver = false;
  const over = (reason: string): void => {
    if (isOver) return;
    isOver = true;
    void end();
    events.onEnd(reason);
  };
  const thread = startThread(judge, limits, {
    ...events,
    onMessage: (message) => (isQuestion(message) ? process.post(message.question) : events.onMessage(message)),
    onEnd: over,
  });
  const begin = (): Runner => {
    const begun = startFunctions({
      ...events,
      onMessage: (answer) => (begun === process ? thread.post({ answer } satisfies Answer) : undefined),
      onEnd: (reason) => (begun === process ? over(reason) : undefined),
    });
    return begun;
  };
  let process = begin();
  const renew = (): void => {
    void process.end();
    process = begin();
  };
  const end = async (): Promise<void> => void (await Promise.all([thread.end(), process.end()]));
  return { post: thread.post, end, renew };
}

const isQuestion = (message: unknown): message is Question =>
  typeof message === 'object' && message !== null && 'question' in message;

function endOf(code: number | null, signal: NodeJS.Signals | null, memoryMb: number): string {
  if (signal === memorySignal) return `it used more than ${memoryMb} MB of memory`;
  if (signal === 'SIGABRT') return 'its process aborted, as it does when its memory is exhausted';
  if (signal !== null) return `its process was ended by ${signal}`;
  return `it ended its process with code ${code}`;
}
