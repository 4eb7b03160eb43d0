/**
 * Which obligation a reference in a contract means.
 */
import { spellingsOf } from '../decode/derive-ids.ts';
import type { Contract, Obligation } from '../contract.ts';

/** `SM-INV-001`: what looks like an id and not like words. */
export const idLike = /^[A-Z][A-Z0-9_]*(?:-[A-Z0-9_]+)+$/;

interface Index {
  readonly byId: ReadonlyMap<string, Obligation>;
  readonly byProperty: ReadonlyMap<string, Obligation>;
}

const indexes = new WeakMap<Contract, Index>();

function indexOf(contract: Contract): Index {
  let index = indexes.get(contract);
  if (!index) indexes.set(contract, (index = makeIndex(contract.obligations)));
  return index;
}

/** The first obligation of a name wins; declared and derived ids come before other spellings of derived ones. */
function makeIndex(obligations: readonly Obligation[]): Index {
  const names = obligations.map((obligation) => [obligation.id, obligation] as const);
  const spellings = obligations
    .filter((obligation) => !obligation.idDeclared)
    .flatMap((obligation) => spellingsOf(obligation).map((spelling) => [spelling, obligation] as const));
  const properties = obligations.map((obligation) => [normal(obligation.property), obligation] as const);
  return { byId: new Map([...names, ...spellings].toReversed()), byProperty: new Map(properties.toReversed()) };
}

/** The obligation with this id, in any of upstream's spellings of derived ids. */
export function obligationById(contract: Contract, id: string): Obligation | null {
  return indexOf(contract).byId.get(id) ?? null;
}

/** The obligation that a reference means: by id, by position (`1` is the first), or by its property in words. */
export function obligationOf(contract: Contract, reference: string): Obligation | null {
  const byId = obligationById(contract, reference);
  if (byId) return byId;
  if (/^\d+$/.test(reference)) return contract.obligations[Number(reference) - 1] ?? null;
  return indexOf(contract).byProperty.get(normal(reference)) ?? null;
}

/** The obligations that tests attack: those that a test names, that its data violate, or that share a telling stem with it. */
export function attackedObligations(contract: Contract): ReadonlySet<Obligation> {
  const attacked = new Set<Obligation>();
  const attackingStems = new Set<string>();
  for (const { rule, control } of contract.falsificationTests) {
    for (const { value } of control?.violates ?? []) {
      const violated = obligationById(contract, value);
      if (violated) attacked.add(violated);
    }
    const named = rule && obligationOf(contract, rule.value);
    if (named) attacked.add(named);
    else if (rule) for (const stem of stemsOf(rule.value)) attackingStems.add(stem);
  }
  for (const obligation of contract.obligations) {
    if (stemsOf(obligation.property).some((stem) => attackingStems.has(stem))) attacked.add(obligation);
  }
  return attacked;
}

function normal(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** First five letters of the longer words, so that `finite` and `finiteness` meet. */
function stemsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/\p{L}{5,}/gu) ?? []).map((word) => word.slice(0, 5));
}
