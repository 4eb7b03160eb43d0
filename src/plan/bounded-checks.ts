/** The checks of a goal that are proofs up to a bound. */
import { canonicalJson } from '../base/canonical-json.ts';
import type { Contract } from '../contract/contract.ts';
import type { Goal } from '../contract/goal.ts';
import { harnessesOf, type Harness } from '../contract/harnesses.ts';
import { sha256 } from '../evidence/digest.ts';
import type { Receipt } from '../evidence/receipt.ts';
import type { Domain } from '../math/domain.ts';
import { leftOut } from '../bounded-proofs/instantiate/sizes-for.ts';
import { assumedBy } from './assumed-claims.ts';
import { withId, type Check, type WorkSubject } from './check.ts';
import { equationSubject, kernelSubject } from './check-subject.ts';

/** Which proofs are requested, and of whom. */
export interface AskedProofs {
  /** Only this engine, or null. */
  readonly engine: string | null;
  /** The version of an installed engine; those that come with pv change with pv. */
  readonly engineVersion?: string;
  readonly harnesses: (contract: Contract) => readonly Harness[];
}

interface BoundedContext {
  readonly contract: Contract;
  readonly restsOn: Check['restsOn'];
  readonly options: { readonly seed: number; readonly tool: Receipt['tool']; readonly bounded?: AskedProofs };
  readonly planned: Parameters<typeof assumedBy>[2];
}

/** The proofs that the contract requires of this goal, about the kernels' code; a formula alone is not a kernel. */
export function boundedChecks(
  goal: Goal,
  subjects: readonly WorkSubject[],
  { contract, restsOn, options, planned }: BoundedContext,
): readonly Check[] {
  if (goal.source !== 'obligation' || goal.statistical || subjects.some(({ bound }) => bound === null)) return [];
  const { engine, engineVersion, harnesses }: AskedProofs = options.bounded ?? { engine: null, harnesses: harnessesOf };
  const by = { engine, ...(engineVersion === undefined ? {} : { engineVersion }) };
  // Proofs are about the arithmetic of the reference: one rounding after every operation.
  const one = goal.onBackends['ref32'] ?? goal;
  return harnesses(contract)
    .filter(({ obligation }) => obligation === goal.claim)
    .map((asked) => {
      const { domain, harness } = withinSizes(one.domain, withoutSpan(asked));
      const assumed = harness.strategy === 'compositional' ? assumedBy(harness, subjects, planned) : [];
      const below = Object.fromEntries(assumed.map((claim) => [`${claim.goal.id}#${claim.harness}`, claim.check]));
      return withId(
        {
          method: 'bounded',
          contract: goal.contract,
          goal: goal.id,
          goalDigest: sha256(canonicalJson({ goal: one.digest, harness, ...by })),
          subject: goal.overReals
            ? equationSubject(
                goal,
                goal.overReals.equations.map(({ model }) => model),
              )
            : kernelSubject(subjects),
          backend: 'ref32',
          seed: goal.seed ?? options.seed,
          cases: 1,
          restsOn: { ...restsOn, ...below },
          work: {
            kind: 'bounded',
            goal: { ...one, domain, onBackends: {} },
            subjects,
            harness,
            leftOut: leftOut(one.domain, asked.bound, asked.sizes),
            engine,
            ...(assumed.length > 0 ? { assumed } : {}),
          },
        },
        options.tool,
      );
    });
}

/** What a harness requires, wherever it is declared. */
function withoutSpan({ id, obligation, strategy, bound, sizes, assumes, timeout }: Harness): Omit<Harness, 'span'> {
  return {
    id,
    obligation,
    strategy,
    bound,
    timeout,
    ...(sizes ? { sizes } : {}),
    ...(assumes ? { assumes } : {}),
  };
}

/** The domain with each size at most what the harness says about it, and the harness with the largest of these as its bound. */
function withinSizes(domain: Domain, asked: Omit<Harness, 'span'>): BoundedDomain {
  const { sizes } = asked;
  if (!sizes) return { domain, harness: asked };
  const listed = (name: string): readonly number[] => {
    const limit = sizes[name] ?? asked.bound;
    return typeof limit === 'object' ? limit : [limit];
  };
  const most = (name: string): number => Math.max(...listed(name));
  const least = (name: string): number => (typeof sizes[name] === 'object' ? Math.min(...listed(name)) : 0);
  const bounds = domain.sizes.filter(({ definition }) => definition === null).map(({ name }) => most(name));
  const cut = domain.sizes.map((size) => {
    if (size.definition !== null) return size;
    const maximum = Math.max(size.minimum, Math.min(size.maximum, most(size.name)));
    return { ...size, minimum: Math.max(size.minimum, Math.min(maximum, least(size.name))), maximum };
  });
  return { domain: { ...domain, sizes: cut }, harness: { ...asked, bound: Math.max(1, ...bounds) } };
}

interface BoundedDomain {
  readonly domain: Domain;
  readonly harness: Omit<Harness, 'span'>;
}
