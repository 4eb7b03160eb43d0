/** Which claims are to be proved over the reals: what each says, and the script that is to prove it. */
import { dirname, join } from 'node:path';
import { listOf, quoted } from '../base/text.ts';
import type { Contract, Located, Obligation } from '../contract/contract.ts';
import type { ElaboratedContract } from '../contract/goal.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import { sha256 } from '../evidence/digest.ts';
import { scriptPath } from '../evidence/store-path.ts';
import type { TheoremInputs } from '../evidence/theorem.ts';
import type { Host } from '../host/host.ts';
import { printTerm } from '../math/term/print-term.ts';
import { exactGoal } from './exact-goal.ts';
import { faultOf } from './script.ts';
import { proofRules } from './standing.ts';
import { statementOf, type Statement } from './statement.ts';

/** A claim with its statement and its script. */
export interface PreparedProof {
  readonly contract: Contract;
  readonly obligation: Obligation;
  /** `softmax-kernel-v1/SM-INV-001`. */
  readonly goal: string;
  /** Null if the claim has no counterpart in Rocq. */
  readonly statement: Statement | null;
  /** The script's file; its text is null if there is none. */
  readonly path: string;
  readonly script: SourceFile | null;
  /** Null unless statement and script can be given to Rocq. */
  readonly inputs: TheoremInputs | null;
  /** What keeps it from Rocq; empty when nothing does, or only the script is missing. */
  readonly problems: readonly Diagnostic[];
}

/** The contracts whose claims are to be proved. */
export interface Preparation {
  readonly host: Host;
  readonly contracts: readonly ElaboratedContract[];
  readonly prelude: string;
  /** Whether the claim is to be proved. */
  readonly wants: (contract: Contract, obligation: Obligation) => boolean;
}

/** Every wanted claim, in the order of the contracts. */
export async function prepareProofs({
  host,
  contracts,
  prelude,
  wants,
}: Preparation): Promise<readonly PreparedProof[]> {
  const byId = new Map(contracts.map((elaborated) => [elaborated.contract.id, elaborated]));
  const prepared: PreparedProof[] = [];
  for (const { contract } of contracts)
    for (const obligation of contract.obligations)
      if (wants(contract, obligation)) prepared.push(await prepare(host, contract, obligation, byId, sha256(prelude)));
  return prepared;
}

/** Whether the contract requires a proof over the reals of it. */
export function asksForProof({ proofMethod }: Obligation): boolean {
  return proofMethod !== null;
}

async function prepare(
  host: Host,
  contract: Contract,
  obligation: Obligation,
  byId: ReadonlyMap<string, ElaboratedContract>,
  prelude: string,
): Promise<PreparedProof> {
  const goal = `${contract.id}/${obligation.id}`;
  const path = join(dirname(contract.path), scriptPath(goal));
  const { statement, problem } = stated(contract, obligation, byId);
  const text = await host.readText(path, { maxBytes: 1_000_000 });
  const unreadable =
    text.ok || text.error.kind === 'missing'
      ? []
      : [diagnostic('PV-8002', null, `the script cannot be read: it ${text.error.message}`, { subject: path })];
  const script = text.ok ? { path, text: text.value } : null;
  const faults = script ? scriptProblems(script) : [];
  const problems = [...(problem ? [problem] : []), ...unreadable, ...faults];
  const inputs =
    statement && script && problems.length === 0
      ? { statement: sha256(statement.text), script: sha256(script.text), prelude, rules: proofRules }
      : null;
  return { contract, obligation, goal, statement, path, script, inputs, problems };
}

interface Stated {
  readonly statement: Statement | null;
  readonly problem: Diagnostic | null;
}

function stated(contract: Contract, obligation: Obligation, byId: ReadonlyMap<string, ElaboratedContract>): Stated {
  const { id, formal, proofMethod, span } = obligation;
  const place = formal?.span ?? span;
  const refuse = (why: string, hint: string): Stated => ({
    statement: null,
    problem: diagnostic('PV-6031', place, `${quoted(id)} cannot be stated for Rocq: ${why}`, { hint }),
  });
  const exact = exactGoal(contract, obligation, byId);
  if (!exact.ok)
    return refuse(exact.error.reason, 'a proof over the reals is of a claim that pv can elaborate over the reals');
  const names = (list: readonly Located<string>[] | undefined): ReadonlySet<string> =>
    new Set((list ?? []).map(({ value }) => value));
  const released = { unbounded: names(proofMethod?.unbounded), above: names(proofMethod?.unboundedAbove) };
  const inputs = exact.value.domain.variables.map(({ name }) => name);
  const unknown = [...released.unbounded, ...released.above].find((name) => !inputs.includes(name));
  if (unknown !== undefined)
    return refuse(
      `it has no input ${quoted(unknown)}`,
      `its inputs are ${listOf(inputs)}; sizes have no largest value anyhow`,
    );
  const { statement, refusals } = statementOf({ goal: exact.value, released });
  const [first] = refusals;
  if (first)
    return refuse(
      `${first.reason}: ${printTerm(first.term, 80)}`,
      'state the part of the claim that is about real numbers as an obligation of its own',
    );
  return { statement, problem: null };
}

function scriptProblems(script: SourceFile): readonly Diagnostic[] {
  const fault = faultOf(script.text);
  if (fault === null) return [];
  const range = { start: fault.offset, end: fault.offset + fault.length };
  return [
    diagnostic('PV-6032', { source: script, range }, `the script is not given to Rocq: ${fault.message}`, {
      hint: 'a script states and proves lemmas, then `Theorem witness : some_input` and `Theorem proof : claim`',
    }),
  ];
}
