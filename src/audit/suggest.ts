/**
 * The smallest tolerances that hold of a project's kernels: `pv audit --suggest`.
 *
 * A first run, with every tolerance much larger, finds the comparison with the largest share of its tolerance and so the factor by
 * which all of its parts can shrink, or must grow. A second run, with the suggested tolerances, counts the wrong kernels that claims
 * still catch.
 */
import type { Contract, Obligation, Tolerance } from '../contract/contract.ts';
import type { WorstCase } from '../evidence/receipt.ts';
import type { MethodId } from '../evidence/receipt.ts';
import { MIN_NORMAL_FLOAT32 } from '../numeric/float.ts';
import { twoDigitsUp } from '../numeric/two-digits.ts';
import type { ClaimReport, Report } from '../report/report.ts';
import { elaborateAll } from './elaborate-all.ts';
import type { Project } from './read-project.ts';

/** What a claim's tolerance could be. */
export interface Suggestion {
  readonly contract: string;
  readonly claim: string;
  readonly declared: string;
  /** `cond 5.4, abs 1.2e-38`; null if no tolerance holds, because an output is not finite or the claim did not run. */
  readonly suggested: string | null;
  /** Error divided by the declared tolerance, and the input that decides it; null if no comparison ran. */
  readonly worst: WorstCase | null;
  /** Wrong kernels that the claim catches with the suggested tolerance; null if none was tried. */
  readonly kills: ClaimReport['kills'];
}

/** Large enough that a kernel with few correct digits satisfies a claim, so that a run sees all of its cases. */
const LOOSE = 2 ** 20;

/** Runs the checks of these methods on a project, without regard to stored evidence. */
export type RunProject = (project: Project, methods: ReadonlySet<MethodId>) => Promise<Report>;

/** One suggestion for each obligation about kernels with a tolerance, in the order of the contracts. */
export async function suggestTolerances(project: Project, run: RunProject): Promise<readonly Suggestion[]> {
  const loose = await run(
    withTolerances(project, (_, { tolerance }) => tolerance && scaled(tolerance, LOOSE)),
    new Set(['property']),
  );
  const needs = new Map<string, WorstCase>();
  for (const { id, claims } of loose.contracts)
    for (const claim of claims) {
      const found = claim.methods.flatMap(({ worst }) => (worst ? [{ ...worst, ratio: worst.ratio * LOOSE }] : []));
      const [worst] = found.toSorted((a, b) => b.ratio - a.ratio);
      if (worst) needs.set(`${id}/${claim.id}`, worst);
    }
  const needed = ({ id }: Contract, claim: Obligation): Tolerance | null => {
    const worst = needs.get(`${id}/${claim.id}`);
    return claim.tolerance && worst && isFiniteError(worst) ? tight(claim.tolerance, worst.ratio) : null;
  };
  const held = await run(
    withTolerances(project, (contract, claim) => needed(contract, claim) ?? claim.tolerance),
    new Set(['adequacy']),
  );
  const kills = new Map(
    held.contracts.flatMap(({ id, claims }) => claims.map((claim) => [`${id}/${claim.id}`, claim.kills])),
  );
  return project.elaborated.flatMap(({ contract }) =>
    contract.obligations.filter(isSuggestible).map((claim): Suggestion => {
      const key = `${contract.id}/${claim.id}`;
      const suggested = needed(contract, claim);
      return {
        contract: contract.id,
        claim: claim.id,
        declared: claim.tolerance ? textOf(claim.tolerance) : '',
        suggested: suggested && textOf(suggested),
        worst: needs.get(key) ?? null,
        kills: suggested ? (kills.get(key) ?? null) : null,
      };
    }),
  );
}

const isFiniteError = ({ error, ratio }: WorstCase): boolean => Number.isFinite(error) && Number.isFinite(ratio);

/** Claims over the reals and about distributions are about no kernel's rounding. */
function isSuggestible({ tolerance, semantics, about }: Obligation): boolean {
  return tolerance !== null && about !== 'data' && semantics !== 'real' && semantics !== 'statistical';
}

function withTolerances(
  project: Project,
  toleranceOf: (contract: Contract, claim: Obligation) => Tolerance | null,
): Project {
  const contracts = project.elaborated.map(({ contract }) => ({
    ...contract,
    obligations: contract.obligations.map((claim) =>
      isSuggestible(claim)
        ? { ...claim, tolerance: toleranceOf(contract, claim), backendTolerances: new Map() }
        : claim,
    ),
  }));
  return { ...project, elaborated: elaborateAll(contracts) };
}

const parts = ['cond', 'ulp', 'rel', 'abs'] as const;

function scaled(tolerance: Tolerance, factor: number, round = (value: number): number => value): Tolerance {
  const part = (value: number | null): number | null => value && round(value * factor);
  const { abs, rel, ulp, cond } = tolerance;
  return { ...tolerance, abs: part(abs), rel: part(rel), ulp: part(ulp), cond: part(cond) };
}

/** Two digits, rounded up. The absolute part leaves room for one flushed result, as the declared one does. */
function tight(tolerance: Tolerance, factor: number): Tolerance {
  const shrunk = scaled(tolerance, factor, twoDigitsUp);
  const least = Math.min(tolerance.abs ?? 0, twoDigitsUp(MIN_NORMAL_FLOAT32));
  return { ...shrunk, abs: tolerance.abs === null ? null : Math.max(shrunk.abs ?? 0, least) };
}

function textOf(tolerance: Tolerance): string {
  const shown = parts.flatMap((name) => (tolerance[name] === null ? [] : [`${name} ${tolerance[name]}`]));
  return shown.join(', ') + (tolerance.per ? ` per ${tolerance.per.text}` : '');
}
