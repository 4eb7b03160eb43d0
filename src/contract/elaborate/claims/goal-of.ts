/** An elaborated claim as a goal: everything that decides its verdict, under one digest. */
import { termKey } from '../../../math/term/term-key.ts';
import type { Domain, SizeVariable } from '../../../math/domain.ts';
import type { JsonValue } from '../../../base/canonical-json.ts';
import type { Contract, FormalText } from '../../contract.ts';
import type { GivenCase, Goal, StatisticalStatement } from '../../goal.ts';
import type { Claim } from './claim-of.ts';
import type { ClaimModel } from './claim.ts';
import { applicationJson, digestOf, domainJson, givenJson } from '../equations/digest.ts';
import { toleranceText } from '../operators/tolerance.ts';

/** Largest size in claims over the reals: their digits cost a thousand times what floats do. */
const LARGEST_REAL_SIZE = 8;
/** Largest size in statistical claims, whose kernels run tens of thousands of times. */
const LARGEST_STATISTICAL_SIZE = 16;

/** The goal of a claim. `given` are its explicit inputs; null draws them from the domain. */
export function goalOf(
  contract: Contract,
  claim: Claim,
  formal: FormalText,
  model: ClaimModel,
  given: readonly GivenCase[] | null,
): Goal {
  const { applications, predicate } = model;
  const domain = given ? model.domain : affordableDomain(model.domain, claim);
  const overReals = claim.semantics === 'real' ? { equations: model.equations } : null;
  const statistical = statementOf(claim, model);
  const cases = statistical ? statistical.draws * statistical.settings : (given?.length ?? claim.cases);
  const names = [...new Set(applications.map((application) => application.equation))];
  let digest: string | null = null;
  return {
    id: `${contract.id}/${claim.id}`,
    contract: contract.id,
    source: claim.source,
    claim: claim.id,
    property: claim.property,
    formal: formal.text,
    semantics: claim.semantics,
    about: claim.about,
    // A claim over the reals runs no kernel: its applications mean the equations themselves.
    equations: overReals ? [] : names,
    domain,
    applications,
    predicate,
    given,
    cases,
    toleranceText: toleranceText(claim.tolerance),
    seed: claim.seed,
    onBackends: {},
    overReals,
    statistical,
    ifFails: claim.ifFails,
    get digest() {
      return (digest ??= digestOf({
        domain: domainJson(domain),
        applications: applications.map(applicationJson),
        predicate: termKey(predicate),
        given: givenJson(given),
        cases,
        semantics: claim.semantics,
        source: claim.source,
        ...(overReals ? { equations: overReals.equations.map(({ model }) => model.digest) } : {}),
        ...(statistical ? { statistical: statementJson(statistical) } : {}),
      }));
    },
    span: claim.span,
  };
}

function affordableDomain(domain: Domain, { semantics }: Claim): Domain {
  if (semantics !== 'real' && semantics !== 'statistical') return domain;
  const largest = semantics === 'real' ? LARGEST_REAL_SIZE : LARGEST_STATISTICAL_SIZE;
  return { ...domain, sizes: domain.sizes.map((size) => atMost(size, largest)) };
}

/** Derived sizes follow the others. If there were two possible values, at least two remain. */
function atMost(size: SizeVariable, largest: number): SizeVariable {
  if (size.definition !== null) return size;
  const smallest = Math.ceil(size.minimum / size.multipleOf) * size.multipleOf;
  const maximum = Math.max(largest, smallest + size.multipleOf);
  return size.maximum <= maximum ? size : { ...size, maximum, declaredMaximum: size.declaredMaximum ?? size.maximum };
}

function statementOf({ statistical }: Claim, { comparisons }: ClaimModel): StatisticalStatement | null {
  if (statistical === null || comparisons.length === 0) return null;
  const { draws, settings, alpha } = statistical;
  return { comparisons, random: statistical.random.map(({ value }) => value), draws, settings, alpha };
}

function statementJson({ comparisons, random, draws, settings, alpha }: StatisticalStatement): JsonValue {
  return {
    random: [...random],
    draws,
    settings,
    alpha,
    comparisons: comparisons.map(({ statistic, sample, relation, target, allowed }) => [
      statistic,
      termKey(sample),
      relation,
      termKey(target),
      allowed && termKey(allowed),
    ]),
  };
}
