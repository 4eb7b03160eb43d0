/** The texts of one contract that can be rewritten so that pv reads them as a whole, and as what it took them for. */
import { elaborateContract } from '../../../contract/elaborate.ts';
import type { Contract } from '../../../contract/contract.ts';
import type { ElaboratedContract, Goal } from '../../../contract/goal.ts';
import { readContract, type ReadNotation } from '../../../contract/read.ts';
import type { SourceFile } from '../../../diagnostics/source.ts';
import { applyEdits, type Edit } from '../../../scan/edits.ts';
import { claimCandidates, equationCandidates, type Candidate } from './candidates.ts';
import { isClaimOf, isReadingOf } from './same-meaning.ts';
import { changeText, type TextChange } from './yaml-change.ts';

/** A rewriting of an equation or of a claim. */
export interface Rewriting {
  readonly contract: string;
  /** The file: two may have contracts of one name. */
  readonly path: string;
  readonly kind: Candidate['kind'];
  /** The equation's name or the claim's id. */
  readonly id: string;
  readonly changes: readonly TextChange[];
  readonly edits: readonly Edit[];
}

/** What reading a contract again needs. */
export interface Surroundings {
  readonly elaborated: ReadonlyMap<string, ElaboratedContract>;
  readonly readNotation: ReadNotation;
}

/** Files of strangers may have thousands. */
const mostCandidates = 100;

/** Those that mean what was read before; the contract has nothing else that is new. */
export function rewriteContract(before: ElaboratedContract, around: Surroundings): readonly Rewriting[] {
  const equations = equationCandidates(before).slice(0, mostCandidates);
  let accepted: readonly Rewriting[] = [];
  for (let way = 0; way < Math.max(0, ...equations.map(({ ways }) => ways.length)); way++) {
    const open = equations.filter(({ id }) => !accepted.some((one) => one.id === id));
    accepted = meaningTheSame(before, around, accepted, tried(before, open, way));
  }
  // Of an equation that can be read as a whole, more claims can be read in part.
  const between = accepted.length === 0 ? before : readAgain(before.contract, accepted, around);
  const claims = between ? claimCandidates(between, before).slice(0, mostCandidates) : [];
  return meaningTheSame(before, around, accepted, tried(before, claims, 0));
}

interface Tried extends Rewriting {
  readonly reading: Candidate['reading'];
}

function tried({ contract }: ElaboratedContract, candidates: readonly Candidate[], way: number): readonly Tried[] {
  return candidates.flatMap(({ kind, id, reading, ways }) => {
    const changes = ways[way];
    const edits = changes?.map((change) => changeText(contract.span.source, change));
    if (!changes || !edits || edits.includes(null)) return [];
    return [
      {
        contract: contract.id,
        path: contract.path,
        kind,
        id,
        changes,
        edits: edits.flatMap((some) => some ?? []),
        reading,
      },
    ];
  });
}

/** `accepted` with those of `tried` that mean the same once all are written. */
function meaningTheSame(
  before: ElaboratedContract,
  around: Surroundings,
  accepted: readonly Rewriting[],
  more: readonly Tried[],
): readonly Rewriting[] {
  if (more.length === 0) return accepted;
  const after = readAgain(before.contract, [...accepted, ...more], around);
  if (!after) return accepted;
  const goals = new Map([...after.goals, ...after.statements].map((goal): [string, Goal] => [goal.claim, goal]));
  const same = more.filter(({ id, reading }) =>
    'model' in reading
      ? isReadingOf(
          reading.model,
          after.equations.find(({ name }) => name === id),
        )
      : isClaimOf(reading.goal, goals.get(id)),
  );
  return same.length === 0 ? accepted : [...accepted, ...same];
}

/** The contract with the rewritings in its file; null if that is not a contract any more. */
function readAgain(
  contract: Contract,
  rewritings: readonly Rewriting[],
  { elaborated, readNotation }: Surroundings,
): ElaboratedContract | null {
  const { value } = readContract(rewritten(contract.span.source, rewritings), { readNotation });
  return value && elaborateContract(value, elaborated);
}

/** The file with the rewritings. */
export function rewritten(source: SourceFile, rewritings: readonly Pick<Rewriting, 'edits'>[]): SourceFile {
  return {
    ...source,
    text: applyEdits(
      source.text,
      rewritings.flatMap(({ edits }) => edits),
    ),
  };
}
