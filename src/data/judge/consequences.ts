/** Which violations of a check follow from others: according to the causes in the contract, tested if a cause can be fixed. */
import { invariant } from '../../base/invariant.ts';
import type { DataContract } from '../../contract/data-contract.ts';
import type { Consequence, ObligationOnData } from './data-check.ts';
import type { BoundInputs } from './inputs.ts';
import { judge } from './judge.ts';
import { withValue } from './known.ts';

/**
 * The obligations; each violated one that another explains has its {@link Consequence}.
 *
 * `diagnosis.caused_by` proposes; if the cause has a fix, the claim is evaluated again with the fix applied, and follows only
 * if it is then no longer violated. Logs cannot be fixed: there a cause must not be in a later row.
 */
export async function withConsequences(
  elaborated: DataContract,
  bound: BoundInputs,
  obligations: readonly ObligationOnData[],
): Promise<readonly ObligationOnData[]> {
  const violated = obligations.filter(({ verdict }) => verdict === 'violated');
  if (violated.length < 2) return obligations;
  const causes = causesAmong(violated, elaborated);
  const found = new Map<ObligationOnData, Explained>();
  const waiting = new Set(violated);
  while (waiting.size > 0) {
    const next = nextOf(waiting, causes);
    waiting.delete(next);
    const apartFrom: string[] = [];
    let consequence: Consequence | null = null;
    for (const cause of causes.get(next) ?? []) {
      // A consequence explains nothing that its cause does not; what remains belongs to the same cycle.
      if (found.get(cause)?.consequence !== null) continue;
      const shownBy = await follows(next, cause, elaborated, bound);
      if (shownBy === null) apartFrom.push(cause.id);
      else consequence = { of: cause.id, shownBy };
      if (consequence !== null) break;
    }
    found.set(next, { consequence, apartFrom });
  }
  return obligations.map((one) => ({ ...one, ...found.get(one) }));
}

type Explained = Pick<ObligationOnData, 'consequence' | 'apartFrom'>;

/** For each violated obligation, those that could explain it, directly or through others; nearest first. */
type Causes = ReadonlyMap<ObligationOnData, ReadonlySet<ObligationOnData>>;

/** The first in the contract whose causes have all been decided; in a cycle of causes, its first member. */
function nextOf(waiting: ReadonlySet<ObligationOnData>, causes: Causes): ObligationOnData {
  const next = [...waiting].find((one) =>
    [...(causes.get(one) ?? [])].every((cause) => !waiting.has(cause) || causes.get(cause)?.has(one)),
  );
  invariant(next !== undefined, 'something explains nothing but what explains it');
  return next;
}

function causesAmong(violated: readonly ObligationOnData[], { contract }: DataContract): Causes {
  const named = new Map(
    contract.obligations.map(({ id, diagnosis }) => [id, (diagnosis?.causedBy ?? []).map(({ value }) => value)]),
  );
  const directOf = (effect: ObligationOnData): readonly ObligationOnData[] =>
    (named.get(effect.id) ?? []).flatMap((name) =>
      violated.filter(
        (cause) => (name === cause.id || name === `${contract.id}/${cause.id}`) && couldCause(cause, effect),
      ),
    );
  return new Map(
    violated.map((effect) => {
      const found = new Set(directOf(effect));
      // A set is iterated in insertion order, even while it grows.
      for (const cause of found) for (const farther of directOf(cause)) if (farther !== effect) found.add(farther);
      found.delete(effect);
      return [effect, found];
    }),
  );
}

/** Rows of one file are in chronological order; a violation without a row held from the start, or is about the whole run. */
function couldCause(cause: ObligationOnData, effect: ObligationOnData): boolean {
  if (cause.rows === null || effect.rows === null) return true;
  const [[first], [second]] = [cause.places, effect.places];
  return first !== undefined && second !== undefined && first.path === second.path && first.at <= second.at;
}

async function follows(
  effect: ObligationOnData,
  root: ObligationOnData,
  { data, dataGoals }: DataContract,
  bound: BoundInputs,
): Promise<Consequence['shownBy'] | null> {
  const [mend] = root.mends;
  if (!mend) return 'contract';
  const goal = dataGoals.find(({ claim }) => claim === effect.id);
  const found = bound.given.get(mend.input);
  if (!goal || data === null || found?.kind !== 'scalar') return null;
  const mended = withValue(data, bound, mend.input, { ...found, value: mend.becomes });
  const { verdict } = await judge(goal, data, mended);
  return verdict === 'satisfied' || verdict === 'vacuous' ? 'mend' : null;
}
