/**
 * Command lines that pv suggests: safe for a POSIX shell, whatever names the contract's author chose.
 */
import { shellWord } from '../base/shell-word.ts';
import type { Goal } from '../contract/goal.ts';
import type { DeviceChoice } from '../subject/gpu-device.ts';
import type { StatusOptions } from './audit-options.ts';

/** What decides which cases are run, besides the contract. */
export interface ReproduceOptions {
  readonly path: string;
  readonly binding: string | null;
  readonly seed: number;
  readonly cases?: number;
  readonly backend?: string;
  readonly accuracy?: string;
  readonly device?: readonly string[];
}

/** The command that repeats the check of a goal. */
export function reproduceCommand({ claim }: Goal, { path, binding, ...cases }: ReproduceOptions): string {
  const flags = [...bindingFlag(binding), '--claim', claim, '--seed', String(cases.seed), ...caseFlags(cases)];
  return commandLine('audit', [path], [...flags, '--fresh']);
}

/** The flags of `pv kani` that override the contract. */
export interface ProofOptions {
  readonly bound?: number;
  readonly engine?: string;
  readonly strategy?: string;
}

/** The command that repeats the bounded proofs of a claim. */
export function reproveCommand(
  { claim }: Goal,
  { path, binding, seed, bound, engine, strategy }: ReproduceOptions & ProofOptions,
): string {
  return commandLine(
    'kani',
    [path],
    [
      ...bindingFlag(binding),
      '--claim',
      claim,
      ...(bound === undefined ? [] : ['--bound', String(bound)]),
      ...(engine === undefined ? [] : ['--engine', engine]),
      ...(strategy === undefined ? [] : ['--strategy', strategy]),
      ...(seed === 1 ? [] : ['--seed', String(seed)]),
      '--fresh',
    ],
  );
}

/** The command that shows a report again from stored evidence, to which `--format` can be added. */
export function reportCommand(paths: readonly string[], flags: StatusOptions, claim: string | undefined): string {
  const { binding, minLevel = 'L0', allowWaived = false, seed = 1 } = flags;
  return commandLine(claim === undefined ? 'status' : 'audit', paths, [
    ...bindingFlag(binding ?? null),
    ...(claim === undefined ? [] : ['--claim', claim]),
    ...(minLevel === 'L0' ? [] : ['--min-level', minLevel]),
    ...(allowWaived ? ['--allow-waived'] : []),
    ...(seed === 1 ? [] : ['--seed', String(seed)]),
    ...caseFlags(flags),
  ]);
}

/** The command that repeats a judgement. */
export function judgeCommand(
  {
    kernel,
    contract,
    equation,
    binding,
    device,
  }: {
    readonly kernel: string;
    readonly contract: string;
    readonly equation: string;
    readonly binding?: string | undefined;
    readonly device: DeviceChoice;
  },
  { seed, cases, accuracy }: { readonly seed: number; readonly cases: number; readonly accuracy?: string | undefined },
): string {
  const flags = ['--contract', contract, '--equation', equation, '--seed', String(seed), '--cases', String(cases)];
  const where = device === 'any' ? [] : ['--device', device];
  return commandLine(
    'judge',
    [kernel],
    [...flags, ...(accuracy === undefined ? [] : ['--accuracy', accuracy]), ...bindingFlag(binding ?? null), ...where],
  );
}

const bindingFlag = (binding: string | null): readonly string[] => (binding === null ? [] : ['--binding', binding]);

function caseFlags({
  cases,
  backend,
  device,
  accuracy,
}: Pick<ReproduceOptions, 'cases' | 'backend' | 'device' | 'accuracy'>): readonly string[] {
  return [
    ...(cases === undefined ? [] : ['--cases', String(cases)]),
    ...(accuracy === undefined ? [] : ['--accuracy', accuracy]),
    ...(backend === undefined ? [] : ['--backend', backend]),
    ...(device === undefined ? [] : ['--device', device.join(',')]),
  ];
}

/** The command that prints every finding of `severity` and worse. */
export function validateCommand(paths: readonly string[], severity: string): string {
  return commandLine('validate', paths, ['--severity', severity]);
}

function commandLine(command: string, paths: readonly string[], flags: readonly string[]): string {
  // A path that begins with a dash would be read as a flag.
  const files = paths.map((path) => (path.startsWith('-') ? `./${path}` : path));
  return `pv ${command} ${[...files, ...flags].map(shellWord).join(' ')}`;
}
