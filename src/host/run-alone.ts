/** Runs a program of a few files in a folder of its own, as a person would: no pipes, no flags, the user's own folder and environment. */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { err, ok, type Result } from '../base/result.ts';
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
  | { readonly ok: false; readonly ran: true; readonly reason: string; readonly timedOut: boolean }
  /** It was not run: this machine gives it no folder, or no process. */
  | { readonly ok: false; readonly ran: false; readonly reason: string };

/** Between two looks at its memory. */
const lookMs = 20;
/** What a result may take. */
const mostBytes = 2 ** 29;

/** Runs it to its end. What it prints is discarded, and its folder removed. */
export async function runAlone(program: AloneProgram): Promise<AloneEnd> {
  const folder = await folderOf(program);
  if (!folder.ok) return { ok: false, ran: false, reason: folder.error };
  try {
    const end = await endOf(join(folder.value, program.main), program);
    if (!end.hasStarted) return { ok: false, ran: false, reason: end.reason };
    // It may end in any way once it has left its result.
    const bytes = end.isStopped ? null : await resultOf(join(folder.value, program.result));
    return bytes === null ? { ok: false, ran: true, reason: end.reason, timedOut: end.timedOut } : { ok: true, bytes };
  } finally {
    await rm(folder.value, { recursive: true, force: true });
  }
}

/** A new folder with the files of the program. */
async function folderOf({ files }: AloneProgram): Promise<Result<string, string>> {
  let folder: string | null = null;
  try {
    folder = await mkdtemp(join(tmpdir(), 'app-'));
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
    return ok(folder);
  } catch (problem) {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
    if (problem instanceof Error && 'code' in problem) return err(problem.message);
    throw problem;
  }
}

interface ProcessEnd {
  readonly hasStarted: boolean;
  readonly reason: string;
  readonly timedOut: boolean;
  /** Whether it was ended here. */
  readonly isStopped: boolean;
}

function endOf(main: string, { cwd, memoryMb, timeoutMs }: AloneProgram): Promise<ProcessEnd> {
  const { [secretVariable]: _secret, ...env } = process.env;
  const child = spawn(process.execPath, [main], { cwd, env, stdio: 'ignore' });
  let stopped: ProcessEnd | null = null;
  const stop = (reason: string, timedOut: boolean): void => {
    stopped = { hasStarted: true, reason, timedOut, isStopped: true };
    child.kill('SIGKILL');
  };
  const watch = setInterval(() => {
    if (child.pid !== undefined && residentMb(child.pid) > memoryMb)
      stop(`it used more than ${memoryMb} MB of memory`, false);
  }, lookMs);
  const timer = setTimeout(() => stop(`it did not end within ${timeoutMs / 1000} s`, true), timeoutMs);
  return new Promise((resolve) => {
    const over = (hasStarted: boolean, reason: string): void => {
      clearInterval(watch);
      clearTimeout(timer);
      resolve(stopped ?? { hasStarted, reason, timedOut: false, isStopped: false });
    };
    child.on('error', (error) => (child.pid === undefined ? over(false, error.message) : null));
    child.on('exit', (code, signal) =>
      over(true, signal === null ? `it ended its process with code ${code}` : `its process was ended by ${signal}`),
    );
  });
}

/** The file; null if there is none, or something else in its place: a link, a pipe, more than a result takes. */
async function resultOf(path: string): Promise<Uint8Array | null> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      return found.isFile() && found.size <= mostBytes ? await file.readFile() : null;
    } finally {
      await file.close();
    }
  } catch (problem) {
    if (problem instanceof Error && 'code' in problem) return null;
    throw problem;
  }
}
