/** Whether what pv reads after a rewriting is what it took the text for before. */
import { compareText } from '../../../base/text.ts';
import { canonicalJson, type JsonValue } from '../../../base/canonical-json.ts';
import { applicationJson, domainJson, givenJson } from '../../../contract/elaborate/equations/digest.ts';
import type { EquationModel, Goal } from '../../../contract/goal.ts';
import type { Domain } from '../../../math/domain.ts';
import { termKey, typeKey } from '../../../math/term/term-key.ts';

/** The same function of the same inputs, understood as a whole. */
export function isReadingOf(before: EquationModel, after: EquationModel | undefined): boolean {
  return after !== undefined && after.unread === undefined && modelKey(before) === modelKey(after);
}

function modelKey({ symbol, parameters, domain, result, body }: EquationModel): string {
  const inputs = parameters.map(({ name, type }) => [name, typeKey(type)]).toSorted(byName);
  return canonicalJson([symbol, inputs, sortedDomain(domain), typeKey(result), termKey(body)]);
}

/** The same claim about the same inputs. */
export function isClaimOf(before: Goal, after: Goal | undefined): boolean {
  return after !== undefined && goalKey(before) === goalKey(after);
}

function goalKey({ domain, applications, predicate, given, semantics, about }: Goal): string {
  return canonicalJson([
    sortedDomain(domain),
    applications.map(applicationJson),
    termKey(predicate),
    givenJson(given),
    semantics,
    about,
  ]);
}

/** Inputs in any order: a rewritten domain declares them before it bounds them. */
function sortedDomain({ sizes, variables, preconditions, ...more }: Domain): JsonValue {
  return domainJson({
    ...more,
    sizes: sizes.toSorted((a, b) => compareText(a.name, b.name)),
    variables: variables.toSorted((a, b) => compareText(a.name, b.name)),
    preconditions: preconditions.toSorted((a, b) => compareText(termKey(a), termKey(b))),
  });
}

const byName = ([a = '']: readonly string[], [b = '']: readonly string[]): number => compareText(a, b);
