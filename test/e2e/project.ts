/**
 * A user's project on disk, and the built pv run in it as a process.
 *
 * The build is copied first: another test may build again meanwhile.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { chmod, mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { runIn as RunIn } from '../../src/cli/run.ts';
import type { Report } from '../../src/report/report.ts';
import { ensureBuilt, repositoryRoot, runProcess, type ProcessOptions, type ProcessResult } from '../support/built.ts';
import type { Ran } from '../support/memory-cli.ts';

/** Where this thread keeps its copy of the package, below the repository's node_modules so that its dependencies resolve. */
export const installed = join(repositoryRoot, 'node_modules/.cache', `pv-installed-${process.pid}-${threadId}`);
let isInstalled = false;

/** Builds pv and installs it under `installed`, once per thread. */
function install(): void {
  if (isInstalled) return;
  const stampOf = (folder: string): string => readFileSync(join(folder, 'dist/.stamp'), 'utf8');
  for (let attempt = 0; !isInstalled && attempt < 5; attempt++) {
    ensureBuilt();
    rmSync(installed, { recursive: true, force: true });
    mkdirSync(installed, { recursive: true });
    for (const part of ['dist', 'templates', 'package.json', 'docs/codes'])
      cpSync(join(repositoryRoot, part), join(installed, part), { recursive: true });
    // Somebody else's build may have been put in place meanwhile.
    isInstalled = stampOf(installed) === stampOf(repositoryRoot);
  }
  process.on('exit', () => rmSync(installed, { recursive: true, force: true }));
}

export interface Project {
  readonly folder: string;
  readonly pv: (args: readonly string[], options?: ProcessOptions) => Promise<ProcessResult>;
  /**
   * The same without a process of its own, which costs more than most command lines: for what pv finds, rather than what its process
   * does. What pv starts, such as the processes of kernels, is the same.
   */
  readonly run: (args: readonly string[], options?: Pick<ProcessOptions, 'cwd' | 'env'>) => Promise<Ran>;
  /** Runs a program of the repository's node_modules: `vitest/vitest.mjs`, `typescript/bin/tsc`. */
  readonly tool: (path: string, args: readonly string[]) => Promise<ProcessResult>;
  readonly write: (path: string, text: string) => Promise<void>;
  readonly read: (path: string) => Promise<string>;
  readonly remove: () => Promise<void>;
}

/** A project with these files and pv in its node_modules. */
export async function createProject(files: Readonly<Record<string, string>>): Promise<Project> {
  install();
  const folder = await mkdtemp(join(tmpdir(), 'pv-project-'));
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  symlinkSync(installed, join(modules, 'provable-contracts'));
  for (const name of ['vitest', 'typescript'])
    symlinkSync(join(repositoryRoot, 'node_modules', name), join(modules, name));
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  const pvBin = join(installed, 'dist/cli/bin.js');
  // In CI nothing is reused without a secret.
  const environment = { PV_SECRET: `a secret of the tests in ${folder}` };
  return {
    folder,
    write,
    pv: (args, { env, ...options } = {}) =>
      runProcess(process.execPath, [pvBin, ...args], {
        cwd: folder,
        ...options,
        env: { ...environment, ...env },
      }),
    run: (args, { cwd = folder, env } = {}) => runInstalled(cwd, args, { ...environment, ...env }),
    tool: (path, args) =>
      runProcess(process.execPath, [join(repositoryRoot, 'node_modules', path), ...args], { cwd: folder }),
    read: (path) => readFile(join(folder, path), 'utf8'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Runs the installed pv in this process. */
async function runInstalled(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  const { runIn }: { readonly runIn: typeof RunIn } = await import(join(installed, 'dist/cli/run.js'));
  const ran = { stdout: '', stderr: '' };
  const output = (name: keyof typeof ran) => ({
    write: (text: string) => void (ran[name] += text),
    isTerminal: false,
    color: false,
    columns: 80,
    getColorDepth: () => 1,
  });
  const streams = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: { ...process.env, ...env },
  };
  return { code: await runIn(folder, args, streams, new AbortController().signal), ...ran };
}

/** Audits the project and returns its exit code, report and talk. */
export async function auditJson(
  { run }: Project,
  args: readonly string[] = [],
): Promise<{
  readonly code: number | null;
  readonly report: Report;
  readonly stderr: string;
  readonly stdout: string;
}> {
  const { code, stdout, stderr } = await run(['audit', 'contracts', '--format', 'json', ...args]);
  const report: Report = JSON.parse(stdout);
  return { code, report, stderr, stdout };
}

/** `N checks ran, M reused` as the run says it. */
export function ranOf(stderr: string): { readonly ran: number; readonly reused: number } {
  const found = /(\d+) checks? ran, (\d+) reused/.exec(stderr);
  return { ran: Number(found?.[1]), reused: Number(found?.[2]) };
}

/** A contract of y = 2·x with a claim that every wrong kernel of it breaks. */
export const doubling = `metadata:
  version: "1.0.0"
  description: Twice a vector
  references: ["Any textbook, chapter 1"]
equations:
  double:
    formula: "D(x)_i = 2·x_i"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100"
    codomain: "D(x) ∈ F32^n"
proof_obligations:
  - id: DB-EQV-001
    type: equivalence
    property: The kernel computes the equation
    formal: "D(x) ≈ D_ref(x)"
    tolerance: { ulp: 0.5 }
    applies_to: double
falsification_tests:
  - id: FALSIFY-DB-001
    rule: DB-EQV-001
    prediction: "D(x)_0 = 6 ∧ D(x)_1 = -8"
    given: "x ∈ {[3, -4]}"
    if_fails: The factor is not two
`;

export const doublingBinding = (rows = ''): string => `version: "1.0.0"
bindings:
  - contract: double-v1.yaml
    equation: double
    module_path: src/double.ts
    function: double
    status: implemented
${rows}`;

/** A gpu.js kernel whose body is given. */
export const threadKernelText = (
  body: string,
): string => `import type { KernelThread } from 'provable-contracts/runtime';

export function double(this: KernelThread, x: readonly number[]): number {
  ${body}
}
`;

export const rightKernel = threadKernelText('return 2 * (x[this.thread.x] as number);');

/** The doubling project with a kernel of one's own. */
export const doublingProject = (
  kernel: string,
  more: Readonly<Record<string, string>> = {},
  rows = '    backends: [ref32]\n',
): Promise<Project> =>
  createProject({
    'contracts/double-v1.yaml': doubling,
    'contracts/binding.yaml': doublingBinding(rows),
    'src/double.ts': kernel,
    ...more,
  });

/** Runs a command line as a person would paste it, with this pv first in the path. */
export async function runShown({ folder, write }: Project, command: string): Promise<ProcessResult> {
  await write('bin/pv', `#!/bin/sh\nexec "${process.execPath}" "${join(installed, 'dist/cli/bin.js')}" "$@"\n`);
  await chmod(join(folder, 'bin/pv'), 0o755);
  const path = `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`;
  return runProcess('bash', ['-c', command], { cwd: folder, env: { PATH: path } });
}
