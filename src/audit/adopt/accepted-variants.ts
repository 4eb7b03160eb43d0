/** Equations whose statements also hold of wrong variants of the formula: they would not tell a wrong kernel from a right one. */
import { canonicalJson } from '../../base/canonical-json.ts';
import { isDeclaredOnly, type ElaboratedContract, type EquationModel, type Goal } from '../../contract/goal.ts';
import { sha256 } from '../../evidence/digest.ts';
import type { MutantOutcome, Receipt } from '../../evidence/receipt.ts';
import type { Domain } from '../../math/domain.ts';
import { call, conjunction, decimal, element, integer, reduce, variable } from '../../math/term/build.ts';
import { INTEGER, type IndexBinder } from '../../math/term/term.ts';
import { makeType } from '../../math/term/types.ts';
import { withId, type Check, type WorkSubject } from '../../plan/check.ts';
import { equationSubject } from '../../plan/check-subject.ts';
import type { AcceptedVariants } from '../../report/adopt/adoption.ts';
import { asRounded, type AdoptedGoal, type AdoptionOptions } from './adoption-checks.ts';
import type { Judged, RunChecks } from './judge-adoption.ts';
import { placeOf } from './place-of.ts';

/** Drawn inputs of each statement for a wrong variant that none of the first ones shows. */
const cases = 200;
/** Variants that are shown of an equation. */
const mostShown = 3;

/** A statement that a right kernel keeps, at usual numbers at least, or that compares kernels. */
interface Standing {
  readonly contract: string;
  readonly goal: Goal;
  readonly subjects: readonly WorkSubject[];
}

interface Tried {
  readonly elaborated: ElaboratedContract;
  readonly model: EquationModel;
  readonly statements: readonly Standing[];
}

/**
 * Every equation that is understood as a whole, with the wrong variants of its formula that all of its statements accept. A variant
 * counts only with an input at which it differs from the formula.
 */
export async function findAcceptedVariants(
  elaborated: readonly ElaboratedContract[],
  goals: readonly AdoptedGoal[],
  judged: readonly Judged[],
  run: RunChecks,
  options: AdoptionOptions,
): Promise<readonly AcceptedVariants[]> {
  const standing = goals.flatMap(({ contract, goal, subjects, inPart }, i): readonly Standing[] => {
    const { word, extreme = false } = judged[i] ?? {};
    const isKept = word === 'held' || word === 'needs-kernel' || extreme;
    return inPart === null && isKept
      ? [
          {
            contract,
            goal: asRounded(extreme ? { ...goal, domain: withUsualNumbers(goal.domain) } : goal, subjects),
            subjects,
          },
        ]
      : [];
  });
  const tried = elaborated.flatMap((one) =>
    one.equations
      .filter((model) => model.unread === undefined && !isDeclaredOnly(model))
      .map((model): Tried => {
        const isAbout = ({ contract, subjects }: Standing): boolean =>
          contract === one.contract.id && subjects.some(({ equation }) => equation === model.name);
        return { elaborated: one, model, statements: standing.filter(isAbout) };
      }),
  );
  const checks = tried.map((one) => (one.statements.length > 0 ? checkOf(one, options) : null));
  const receipts = await run(checks.flatMap((check) => check ?? []));
  return tried.flatMap((one, i) => {
    const check = checks[i];
    return acceptedOf(one, check ? receipts.get(check.id) : undefined);
  });
}

/** The wrong variants of the formula, each against all statements about it. */
function checkOf({ elaborated, model, statements }: Tried, options: AdoptionOptions): Check {
  const contract = elaborated.contract.id;
  const known = new Map(statements.flatMap((one) => one.subjects.map((subject) => [subject.equation, subject])));
  // Where a formula over- or underflows, one that is equal to it over ℝ may differ.
  const own = { ...model, domain: withUsualNumbers(model.domain) };
  const subjects = [...known.values()].map((one) => (one.equation === model.name ? { ...one, model: own } : one));
  const goals = statements.map(({ goal }) => [goal] as const);
  const meaning = { equation: model.digest, goals: goals.map(([{ id, digest }]) => [id, digest]) };
  return withId(
    {
      contract,
      goal: `${contract}/${model.name}`,
      goalDigest: sha256(canonicalJson(meaning)),
      method: 'adequacy',
      subject: equationSubject(
        { contract },
        subjects.map((subject) => subject.model),
      ),
      backend: 'ref32',
      seed: options.seed,
      cases,
      restsOn: {},
      work: { kind: 'equation', equation: model.name, goals, subjects, equivalent: [] },
    },
    options.tool,
  );
}

/** Sizes of numbers whose squares and ratios are far from the ends of float32's range. */
const usual = [decimal('1e-18'), decimal('1e18')] as const;

/** Inputs of usual sizes and zeros alone. */
function withUsualNumbers(domain: Domain): Domain {
  const facts = domain.variables.flatMap(({ name, element: type, shape }) => {
    if (type.kind !== 'real' && type.kind !== 'float') return [];
    const binders = shape.map((to, axis): IndexBinder => ({ name: `i:${axis}`, from: integer(0), to }));
    const one = element(
      variable(name, makeType(type, shape)),
      binders.map((binder) => variable(binder.name, INTEGER)),
    );
    const size = call('absolute', one);
    const isUsual = conjunction([call('less-equal', usual[0], size), call('less-equal', size, usual[1])]);
    return [reduce('all', binders, call('or', call('equal', one, integer(0)), isUsual))];
  });
  return { ...domain, preconditions: [...domain.preconditions, ...facts] };
}

function acceptedOf(
  { elaborated, model, statements }: Tried,
  receipt: Receipt | undefined,
): readonly AcceptedVariants[] {
  const written = elaborated.contract.equations.find(({ name }) => name === model.name);
  const variants = receipt?.mutants ?? [];
  if (!written) return [];
  const accepted = variants.filter(
    ({ killedBy, separatingInput }) => killedBy.length === 0 && separatingInput !== null,
  );
  return [
    {
      contract: elaborated.contract.id,
      equation: model.name,
      ...placeOf(written.formula.span),
      statements: statements.length,
      tried: variants.length,
      accepted: accepted.length,
      idle: variants.length === 0 ? [] : idleAmong(statements, variants),
      examples: accepted.slice(0, mostShown).flatMap(exampleOf),
    },
  ];
}

/** Statements that no variant breaks, which may hold of every formula. */
function idleAmong(statements: readonly Standing[], variants: readonly MutantOutcome[]): readonly string[] {
  const broken = new Set(variants.flatMap(({ killedBy }) => killedBy));
  return statements.flatMap(({ goal }) => (broken.has(goal.id) ? [] : [goal.claim]));
}

function exampleOf({ mutant, separatingInput, separatingOutputs }: MutantOutcome): AcceptedVariants['examples'] {
  if (!separatingInput || !separatingOutputs) return [];
  const { right, wrong } = separatingOutputs;
  return [{ variant: mutant.replace(/^equation:/u, ''), input: separatingInput, right: right ?? '', wrong }];
}
