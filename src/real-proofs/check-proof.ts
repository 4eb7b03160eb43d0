/**
 * A proof over the reals, checked by Rocq's compiler in its own folder.
 *
 * Four files: the prelude and the statement, which pv writes; the script, after it was found to contain only proofs; and a last
 * one that refers to the statement and the proof by their full names, so that no definition in the script can shadow them, and
 * prints what the proof rests on.
 */
import { join } from 'node:path';
import type { Host } from '../host/host.ts';
import type { ProgramEnd, RunProgram } from '../host/program.ts';
import { readAssumptions, strangeAxioms } from './axioms.ts';
import type { Statement } from './statement.ts';

/** Where and with what Rocq runs. */
export interface Workshop {
  readonly host: Host;
  readonly run: RunProgram;
  readonly coqc: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Holds the compiled prelude; absolute. */
  readonly folder: string;
}

/** What Rocq said. `why` is the part that is at fault. */
export type Checked =
  | { readonly kind: 'proved'; readonly axioms: readonly string[] }
  | {
      readonly kind: 'refused';
      readonly why: 'statement' | 'script' | 'claim' | 'axiom' | 'limit';
      readonly reason: string;
      /** Of the script, 1-based; null if the fault is elsewhere. */
      readonly line: number | null;
    };

const memoryMb = 4_096;
const fileMb = 64;

const preludeFolder = 'prelude';

/** Compiles the prelude; an error is what Rocq said. */
export async function openWorkshop(workshop: Workshop, prelude: string): Promise<string | null> {
  const { host, folder } = workshop;
  const written = await host.writeFileAtomic(join(folder, preludeFolder, 'Pv.v'), prelude);
  if (!written.ok) return `${written.error.path} ${written.error.message}`;
  const end = await compile(workshop, join(folder, preludeFolder), 'Pv.v', ['-R', '.', 'PV']);
  return succeeded(end) ? null : failureOf(end);
}

/** The version of the compiler; null if there is none. */
export async function coqcVersion(run: RunProgram, coqc: string, folder: string): Promise<string | null> {
  const end = await run({ program: coqc, arguments: ['--version'], folder, timeoutMs: 30_000, memoryMb, fileMb });
  if (end.kind !== 'ended' || end.code !== 0) return null;
  return /version\s+(\S+)/.exec(end.output)?.[1] ?? null;
}

const scriptHead = [
  'From Coq Require Import Bool ZArith Reals Lra Lia.',
  'From PV Require Import Pv.',
  'From PVClaim Require Import Statement.',
  'Open Scope R_scope.',
];

const lastFile = `From PV Require Pv.
From PVClaim Require Statement Script.
Definition witnessed : PVClaim.Statement.some_input := PVClaim.Script.witness.
Definition checked : PVClaim.Statement.claim := PVClaim.Script.proof.
Definition both := conj witnessed checked.
Print Assumptions both.
`;

/** Checks the script of one claim in the folder `name`; the script has passed `faultOf`. */
export async function checkProof(
  workshop: Workshop,
  name: string,
  statement: Statement,
  script: string,
): Promise<Checked> {
  const folder = join(workshop.folder, name);
  const files = [
    ['Statement.v', statement.text, 'statement'],
    ['Script.v', `${scriptHead.join('\n')}\n${script}`, 'script'],
    ['Last.v', lastFile, 'claim'],
  ] as const;
  const paths = ['-R', join(workshop.folder, preludeFolder), 'PV', '-R', '.', 'PVClaim'];
  let output = '';
  for (const [file, text, why] of files) {
    const written = await workshop.host.writeFileAtomic(join(folder, file), text);
    if (!written.ok)
      return { kind: 'refused', why: 'limit', reason: `${written.error.path} ${written.error.message}`, line: null };
    const end = await compile(workshop, folder, file, paths);
    if (!succeeded(end)) return refusalOf(end, why);
    output = end.output;
  }
  const axioms = readAssumptions(output);
  if (!axioms.ok)
    return { kind: 'refused', why: 'axiom', reason: `it rests on more than axioms: ${axioms.error}`, line: null };
  const strange = strangeAxioms(axioms.value);
  return strange.length === 0
    ? { kind: 'proved', axioms: axioms.value }
    : { kind: 'refused', why: 'axiom', reason: `it rests on ${strange.join(', ')}`, line: null };
}

function refusalOf(end: ProgramEnd, why: 'statement' | 'script' | 'claim'): Checked {
  const reason = failureOf(end);
  if (end.kind !== 'ended') return { kind: 'refused', why: 'limit', reason, line: null };
  const line = Number(/File "[^"]*", line (\d+)/.exec(end.output)?.[1] ?? Number.NaN) - scriptHead.length;
  return { kind: 'refused', why, reason, line: why === 'script' && line >= 1 ? line : null };
}

function compile(
  { run, coqc, timeoutMs, signal }: Workshop,
  folder: string,
  file: string,
  paths: readonly string[],
): Promise<ProgramEnd> {
  const common = ['-q', '-w', 'none'];
  return run({ program: coqc, arguments: [...common, ...paths, file], folder, timeoutMs, memoryMb, fileMb, signal });
}

const succeeded = ({ kind, code }: ProgramEnd): boolean => kind === 'ended' && code === 0;

/** Rocq's own words, from `Error:` on, on one line. */
function failureOf({ kind, output }: ProgramEnd): string {
  if (kind === 'missing') return 'there is no such program';
  if (kind === 'stopped') return 'it was stopped: its time was over, or its memory used up';
  const said = output.slice(Math.max(0, output.search(/^(?:Error|Fatal error)/m)));
  return (
    said
      .replace(/^Error:?\s*/, '')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 600) || 'Rocq gave no reason'
  );
}
