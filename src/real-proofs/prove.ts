/** Runs Rocq on the proofs that are not known to hold, and reports the standing of each. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { lineStarts } from '../diagnostics/source.ts';
import { loadTheorem, storeTheorem, type TheoremStore } from '../evidence/theorem-store.ts';
import type { TheoremRecord } from '../evidence/theorem.ts';
import { checkProof, type Checked, type Workshop } from './check-proof.ts';
import type { PreparedProof } from './prepare.ts';
import { standingFrom, type StandingOfProof } from './standing.ts';

/** A claim with the standing of its proof. */
export interface ProvedClaim extends StandingOfProof {
  readonly prepared: PreparedProof;
  readonly diagnostics: readonly Diagnostic[];
}

/** The standing of one claim from the stored record, without running anything. */
export async function standingOf(store: TheoremStore, prepared: PreparedProof): Promise<ProvedClaim> {
  const { statement, inputs, script, problems, goal } = prepared;
  const none = { scope: statement?.scope ?? null, axioms: [], checker: null, prepared } as const;
  const [problem] = problems;
  if (problem)
    return {
      ...none,
      standing: statement === null ? 'not stated' : 'refused',
      reason: problem.message,
      diagnostics: problems,
    };
  if (!statement || !inputs || !script)
    return { ...none, standing: 'no script', reason: `there is no ${prepared.path}`, diagnostics: [] };
  const { value, diagnostics } = await loadTheorem(store, goal);
  return { ...standingFrom(value, inputs, statement.scope), prepared, diagnostics };
}

/** How Rocq runs, and where its results are kept. */
export interface ProveRequest {
  readonly workshop: Workshop;
  readonly version: string;
  readonly store: TheoremStore;
  readonly jobs: number | null;
  /** Checks again even what is known to hold. */
  readonly fresh: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, goal: string) => void;
}

/** The standing of every claim, after checking those that need it; in the order of `proofs`. */
export async function prove(proofs: readonly PreparedProof[], request: ProveRequest): Promise<readonly ProvedClaim[]> {
  const results: ProvedClaim[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < proofs.length && !request.signal.aborted; at = next++) {
      const prepared = proofs[at];
      if (!prepared) return;
      results[at] = await proveOne(prepared, at, request);
      request.onProgress(++done, prepared.goal);
    }
  };
  const jobs = Math.min(proofs.length, request.jobs ?? availableParallelism());
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}

async function proveOne(prepared: PreparedProof, at: number, request: ProveRequest): Promise<ProvedClaim> {
  const { workshop, store, version, fresh } = request;
  const known = await standingOf(store, prepared);
  const { statement, inputs, script, goal } = prepared;
  // A result of another version of Rocq is checked again with this one.
  const holds = known.standing === 'proved' && known.checker === `coqc ${version}`;
  if (!statement || !inputs || !script || (holds && !fresh)) return known;
  const checked = await checkProof(workshop, join('claims', String(at)), statement, script.text);
  const record: TheoremRecord = {
    schema: 'pv.theorem/1',
    goal,
    ...inputs,
    scope: statement.scope,
    verdict: checked.kind,
    reason: checked.kind === 'proved' ? null : checked.reason,
    axioms: checked.kind === 'proved' ? checked.axioms : [],
    checker: { name: 'coqc', version },
  };
  const stored = await storeTheorem(store, record);
  const diagnostics = [...refusal(prepared, checked), ...stored.diagnostics];
  return { ...standingFrom(record, inputs, statement.scope), prepared, diagnostics };
}

function refusal({ script, goal, obligation }: PreparedProof, checked: Checked): readonly Diagnostic[] {
  if (checked.kind === 'proved' || !script) return [];
  const { why, reason, line } = checked;
  const starts = lineStarts(script.text);
  const start = starts[(line ?? 1) - 1] ?? 0;
  const range = { start, end: Math.max(start, (starts[line ?? 1] ?? script.text.length + 1) - 1) };
  const place = why === 'statement' ? obligation.span : { source: script, range };
  if (why === 'axiom')
    return [diagnostic('PV-6034', place, `the proof of ${goal} is not a proof over the standard reals: ${reason}`)];
  const what = {
    statement: 'Rocq does not read the statement',
    script: 'Rocq refuses the script',
    claim: 'what the script proves is not the claim',
    limit: 'Rocq did not finish',
  }[why];
  return [diagnostic('PV-6033', place, `${what}: ${reason}`)];
}
