import type { Receipt } from '../evidence/receipt.ts';
import type { Plan } from '../plan/make-plan.ts';

/**
 * Superseded receipts kept per claim, method and backend, so that undoing an edit, or another seed or number of cases, finds
 * its receipt.
 */
const keptOthers = 16;

/**
 * The checks whose receipts are no longer useful once every check of `plan` has run with `tool`: those of its contracts by
 * another build of pv or node, and all but the last few that undoing an edit, another seed or a narrower run could need.
 *
 * Receipts of other contracts are kept, and so is everything that a kept receipt rests on.
 */
export function superseded(plan: Plan, receipts: readonly Receipt[], tool: Receipt['tool']): readonly string[] {
  const planned = new Set(plan.checks.map(({ id }) => id));
  const contracts = new Set(plan.contracts.map(({ elaborated }) => elaborated.contract.id));
  const others = new Map<string, number>();
  const isKept = (receipt: Receipt): boolean => {
    const { check, goal, method, backend } = receipt;
    if (planned.has(check) || !contracts.has(goal.slice(0, goal.indexOf('/')))) return true;
    if (receipt.tool.version !== tool.version || receipt.tool.node !== tool.node) return false;
    const place = JSON.stringify([goal, method, backend.id, backend.device]);
    const before = others.get(place) ?? 0;
    others.set(place, before + 1);
    return before < keptOthers;
  };
  const inOrder = receipts.toSorted((a, b) => (a.check < b.check ? -1 : 1));
  const kept = withFoundations(receipts, inOrder.filter(isKept));
  return inOrder.flatMap(({ check }) => (kept.has(check) ? [] : [check]));
}

/** The checks of `some`, and those that their receipts rest on, at any depth. */
function withFoundations(receipts: readonly Receipt[], some: readonly Receipt[]): ReadonlySet<string> {
  const byCheck = new Map(receipts.map((receipt) => [receipt.check, receipt]));
  const kept = new Set(some.map(({ check }) => check));
  for (const check of kept) for (const below of Object.values(byCheck.get(check)?.restsOn ?? {})) kept.add(below);
  return kept;
}
