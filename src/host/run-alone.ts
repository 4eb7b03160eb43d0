/** Runs a program of a few files in a folder of its own, as a person would: no pipes, no flags, the user's own folder and environment. */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { secretVariable } from './inputs/variables.ts';
import { residentMb } from './process-memory.ts';

/** What a program is, and what it may take. */
export interface AloneProgram {
  /** By path in its folder. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly main: string;
  /** The file that it leaves. */
  readonly result: string;
  readonly cwd: string;
  readonly memoryMb: number;
  readonly timeoutMs: number;
}

/** What it left, or why there is nothing. */
export type AloneEnd =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: string; readonly timedOut: boolean };

/** Between two looks at its memory. */
const lookMs = 20;
/** What a result may take. */
const mostBytes = 2 ** 29;

/** Runs it to its end. What it prints is discarded, and its folder removed. */
export async function runAlone(program: AloneProgram): Promise<AloneEnd> {
  const folder = await mkdtemp(join(tmpdir(), 'app-'));
  try {
    for (const [name, content] of Object.entries(program.files)) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
    const reason = await endOf(join(folder, program.main), program);
    return reason === null ? await resultOf(join(folder, program.result)) : reason;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Null if it ended by itself and without an error. */
function endOf(
  main: string,
  { cwd, memoryMb, timeoutMs }: AloneProgram,
): Promise<Extract<AloneEnd, { ok: false }> | null> {
  const { [secretVariable]: _secret, ...env } = process.env;
  const child = spawn(process.execPath, [main], { cwd, env, stdio: 'ignore' });
  let stopped = '';
  let timedOut = false;
  const stop = (reason: string): void => {
    stopped = reason;
    child.kill('SIGKILL');
  };
  const watch = setInterval(() => {
    if (child.pid !== undefined && residentMb(child.pid) > memoryMb) stop(`it used more than ${memoryMb} MB of memory`);
  }, lookMs);
  const timer = setTimeout(() => {
    timedOut = true;
    stop(`it did not end within ${timeoutMs / 1000} s`);
  }, timeoutMs);
  return new Promise((resolve) => {
    const over = (reason: string | null): void => {
      clearInterval(watch);
      clearTimeout(timer);
      resolve(reason === null ? null : { ok: false, reason, timedOut });
    };
    child.on('error', (error) => over(`it could not be started: ${error.message}`));
    child.on('exit', (code, signal) => {
      if (stopped === '' && code === 0) over(null);
      else
        over(
          stopped ||
            (signal === null ? `it ended its process with code ${code}` : `its process was ended by ${signal}`),
        );
    });
  });
}

/** The file, unless the program has put something else in its place: a link, a pipe, an endless file. */
async function resultOf(path: string): Promise<AloneEnd> {
  const none = { ok: false, reason: 'it ended its process with code 0', timedOut: false } as const;
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await file.stat().then((stat) => (stat.isFile() ? stat : { size: Infinity }));
      return size > mostBytes ? none : { ok: true, bytes: await file.readFile() };
    } finally {
      await file.close();
    }
  } catch (problem) {
    if (problem instanceof Error && 'code' in problem) return none;
    throw problem;
  }
}
