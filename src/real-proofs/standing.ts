/** What may be said about a claim over the reals: from the record of its proof, and from nothing else. */
import type { TheoremInputs, TheoremRecord } from '../evidence/theorem.ts';
import { standardAxioms } from './axioms.ts';

/**
 * `stale`: what was proved differs from the current statement or script. `not checked`: Rocq has not checked the script here.
 * `not stated`: the claim has no counterpart in Rocq.
 */
const proofStandings = ['proved', 'refused', 'stale', 'not checked', 'no script', 'not stated'] as const;

type ProofStanding = (typeof proofStandings)[number];

/** Whether a proof holds, and for what. */
export interface StandingOfProof {
  readonly standing: ProofStanding;
  /** Null for a proof. */
  readonly reason: string | null;
  /** e.g. `every n ≥ 1`; null if there is no statement. */
  readonly scope: string | null;
  readonly axioms: readonly string[];
  /** e.g. `coqc 8.16.1`; null if nothing was checked. */
  readonly checker: string | null;
}

/** Incremented when pv's rules for scripts, statements or axioms change. */
export const proofRules = `1 ${Object.keys(standardAxioms).join(' ')}`;

const parts = {
  statement: 'the statement',
  script: 'the script',
  prelude: 'the prelude',
  rules: 'what pv asks',
} as const;

/** The standing of a proof with these inputs, from the record of the last one checked. */
export function standingFrom(record: TheoremRecord | null, inputs: TheoremInputs, scope: string): StandingOfProof {
  if (record === null)
    return { standing: 'not checked', reason: 'Rocq has not checked it here', scope, axioms: [], checker: null };
  const checker = `${record.checker.name} ${record.checker.version}`;
  const keys = ['statement', 'script', 'prelude', 'rules'] as const;
  const changed = keys.filter((key) => record[key] !== inputs[key]);
  if (changed.length > 0) {
    const what = changed.map((key) => parts[key]).join(', ');
    return { standing: 'stale', reason: `since it was checked, ${what} changed`, scope, axioms: [], checker };
  }
  return { standing: record.verdict, reason: record.reason, scope, axioms: record.axioms, checker };
}
