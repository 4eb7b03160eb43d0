/** Whether everything that an equation writes is executed: by its formula, or by what is stated about it. */
import type { Equation, FormalText } from '../../contract.ts';
import { reading, remark, type Context, type Place } from '../context/context.ts';
import type { DomainDraft } from '../inputs/domain-draft.ts';
import { furtherRanges } from './further-sides.ts';
import { checkLedger, notUsed, unusedHelpers } from '../context/ledger.ts';
import type { Definition } from '../context/scope.ts';
import { mentionsElement, namesOf } from '../context/syntax-parts.ts';

/**
 * Records the first part of formula and domain (`texts`) that nothing executes. Further right sides are separate statements; a
 * helper may exist only for the `claims` about the equation.
 */
export function checkParts(
  ctx: Context,
  draft: DomainDraft,
  { formula, codomain, invariants, postconditions }: Equation,
  { texts, claims }: { readonly texts: readonly FormalText[]; readonly claims: readonly FormalText[] },
): void {
  const users = [...claims, ...(codomain ? [codomain] : []), ...invariants, ...postconditions];
  const further = furtherRanges(formula, draft.definitions);
  for (const range of further) {
    const message = 'only the first right side defines; that this one is equal to it is a statement about the equation';
    reading(ctx, formula, () => {
      remark(ctx, 'PV-4019', range, message);
    });
  }
  const aside = helpersAside(ctx, draft.definitions.values(), users);
  checkLedger(ctx, [formula, ...texts], [...aside, ...further.map((range) => ({ text: formula, range }))]);
}

/**
 * The places of unused helpers. One that none of `users` reads either is reported. One that is a plain number may be meant as a
 * condition (`where mode = 1`), which nothing would execute.
 */
export function helpersAside(
  ctx: Context,
  helpers: Iterable<Definition>,
  users: readonly FormalText[],
): readonly Place[] {
  return unusedHelpers(ctx.ledger, helpers).flatMap(({ name, text, cases }) => {
    const [first] = cases;
    const isRead = users.some((user) => mentionsElement(user, name));
    if (first && !isRead)
      reading(ctx, text, () => {
        if (namesOf(first.body).length === 0) notUsed(ctx, first.range, `nothing uses ${name}`, hints.number);
        else remark(ctx, 'PV-4051', first.range, `nothing uses ${name}, so it is not executed`, hints.formula);
      });
    return cases.map(({ range }) => ({ text, range }));
  });
}

const hints = {
  number: 'leave it out; if it is a condition on an input, declare the input in the domain',
  formula: 'leave it out, or give it an equation of its own',
} as const;
