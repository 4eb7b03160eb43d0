/** Verifies every round in the folders of one or several nodes, and whether the nodes agree. */
import type { Problem } from '../../base/problem.ts';
import { wrong } from '../../base/problem.ts';
import type { Result } from '../../base/result.ts';
import { isOpen, type RoundState } from '../round/state.ts';
import { abortForm, closingForm, openingForm, resultForm, submissionForm } from '../statements.ts';
import type { RoundId } from '../ulid.ts';
import { statementSha } from '../wire/signed.ts';
import { roundsIn, verifyRound, type NodeFolder, type VerifiedRound, type VerifyRoundOptions } from './verify-round.ts';

/** What one node's folder shows of one round. */
export interface FolderVerdict {
  readonly folder: string;
  readonly round: RoundId;
  readonly verified: Result<VerifiedRound, Problem>;
}

/** Every round of every folder, in their order. A folder that contradicts an earlier one fails with PV-8604. */
export async function verifyFolders(
  options: Omit<VerifyRoundOptions, 'from' | 'others' | 'round'>,
  folders: readonly NodeFolder[],
): Promise<readonly FolderVerdict[]> {
  const verdicts: FolderVerdict[] = [];
  const earlier = new Map<RoundId, FolderVerdict[]>();
  for (const from of folders)
    for (const round of roundsIn(from)) {
      const others = folders.map(({ folder }) => folder).filter((folder) => folder !== from.folder);
      const verified = await verifyRound({ ...options, from, others, round });
      const { folder } = from;
      const before = earlier.get(round) ?? [];
      const other = verified.ok ? contradicted(verified.value.state, before) : null;
      const verdict: FolderVerdict = {
        folder,
        round,
        verified:
          other === null
            ? verified
            : wrong(
                'PV-8604',
                'round',
                `It shows another ${other.what} of round ${round} than ${other.folder}, although both are signed.`,
              ),
      };
      verdicts.push(verdict);
      earlier.set(round, [...before, verdict]);
    }
  return verdicts;
}

interface Contradiction {
  readonly folder: string;
  readonly what: string;
}

function contradicted(state: RoundState, earlier: readonly FolderVerdict[]): Contradiction | null {
  for (const { folder, verified } of earlier) {
    const what = verified.ok ? difference(state, verified.value.state) : null;
    if (what !== null) return { folder, what };
  }
  return null;
}

/** What two histories of a round, of which one may have ended earlier, have both and not alike; null if nothing. */
function difference(a: RoundState, b: RoundState): string | null {
  if (a.manifestSha !== b.manifestSha) return 'manifest';
  for (const [participant, { submitted }] of a.members) {
    const other = b.members.get(participant)?.submitted ?? null;
    if (submitted !== null && other !== null)
      if (statementSha(submissionForm, submitted.submission) !== statementSha(submissionForm, other.submission))
        return 'submission of a participant';
  }
  if (a.secure !== null && b.secure !== null)
    if (statementSha(openingForm, a.secure.opening) !== statementSha(openingForm, b.secure.opening))
      return 'opening of secure aggregation';
  if (a.closing !== null && b.closing !== null)
    if (statementSha(closingForm, a.closing) !== statementSha(closingForm, b.closing)) return 'closing';
  if (endOf(a) !== null && endOf(b) !== null && endOf(a) !== endOf(b)) return 'end';
  return leavesOut(a, b) || leavesOut(b, a) ? 'list of joins, submissions and revocations' : null;
}

/** Whether a history in which nothing of this kind can follow lacks what the other has. */
function leavesOut(ended: RoundState, other: RoundState): boolean {
  const isClosed = !isOpen(ended);
  return [...other.members].some(([participant, { submitted, phase }]) => {
    const own = ended.members.get(participant);
    if (own === undefined) return isClosed || ended.secure !== null;
    return isClosed && ((submitted !== null && own.submitted === null) || (phase === 'REVOKED' && own.phase !== phase));
  });
}

function endOf({ result, abort }: RoundState): string | null {
  if (result !== null) return statementSha(resultForm, result);
  return abort === null ? null : statementSha(abortForm, abort);
}
