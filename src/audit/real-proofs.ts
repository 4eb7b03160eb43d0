/** Proofs over the reals beside the verdicts of an audit: what stored records say about those that contracts require. */
import { count, quoted } from '../base/text.ts';
import type { ElaboratedContract } from '../contract/goal.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { theoremsDirectory } from '../evidence/store-path.ts';
import type { TheoremStore } from '../evidence/theorem-store.ts';
import { inOne } from '../evidence/unused-receipts.ts';
import type { Host } from '../host/host.ts';
import { asksForProof, prepareProofs, type PreparedProof } from '../real-proofs/prepare.ts';
import { standingOf, type ProvedClaim } from '../real-proofs/prove.ts';
import type { Report } from '../report/report.ts';

/** The standing of the required proofs, by goal, with the diagnostics that they cause. */
export interface RealProofs {
  /** By goal: `softmax-kernel-v1/SM-INV-001`. */
  readonly byGoal: ReadonlyMap<string, ProvedClaim>;
  /** PV-6030 for each that does not hold, and once for all that were not checked here; and faults of records. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The proofs that `contracts` require. `prelude` contains the definitions that statements use. */
export function prepareAskedProofs(
  host: Host,
  contracts: readonly ElaboratedContract[],
  prelude: string,
): Promise<readonly PreparedProof[]> {
  return prepareProofs({ host, contracts, prelude, wants: (_, obligation) => asksForProof(obligation) });
}

/** Their standing according to the records of `store`. */
export async function standingProofs(store: TheoremStore, prepared: readonly PreparedProof[]): Promise<RealProofs> {
  const claims = await Promise.all(prepared.map((one) => standingOf(store, one)));
  return {
    byGoal: new Map(claims.map((claim) => [claim.prepared.goal, claim])),
    diagnostics: [
      ...inOne(
        claims.flatMap(({ diagnostics }) => diagnostics),
        theoremsDirectory,
      ),
      ...claims.flatMap(openProof),
      ...unchecked(claims),
    ],
  };
}

function openProof({ prepared, standing, reason }: ProvedClaim): readonly Diagnostic[] {
  // Faults of the statement or the script have already been reported.
  if (standing === 'proved' || standing === 'not checked' || prepared.problems.length > 0) return [];
  const { contract, obligation } = prepared;
  const message = `the proof over the reals of ${quoted(obligation.id)} does not hold: ${standing}, ${reason ?? 'no reason'}`;
  const hint = `run pv prove ${contract.path} --claim ${obligation.id}`;
  return [diagnostic('PV-6030', obligation.proofMethod?.span ?? obligation.span, message, { hint })];
}

/** That Rocq was not run here is one fact, however many proofs there are. */
function unchecked(claims: readonly ProvedClaim[]): readonly Diagnostic[] {
  const number = claims.filter(({ standing }) => standing === 'not checked').length;
  if (number === 0) return [];
  const message = `${count(number, 'proof')} over the reals ${number === 1 ? 'is' : 'are'} not checked here`;
  return [diagnostic('PV-6030', null, message, { hint: 'pv prove checks them, where Rocq is installed' })];
}

/** The report with each claim's proof over the reals next to its verdict, which it does not change. */
export function withRealProofs(report: Report, { byGoal }: Pick<RealProofs, 'byGoal'>): Report {
  if (byGoal.size === 0) return report;
  const contracts = report.contracts.map((contract) => ({
    ...contract,
    claims: contract.claims.map((claim) => {
      const found = claim.source === 'obligation' ? byGoal.get(`${contract.id}/${claim.id}`) : undefined;
      if (!found) return claim;
      const { standing, reason, scope, axioms, checker } = found;
      return { ...claim, overReals: { standing, reason, scope, axioms, checker } };
    }),
  }));
  return { ...report, contracts };
}
