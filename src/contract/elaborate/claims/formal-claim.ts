/** From the notation of a claim to its goal, as far as the equations that it uses are understood. */
import type { Contract, FormalText } from '../../contract.ts';
import { withAnyTolerance, withNumber } from './assumed-numbers.ts';
import { withoutConsequences, wordsOf } from './caused-by.ts';
import { faultOf, remarksOn } from './claim-faults.ts';
import type { Claim } from './claim-of.ts';
import { boundIn, elaborateClaim, type ClaimModel, type ElaboratedClaim } from './claim.ts';
import { readGiven } from './given.ts';
import { goalOf } from './goal-of.ts';
import { withDependence } from './depends-on.ts';
import { whereNeighboursExist } from './neighbours.ts';
import { withKeyName } from './key-names.ts';
import {
  withDomainOf,
  withEachMeaning,
  withoutFirst,
  withoutOrder,
  withRealNumbers,
  withSingular,
  withTensor,
} from './other-readings.ts';
import { type Outcome, notGoal } from './outcome.ts';
import type { ClaimReading } from './claim-reading.ts';
import { withEachRow } from './row-broadcast.ts';
import { withPieces } from './whole-function.ts';
import { withIdleArgument } from './idle-arguments.ts';
import { openDeviation } from './sample-deviation.ts';
import { fail, type Problem } from '../context/context.ts';
import { asDiagnostic } from '../context/problem-diagnostic.ts';
import { textMentions } from '../context/syntax-parts.ts';
import type { Scope } from '../context/scope.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';
import type { equationScope } from '../equations/globals.ts';
import { checkListed } from '../operators/listed-shapes.ts';
import type { EquationModel, GivenCase } from '../../goal.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';

/** The claim as `formal` says it; a part of it if its equations, or the names in it, are understood only in part. */
export function elaborateFormal(
  contract: Contract,
  claim: Claim & { readonly formal: FormalText },
  equations: readonly ElaboratedEquation[],
  globals: ReturnType<typeof equationScope>,
): Outcome {
  const prose = claim.requires.find((text) => text.notation.status !== 'math');
  if (prose)
    return {
      goal: null,
      notGoal: notGoal(claim, 'undetermined', `its requirement "${prose.text}" is not notation to the end`),
      diagnostics: [],
    };
  const elaborated = elaborateWhereDefined(claim, equations, globals);
  const given = elaborated.model && claim.given ? readCases(elaborated, elaborated.model, claim.given) : null;
  const problem = elaborated.ctx.problem && withoutConsequences(elaborated.ctx.problem, equations);
  const assumed = problem && assumingNumbers(contract, claim, { problem, elaborated, equations, globals });
  if (assumed) return assumed;
  const diagnostics = [...(problem ? [problem] : []), ...elaborated.remarks]
    .filter((p) => p.kind !== 'blocked')
    .map(asDiagnostic);
  if (problem || !elaborated.model)
    return {
      goal: null,
      notGoal: notGoal(claim, 'undetermined', problem?.message ?? 'it could not be elaborated'),
      diagnostics,
    };
  return judgeable(contract, claim, { elaborated, model: elaborated.model, given, diagnostics, equations });
}

