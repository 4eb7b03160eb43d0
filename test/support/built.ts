import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));
export const bin = `${repositoryRoot}dist/cli/bin.js`;

/** Builds dist/ unless it is fresh; every test that starts a real process calls it first. */
export function ensureBuilt(): void {
  execFileSync(process.execPath, [`${repositoryRoot}scripts/build.mjs`, '--if-stale'], { stdio: 'pipe' });
}

export interface ProcessResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the child once it runs, for signals and pipes. */
  readonly onStart?: (child: ReturnType<typeof spawn>) => void;
}

/** Runs a program without a terminal and without colour settings from outside. */
export function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...inherited } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...inherited, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => void (out.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (out.stderr += text));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...out }));
    options.onStart?.(child);
  });
}

/** Runs the built `pv`. */
export const runBuiltPv = (args: readonly string[], options: ProcessOptions = {}): Promise<ProcessResult> =>
  runProcess(process.execPath, [bin, ...args], options);
