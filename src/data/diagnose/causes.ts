/** From symptoms to what explains them: the chains of whys over violated obligations. */
import type { CauseStatus, Chain, ChainEnd, Violation } from './diagnosis.ts';
import { nameOf } from './diagnosis.ts';
import type { ObligationStatus } from './evaluate-run.ts';
import { compareOnset, couldCause, depthOf } from './onset-order.ts';

/** The statuses that `caused_by` refers to. */
interface Causes {
  /** Violated in time to explain it. */
  readonly established: readonly ObligationStatus[];
  /** Everything else that is listed. */
  readonly others: readonly CauseStatus[];
}

/** One chain per violation that no other explains; the one whose symptom shows first comes first. */
export function chainsOf(statuses: readonly ObligationStatus[]): readonly Chain[] {
  const violated = statuses.filter(({ violation }) => violation !== null);
  const causes = new Map(violated.map((one) => [one, causesOf(one, statuses)]));
  const chains = rootsOf(violated, causes).flatMap((root) => chainTo(root, violated, causes) ?? []);
  return chains.toSorted((a, b) => endOrder[a.end.kind] - endOrder[b.end.kind] || compareEnds(a, b));
}

/** Completely explained violations come first. */
const endOrder = { root: 0, unnamed: 1, undecided: 2, gap: 3 } as const;

const lastOf = ({ whys }: Chain): Violation => whys.at(-1) ?? whys[0];

function compareEnds(a: Chain, b: Chain): number {
  return compareOnset(lastOf(a), lastOf(b)) || depthOf(lastOf(a)) - depthOf(lastOf(b));
}

function causesOf(effect: ObligationStatus, statuses: readonly ObligationStatus[]): Causes {
  const established: ObligationStatus[] = [];
  const others: CauseStatus[] = [];
  for (const { value } of effect.obligation.diagnosis?.causedBy ?? []) {
    const named = statuses.filter((one) => isNamed(value, one, effect.contract) && one !== effect);
    if (named.length === 0) others.push(absent(value));
    for (const cause of named) {
      const inTime = cause.violation && effect.violation && couldCause(cause.violation, effect.violation);
      if (inTime && !isApart(cause, effect)) established.push(cause);
      else others.push(inTime ? apart(cause) : statusOf(cause));
    }
  }
  return { established, others };
}

/** `ID` of the same contract, `contract/ID`, or every obligation of `contract`. */
function isNamed(cause: string, { contract, obligation }: ObligationStatus, own: string): boolean {
  return (
    cause === `${contract}/${obligation.id}` || (cause === obligation.id && contract === own) || cause === contract
  );
}

/** Whether a check of both tried the fix of `cause`, or of what explains it, and `effect` was violated all the same. */
function isApart(cause: ObligationStatus, { contract, result }: ObligationStatus): boolean {
  return cause.contract === contract && result.apartFrom.includes(cause.result.consequence?.of ?? cause.obligation.id);
}

function apart(cause: ObligationStatus): CauseStatus {
  return { ...statusOf(cause), status: 'apart', reason: 'its fix leaves this violated' };
}

function absent(cause: string): CauseStatus {
  return { cause, property: null, status: 'absent', numbers: [], reason: 'its contract was not read', missing: [] };
}

function statusOf({ contract, obligation, result, violation }: ObligationStatus): CauseStatus {
  const { verdict, numbers, reason, missing, property } = result;
  const when = violation?.onset.step;
  const later = when === null || when === undefined ? 'it shows later' : `it shows at step ${when}, which is later`;
  const shared = { cause: nameOf({ contract, id: obligation.id }), property, numbers, missing };
  return verdict === 'violated'
    ? { ...shared, status: 'later', reason: later }
    : { ...shared, status: verdict, reason };
}

type CausesByEffect = ReadonlyMap<ObligationStatus, Causes>;

/** Violations that no other explains; in a cycle of explanations, the earliest. */
function rootsOf(violated: readonly ObligationStatus[], causes: CausesByEffect): readonly ObligationStatus[] {
  const roots = violated.filter((one) => (causes.get(one)?.established ?? []).length === 0);
  const explained = new Set(roots.flatMap((root) => [root, ...effectsOf(root, violated, causes)]));
  let left = violated.filter((one) => !explained.has(one)).toSorted(compareStatus);
  while (left.length > 0) {
    const [earliest] = left;
    if (!earliest) break;
    roots.push(earliest);
    const effects = new Set(effectsOf(earliest, violated, causes));
    left = left.filter((one) => one !== earliest && !effects.has(one));
  }
  return roots;
}

function compareStatus(a: ObligationStatus, b: ObligationStatus): number {
  return a.violation && b.violation ? compareOnset(a.violation, b.violation) : 0;
}

/** Everything that `root` explains, directly or through others. */
function effectsOf(
  root: ObligationStatus,
  violated: readonly ObligationStatus[],
  causes: CausesByEffect,
): readonly ObligationStatus[] {
  const found = new Set<ObligationStatus>();
  const waiting = [root];
  for (let cause = waiting.pop(); cause; cause = waiting.pop()) {
    for (const effect of violated) {
      if (effect === root || found.has(effect) || !causes.get(effect)?.established.includes(cause)) continue;
      found.add(effect);
      waiting.push(effect);
    }
  }
  return [...found];
}

function chainTo(root: ObligationStatus, violated: readonly ObligationStatus[], causes: CausesByEffect): Chain | null {
  const path = pathsDown(violated, causes)(root).toReversed();
  const [first, ...rest] = path.flatMap(({ violation }) => violation ?? []);
  if (!first) return null;
  const explained = effectsOf(root, violated, causes).filter((one) => !path.includes(one));
  return {
    whys: [first, ...rest],
    end: endOf(root, causes.get(root)?.others ?? []),
    alsoExplains: explained.map(({ contract, obligation }) => nameOf({ contract, id: obligation.id })),
  };
}

/** From a cause up to the symptom farthest from it; a cycle is followed once. */
function pathsDown(
  violated: readonly ObligationStatus[],
  causes: CausesByEffect,
): (cause: ObligationStatus) => readonly ObligationStatus[] {
  const known = new Map<ObligationStatus, readonly ObligationStatus[]>();
  const up = (cause: ObligationStatus): readonly ObligationStatus[] => {
    const found = known.get(cause);
    if (found) return found;
    // While it is being searched, it leads nowhere, which ends a cycle.
    known.set(cause, []);
    let longest: readonly ObligationStatus[] = [];
    for (const effect of violated) {
      if (!causes.get(effect)?.established.includes(cause)) continue;
      const above = up(effect);
      if (above.length > longest.length) longest = above;
    }
    const path = [cause, ...longest];
    known.set(cause, path);
    return path;
  };
  return up;
}

function endOf({ obligation, violation }: ObligationStatus, others: readonly CauseStatus[]): ChainEnd {
  const causedBy = obligation.diagnosis?.causedBy ?? null;
  // A static violation has only static causes.
  if (causedBy?.length === 0 || violation?.brick.nature === 'static') return { kind: 'root' };
  if (causedBy === null) return { kind: 'unnamed' };
  const open = others.filter(({ status }) => status === 'undetermined' || status === 'absent');
  const ruledOut = others.filter((one) => !open.includes(one));
  return open.length > 0 ? { kind: 'undecided', open, ruledOut } : { kind: 'gap', ruledOut };
}