/** The goal of a claim that is elaborated, or what it lacks to be one. */
function judgeable(
  contract: Contract,
  claim: Claim & { readonly formal: FormalText },
  {
    elaborated,
    model,
    given,
    diagnostics,
    equations,
  }: {
    readonly elaborated: ElaboratedClaim;
    readonly model: ClaimModel;
    readonly given: readonly GivenCase[] | null;
    readonly diagnostics: readonly Diagnostic[];
    readonly equations: readonly ElaboratedEquation[];
  },
): Outcome {
  const fault = faultOf(claim, elaborated, model, equations);
  const open =
    claim.about === 'data'
      ? openFormula(claim.formal, equations)
      : (openEquation(model, equations, boundIn([claim.formal])) ?? openDeviation(claim.formal, equations));
  const unread = open?.said ?? null;
  if (fault)
    return {
      goal: null,
      notGoal: notGoal(claim, 'undetermined', unread ?? fault.message),
      diagnostics: unread === null ? [...diagnostics, fault] : diagnostics,
    };
  const used = elaborated.ctx.claim?.tolerated === true ? claim.tolerance : null;
  const goal = goalOf(contract, { ...claim, tolerance: used }, claim.formal, model, given);
  const { preconditions } = elaborated.ctx;
  if (open === null)
    return { goal, notGoal: null, diagnostics: [...diagnostics, ...remarksOn(claim, elaborated)], preconditions };
  const missing = { ...notGoal(claim, 'undetermined', open.said), asRead: goal };
  // What nothing defines is taken to be shaped like its argument, which shows nothing of shapes.
  const widened = open.widens && elaborated.ctx.claim?.asksShapes !== true;
  return { goal: null, notGoal: widened ? { ...missing, widened } : missing, diagnostics, preconditions };
}

/** The claim about any number of a name that nothing declares; null if that does not make it one that can be run. */
function assumingNumbers(
  contract: Contract,
  claim: Claim & { readonly formal: FormalText },
  {
    problem,
    elaborated,
    equations,
    globals,
  }: {
    readonly problem: Problem;
    readonly elaborated: ElaboratedClaim;
    readonly equations: readonly ElaboratedEquation[];
    readonly globals: ReturnType<typeof equationScope>;
  },
): Outcome | null {
  const diagnostics = problem.kind === 'blocked' ? [] : [asDiagnostic(problem)];
  const tolerant = elaborated.problem && withAnyTolerance(claim, elaborated.problem);
  const forAll = tolerant && elaborateFormal(contract, tolerant, equations, globals);
  if (forAll?.goal) {
    const missing = notGoal(claim, 'undetermined', `it is read for every ε > 0: ${problem.message}`);
    return { goal: null, notGoal: { ...missing, asRead: forAll.goal, widened: true }, diagnostics };
  }
  const read = (reading: ClaimReading | null): readonly Outcome[] => {
    if (reading === null) return [];
    const { goal, notGoal: open } = elaborateFormal(contract, reading.claim, equations, globals);
    const asRead = goal ?? open?.asRead;
    if (!asRead) return [];
    const missing = { ...notGoal(claim, 'undetermined', `${reading.said}: ${problem.message}`), asRead };
    const widened = reading.widened && (goal !== null || open?.widened === true);
    return [{ goal: null, notGoal: widened ? { ...missing, widened } : missing, diagnostics }];
  };
  const whole = elaborated.problem && withPieces(claim, elaborated.problem, equations, globals);
  if (whole) {
    const { goal, notGoal: open } = elaborateFormal(contract, claim, whole.equations, whole.globals);
    const asRead = goal ?? open?.asRead;
    if (asRead)
      return {
        goal: null,
        notGoal: { ...notGoal(claim, 'undetermined', `${whole.said}: ${problem.message}`), asRead },
        diagnostics,
      };
  }
  const { problem: first, draft } = elaborated;
  for (const reading of first ? readingsOf(claim, first, equations, globals) : []) {
    const [outcome] = read(reading);
    if (outcome) return outcome;
  }
  // Of two shapes that a name could have, the author means one.
  const [only = null, other] = first ? withTensor(claim, first, draft, globals).flatMap(read) : [];
  return other ? null : only;
}

