/**
 * Which obligation or equation a reference in a contract means.
 */
import { spellingsOf } from '../decode/derive-ids.ts';
import type { Contract, Obligation } from '../contract.ts';

/** `SM-INV-001`: what looks like an id and not like words. */
export const idLike = /^[A-Z][A-Z0-9_]*(?:-[A-Z0-9_]+)+$/;

/** The obligation with this id, in any of upstream's spellings of derived ids. */
export function obligationById(contract: Contract, id: string): Obligation | null {
  return (
    contract.obligations.find((obligation) => obligation.id === id) ??
    contract.obligations.find((obligation) => !obligation.idDeclared && spellingsOf(obligation).includes(id)) ??
    null
  );
}

/** The obligation that a reference means: by id, by position (`1` is the first), or by its property in words. */
export function obligationOf(contract: Contract, reference: string): Obligation | null {
  const byId = obligationById(contract, reference);
  if (byId) return byId;
  if (/^\d+$/.test(reference)) return contract.obligations[Number(reference) - 1] ?? null;
  const words = normal(reference);
  return contract.obligations.find((obligation) => normal(obligation.property) === words) ?? null;
}

/** The obligations that tests attack: those that a test names, or shares a telling stem with. */
export function attackedObligations(contract: Contract): ReadonlySet<Obligation> {
  const byStem = new Map<string, Obligation[]>();
  for (const obligation of contract.obligations)
    for (const stem of stemsOf(obligation.property)) byStem.set(stem, [...(byStem.get(stem) ?? []), obligation]);
  const attacked = contract.falsificationTests.flatMap((test) => {
    if (!test.rule) return [];
    const named = obligationOf(contract, test.rule.value);
    return named ? [named] : [...stemsOf(test.rule.value)].flatMap((stem) => byStem.get(stem) ?? []);
  });
  return new Set(attacked);
}

function normal(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** First five letters of the longer words, so that `finite` and `finiteness` meet. */
function stemsOf(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(/\p{L}{5,}/gu) ?? []).map((word) => word.slice(0, 5)));
}
