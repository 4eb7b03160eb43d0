/** From symptoms to what explains them: the chains of whys over violated obligations. */
import { present } from '../../base/invariant.ts';
import type { CauseStatus, Chain, ChainEnd, Violation } from './diagnosis.ts';
import { nameOf, rootOf } from './diagnosis.ts';
import type { ObligationStatus } from './evaluate-run.ts';
import { compareOnset, couldCause } from './onset-order.ts';

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
  const chains = rootsOf(violated, causes).map((root) => chainTo(root, violated, causes));
  return chains.toSorted((a, b) => endOrder[a.end.kind] - endOrder[b.end.kind] || compareOnset(rootOf(a), rootOf(b)));
}

/** Completely explained violations come first. */
const endOrder = { root: 0, unnamed: 1, undecided: 2, gap: 3 } as const;

function causesOf(effect: ObligationStatus, statuses: readonly ObligationStatus[]): Causes {
  const established: ObligationStatus[] = [];
  const others: CauseStatus[] = [];
  for (const { value } of effect.obligation.diagnosis?.causedBy ?? []) {
    const named = statuses.filter((one) => isNamed(value, one, effect.contract) && one !== effect);
    if (named.length === 0) others.push(absent(value));
    for (const cause of named) {
      const against = ruledOut(cause, effect);
      if (against === null) established.push(cause);
      else others.push(against);
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

function absent(cause: string): CauseStatus {
  return { cause, property: null, status: 'absent', numbers: [], reason: 'its contract was not read', missing: [] };
}

/** Why `cause` does not explain `effect`, which is violated; null if it does. */
function ruledOut(cause: ObligationStatus, effect: ObligationStatus): CauseStatus | null {
  const { contract, obligation, result } = cause;
  const { verdict, numbers, reason, missing, property } = result;
  const shared = { cause: nameOf({ contract, id: obligation.id }), property, numbers, missing };
  if (verdict !== 'violated') return { ...shared, status: verdict, reason };
  const [before, after] = [violationOf(cause), violationOf(effect)];
  if (!couldCause(before, after))
    return { ...shared, status: 'later', reason: `it shows at step ${before.onset.step}, which is later` };
  return isApart(cause, effect) ? { ...shared, status: 'apart', reason: 'its fix leaves this violated' } : null;
}

type CausesByEffect = ReadonlyMap<ObligationStatus, Causes>;

function causesIn(causes: CausesByEffect, effect: ObligationStatus): Causes {
  return present(causes.get(effect), 'the causes of every violation were looked for');
}

/** Violations that no other explains; in a cycle of explanations, the earliest. */
function rootsOf(violated: readonly ObligationStatus[], causes: CausesByEffect): readonly ObligationStatus[] {
  const roots = violated.filter((one) => causesIn(causes, one).established.length === 0);
  const explained = new Set(roots.flatMap((root) => [root, ...effectsOf(root, violated, causes)]));
  let left = violated.filter((one) => !explained.has(one)).toSorted(compareStatus);
  for (let [earliest] = left; earliest; [earliest] = left) {
    roots.push(earliest);
    const effects = new Set(effectsOf(earliest, violated, causes));
    left = left.filter((one) => one !== earliest && !effects.has(one));
  }
  return roots;
}

function violationOf({ violation }: ObligationStatus): Violation {
  return present(violation, 'what is violated says where');
}

function compareStatus(a: ObligationStatus, b: ObligationStatus): number {
  return compareOnset(violationOf(a), violationOf(b));
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
      if (effect === root || found.has(effect) || !causesIn(causes, effect).established.includes(cause)) continue;
      found.add(effect);
      waiting.push(effect);
    }
  }
  return [...found];
}

function chainTo(root: ObligationStatus, violated: readonly ObligationStatus[], causes: CausesByEffect): Chain {
  const path = pathsDown(violated, causes)(root).toReversed();
  const [first, ...rest] = path.map(violationOf);
  const explained = effectsOf(root, violated, causes).filter((one) => !path.includes(one));
  return {
    whys: [present(first, 'a path has at least its root'), ...rest],
    end: endOf(root, causesIn(causes, root).others),
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
      if (!causesIn(causes, effect).established.includes(cause)) continue;
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
