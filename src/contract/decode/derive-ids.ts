/**
 * Ids for obligations that have none, formed as upstream's harnesses refer to them: in a contract whose tests are
 * called FALSIFY-RN-001, the second invariant is RN-INV-002 and the first bound RN-BND-001.
 */
import type { Obligation } from '../contract.ts';
import type { DecodedObligation } from './obligation.ts';

/** The first abbreviation is written, the others are also understood; upstream uses all of them. */
const abbreviations: Readonly<Record<string, readonly string[]>> = {
  invariant: ['INV'],
  bound: ['BND', 'BOUND'],
  equivalence: ['EQV', 'EQ', 'EQUIV'],
  monotonicity: ['MON', 'MONO'],
  conservation: ['CON', 'CONS'],
  ordering: ['ORD'],
  idempotency: ['IDM', 'IDEM', 'IDP'],
  linearity: ['LIN'],
  completeness: ['CMP', 'COMP'],
  soundness: ['SND', 'SOUND'],
  symmetry: ['SYM'],
  associativity: ['ASC', 'ASSOC'],
  involution: ['IVL'],
  determinism: ['DET'],
  roundtrip: ['RT', 'RND'],
};

/** Gives every obligation an id: its own, or one derived from its type and the prefix of `testIds`. */
export function deriveIds(
  obligations: readonly DecodedObligation[],
  testIds: readonly string[],
  contractId: string,
): readonly Obligation[] {
  const prefix = commonPrefix(testIds) ?? contractId.replace(/(-kernel)?-v\d+$/, '').toUpperCase();
  const taken = new Set(obligations.map((obligation) => obligation.id));
  const positions = new Map<string, number>();
  return obligations.map((obligation) => {
    const position = (positions.get(obligation.type) ?? 0) + 1;
    positions.set(obligation.type, position);
    if (obligation.id !== null) return { ...obligation, id: obligation.id, idDeclared: true };
    const id = free(`${prefix}-${abbreviate(obligation.type)}-${String(position).padStart(3, '0')}`, taken);
    taken.add(id);
    return { ...obligation, id, idDeclared: false };
  });
}

function abbreviate(type: string): string {
  return (
    abbreviations[type]?.[0] ??
    (type
      .replace(/[^A-Za-z]/g, '')
      .slice(0, 3)
      .toUpperCase() ||
      'OBL')
  );
}

function free(id: string, taken: ReadonlySet<string | null>): string {
  return taken.has(id) ? `${id}-DERIVED` : id;
}

/** The prefix that most test ids share: FALSIFY-RN-001 gives RN. */
function commonPrefix(testIds: readonly string[]): string | null {
  const votes = new Map<string, number>();
  for (const id of testIds) {
    const prefix = /^FALSIFY-(.+?)-\d+\w*$/.exec(id)?.[1];
    if (prefix !== undefined) votes.set(prefix, (votes.get(prefix) ?? 0) + 1);
  }
  const best = [...votes].sort((a, b) => b[1] - a[1])[0];
  return best?.[0] ?? null;
}

/** Every way in which upstream may write an obligation's id: RN-EQV-001, RN-EQ-001, RN-EQUIV-001. */
export function spellingsOf(obligation: Pick<Obligation, 'id' | 'type'>): readonly string[] {
  const others = abbreviations[obligation.type] ?? [];
  const written = others[0];
  if (written === undefined) return [obligation.id];
  return [obligation.id, ...others.slice(1).map((other) => obligation.id.replace(`-${written}-`, `-${other}-`))];
}