/** What the claim may mean, in the order in which it is tried. */
function readingsOf(
  claim: Claim & { readonly formal: FormalText },
  problem: Problem,
  equations: readonly ElaboratedEquation[],
  globals: Scope,
): readonly (ClaimReading | null)[] {
  const unread = equations.filter(({ model }) => model === null).map(({ equation }) => equation);
  const words = new Set(unread.flatMap(({ formula, domain }) => wordsOf(`${formula.text} ${domain?.text ?? ''}`)));
  const number = withNumber(claim, problem, (name) => words.has(name));
  return [
    withEachMeaning(claim, problem, equations, globals),
    withRealNumbers(claim, problem),
    withoutFirst(claim, problem),
    withSingular(claim, problem, globals),
    withIdleArgument(claim, problem, globals),
    withKeyName(claim, problem, equations),
    withDomainOf(claim, problem, unread),
    withoutOrder(claim, problem),
    ...withDependence(claim, problem),
    ...withEachRow(claim, problem),
    // Not `widened`: the author may mean a tensor, and a law of numbers shows nothing about tensors.
    number && { claim: number.claim, said: `it is assumed to be about any ${number.name}`, widened: false },
  ];
}

/** A claim about neighbouring elements is about those that exist. */
function elaborateWhereDefined(
  claim: Claim & { readonly formal: FormalText },
  equations: readonly ElaboratedEquation[],
  globals: ReturnType<typeof equationScope>,
): ElaboratedClaim {
  const given = claim.given !== null;
  const source = { ...claim, narrows: !given && claim.about !== 'data', given };
  const elaborated = elaborateClaim(source, equations, globals);
  const narrower = elaborated.problem?.code === 'PV-4025' && !given ? whereNeighboursExist(claim.formal) : null;
  const again = narrower && elaborateClaim({ ...source, formal: narrower }, equations, globals);
  return again?.model ? again : elaborated;
}

/** Why a claim cannot be refuted: equations that it uses, or whose inputs it takes, are understood only in part. */
function openEquation(
  { equations: applied, domain }: ClaimModel,
  equations: readonly ElaboratedEquation[],
  bound: ReadonlySet<string>,
): { readonly said: string; readonly widens: boolean } | null {
  const namesIn = (of: Pick<EquationModel['domain'], 'sizes' | 'variables'>): readonly string[] =>
    [...of.sizes, ...of.variables].map(({ name }) => name);
  const own = equations.flatMap(({ model }) => model ?? []);
  const known = new Set(own.filter(({ unread }) => unread === undefined).flatMap((model) => namesIn(model.domain)));
  const names = new Set(namesIn(domain).filter((name) => !known.has(name) && !bound.has(name)));
  const models = [
    ...applied.map(({ model }) => model),
    ...own.filter((model) => namesIn(model.domain).some((name) => names.has(name))),
  ];
  const open = models.filter(({ unread }) => unread !== undefined);
  const found = open.find(({ widens }) => widens !== true) ?? open[0];
  if (found?.unread === undefined) return null;
  const said = `${found.name} is understood in part: ${found.unread}; an input that breaks the claim may lie outside what is meant`;
  return { said, widens: found.widens === true };
}

/** Why a claim about given numbers is not decided: an equation that it uses, itself or through others, is understood only in part. */
function openFormula(
  formal: FormalText,
  equations: readonly ElaboratedEquation[],
): { readonly said: string; readonly widens: boolean } | null {
  const used = new Set<ElaboratedEquation>();
  const follow = (text: FormalText): void => {
    for (const one of equations) {
      if (used.has(one) || !textMentions(text, (name) => name === one.symbol || name === one.equation.name)) continue;
      used.add(one);
      follow(one.equation.formula);
    }
  };
  follow(formal);
  const found = [...used].find(({ model }) => model?.unread !== undefined)?.model;
  return found ? { said: `${found.name} is understood in part: ${found.unread}`, widens: false } : null;
}

function readCases(elaborated: ElaboratedClaim, model: ClaimModel, given: FormalText): readonly GivenCase[] {
  const { ctx, draft } = elaborated;
  const cases = readGiven(ctx, given, model.domain, (name) => draft.inputs.has(name) || draft.sizes.has(name));
  if (cases.length === 0) fail(ctx, 'PV-4014', { start: 0, end: given.text.length }, 'no case is given');
  checkListed(ctx, model.domain, cases);
  return cases;
}
