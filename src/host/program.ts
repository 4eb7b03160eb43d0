/** Installed programs, run with limits on time, memory and output. */
import { spawn } from 'node:child_process';

interface ProgramRequest {
  /** A path, or a name that is looked up in PATH. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** What it reads from its standard input; absent: nothing. */
  readonly input?: string;
  /** Where it runs; absolute. */
  readonly folder: string;
  readonly timeoutMs: number;
  /** Address space. */
  readonly memoryMb: number;
  /** The maximum size of files that it writes. */
  readonly fileMb: number;
  /** How many characters of its output are kept; 64 Ki by default. */
  readonly longestOutput?: number;
  /** Stops it; absent: only its time does. */
  readonly signal?: AbortSignal;
}

/** How a program ended. `output` holds both streams, up to a limit. */
export interface ProgramEnd {
  /** `ended`: by itself, with `code`; `missing`: not installed; `stopped`: it ran out of time or memory. */
  readonly kind: 'ended' | 'missing' | 'stopped';
  readonly code: number;
  /** Whether it was stopped because its wall-clock time was over; else a signal ended it, or its memory. */
  readonly isLate: boolean;
  /** Both streams. */
  readonly output: string;
}

/** Runs a program to its end. */
export type RunProgram = (request: ProgramRequest) => Promise<ProgramEnd>;

const defaultOutput = 65_536;
/** What a shell says when there is no such program, or it cannot be run. */
const notFound = 127;
const notRun = 126;

/**
 * Through a POSIX shell, which sets the limits; on a system without one the program counts as missing. It gets an empty
 * environment except for PATH, and its whole process group ends with it.
 */
export const runProgram: RunProgram = (request) =>
  new Promise((resolve) => {
    const { program, folder, timeoutMs, memoryMb, fileMb, input, longestOutput = defaultOutput } = request;
    const seconds = Math.ceil(timeoutMs / 1000);
    const limits = `ulimit -c 0; ulimit -v ${memoryMb * 1024}; ulimit -t ${seconds}; ulimit -f ${fileMb * 1024}`;
    const child = spawn('/bin/sh', ['-c', `${limits}; exec "$0" "$@"`, program, ...request.arguments], {
      cwd: folder,
      detached: true,
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', HOME: folder },
    });
    // A program that ends before it has read everything closes the pipe; how it ended says more.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    let output = '';
    let stopped = false;
    let isLate = false;
    const take = (text: string): void => {
      output = `${output}${text}`.slice(0, longestOutput);
    };
    // A piece may end within a character: the stream holds its first bytes back.
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take);
    const stop = (): void => {
      stopped = true;
      endGroup(child.pid);
    };
    request.signal?.addEventListener('abort', stop, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', stop);
    };
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, timeoutMs);
    child.on('error', (error) => {
      settle();
      resolve({ kind: 'missing', code: notFound, isLate, output: error.message });
    });
    child.on('close', (code, signal) => {
      settle();
      const ended = code ?? notRun;
      const missing = ended === notFound || (ended === notRun && code !== null);
      resolve({
        kind: stopped || signal !== null ? 'stopped' : missing ? 'missing' : 'ended',
        code: ended,
        isLate,
        output,
      });
    });
  });

/** A negative id names the group; one that has just ended is not an error. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
