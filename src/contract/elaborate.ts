/**
 * From a decoded contract to typed equations and goals.
 *
 * docs/notation.md says what the notation means; the folder `elaborate` implements it. Nothing here runs anything:
 * the result is terms over declared inputs, and diagnostics that point into the YAML.
 *
 * The rooms of the folder, each of which imports only from the ones before it:
 * - `context`: names, scopes and values of one elaboration, and which written parts were used;
 * - `inputs`: sizes and inputs while statements still narrow them;
 * - `operators`: arithmetic, relations, reductions, choices, and the ranges of their indices;
 * - `expressions`: the switch over the syntax, with calls of helpers, equations and sequences;
 * - `domains`: what the text of a domain declares, bounds and requires;
 * - `equations`: an equation as a typed function, and what it leaves unexecuted;
 * - `claims`: from claims, given cases and the data section to goals.
 */
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Span } from '../diagnostics/source.ts';
import type { Contract, FormalText } from './contract.ts';
import { withoutConsequences } from './elaborate/claims/caused-by.ts';
import { faultOf, remarksOn } from './elaborate/claims/claim-faults.ts';
import { obligationClaim, testClaim, type Claim } from './elaborate/claims/claim-of.ts';
import { beforeScope, narrowsOnly } from './elaborate/equations/before-scope.ts';
import { elaborateClaim, type ClaimModel, type ElaboratedClaim } from './elaborate/claims/claim.ts';
import { fail, type Context, type Place, type Problem } from './elaborate/context/context.ts';
import { comparesKernels, comparisonOf } from './elaborate/claims/kernel-comparison.ts';
import { withAnyTolerance, withNumber } from './elaborate/claims/assumed-numbers.ts';
import { whereNeighboursExist } from './elaborate/claims/neighbours.ts';
import { elaborateControls } from './elaborate/claims/control-goals.ts';
import { elaborateData } from './elaborate/claims/data.ts';
import { elaborateEquation, type ElaboratedEquation } from './elaborate/equations/equation.ts';
import { definedBeside } from './elaborate/equations/defined-beside.ts';
import { checkLarge } from './elaborate/equations/large-sizes.ts';
import { readGiven } from './elaborate/claims/given.ts';
import { checkListed } from './elaborate/operators/listed-shapes.ts';
import { goalOf } from './elaborate/claims/goal-of.ts';
import { equationScope, isVariant, namedEquations, type NamedEquation } from './elaborate/equations/globals.ts';
import { isRepeatedId } from './elaborate/claims/claim-index.ts';
import { asUnevaluated, statementsOf } from './elaborate/claims/statements.ts';
import { symbolOf } from './elaborate/equations/symbol-of.ts';
import { textMentions } from './elaborate/context/syntax-parts.ts';
import type { ElaboratedContract, EquationModel, GivenCase, Goal, NotGoal } from './goal.ts';

/**
 * Elaborates every equation and claim of `contract`. `subContracts` are the elaborated contracts that it depends on,
 * by id; their equations are known by name. Never throws on what a file can contain: what cannot be elaborated is a
 * {@link NotGoal} with the reason, and a diagnostic where the author has to act.
 */
export function elaborateContract(
  contract: Contract,
  subContracts: ReadonlyMap<string, ElaboratedContract>,
): ElaboratedContract {
  const others = contract.dependsOn.flatMap((name) => {
    const found = subContracts.get(name.value);
    return found ? namedEquations(found) : [];
  });
  const claims = [
    ...contract.obligations.map((o) => obligationClaim(o, contract)),
    ...contract.falsificationTests.filter((t) => t.control === null).map((t) => testClaim(t, contract)),
  ];
  const texts = claims.flatMap(({ formal, requires }) => [...(formal ? [formal] : []), ...requires]);
  const equations = elaborateEquations(contract, others, texts);
  const own = [...equations.values()].map(named);
  const mathematics = equationScope(own, others, false);
  const kernels = equationScope(own, others, true);
  const data = contract.dataSection && elaborateData(contract.dataSection, mathematics);
  const controls = data?.model ? elaborateControls(contract, data.model) : null;
  const results = claims.map((claim) =>
    elaborateOnBackends(contract, claim, [...equations.values()], claim.about === 'kernel' ? kernels : mathematics),
  );
  const goals = results.flatMap((result) => (result.goal ? [result.goal] : []));
  const stated = elaborateStatements(contract, [...equations.values()], mathematics);
  const withoutInputs = controls ? [] : contract.falsificationTests.filter(({ control }) => control !== null);
  return {
    contract,
    equations: [...equations.values()].flatMap((one) => (one.model ? [one.model] : [])),
    goals: goals.filter(({ about }) => about !== 'data'),
    ...stated,
    dataGoals: goals.filter(({ about }) => about === 'data'),
    data: data?.model ?? null,
    controls: controls?.controls ?? [],
    notGoals: [
      ...results.flatMap((result) => (result.notGoal ? [result.notGoal] : [])),
      ...withoutInputs.map((test) =>
        notGoal(
          testClaim(test, contract),
          'undetermined',
          'the contract has no section data that its data could be read by',
        ),
      ),
    ],
    preconditions: new Map([
      // Claims about equations of other contracts use their domains too.
      ...contract.dependsOn.flatMap(({ value }) => [...(subContracts.get(value)?.preconditions ?? [])]),
      ...[...equations.values(), ...results].flatMap(({ preconditions }) =>
        [...(preconditions ?? [])].map(([term, place]) => [term, spanOf(place)] as const),
      ),
    ]),
    diagnostics: [...equations.values()]
      .flatMap((one) => [
        ...problemsOf(one).map(asDiagnostic),
        ...(one.model ? checkLarge(one.equation, one.model) : []),
      ])
      .concat((data?.problems ?? []).map(asDiagnostic), controls?.diagnostics ?? [])
      .concat(results.flatMap((result) => result.diagnostics)),
  };
}

function named(one: ElaboratedEquation): NamedEquation {
  return { name: one.equation.name, key: one.equation.name, symbol: one.symbol, model: () => one.model };
}

/** Equations may use each other in any order; one that uses itself through others has no model for them. */
function elaborateEquations(
  contract: Contract,
  others: readonly NamedEquation[],
  claims: readonly FormalText[],
): ReadonlyMap<string, ElaboratedEquation> {
  const done = new Map<string, ElaboratedEquation>();
  // If two equations have one name, the first is used.
  const byName = new Map(contract.equations.toReversed().map((equation) => [equation.name, equation]));
  const active = new Set<string>();
  const modelOf = (name: string): EquationModel | null => {
    const known = done.get(name);
    if (known) return known.model;
    const equation = byName.get(name);
    if (!equation || active.has(name)) return null;
    active.add(name);
    const inherited = contract.dataSection?.domain ?? null;
    const result = elaborateEquation(equation, globals, { inherited, claims, beside: () => beside });
    active.delete(name);
    done.set(name, result);
    return result.model;
  };
  const own = contract.equations.map((equation) => ({
    name: equation.name,
    key: equation.name,
    symbol: symbolOf(equation),
    model: () => modelOf(equation.name),
  }));
  const globals = equationScope(own, others, false);
  const helpers = contract.equations.flatMap((equation) =>
    definedBeside(equation).map(({ symbol, alone }) => ({
      name: equation.name,
      key: symbol,
      symbol,
      model: () => elaborateEquation(alone, globals).model,
    })),
  );
  const beside = equationScope([...own, ...helpers], others, false);
  for (const equation of contract.equations) modelOf(equation.name);
  return new Map(
    contract.equations.flatMap((equation) => {
      const result = done.get(equation.name);
      return result ? [[equation.name, result] as const] : [];
    }),
  );
}

/** The statements of the equations. One that yields no goal is not an error: it is counted as not evaluated. */
function elaborateStatements(
  contract: Contract,
  equations: readonly ElaboratedEquation[],
  globals: ReturnType<typeof equationScope>,
): Pick<ElaboratedContract, 'statements' | 'unevaluated'> {
  const { claims, unevaluated } = statementsOf(equations);
  const outcomes = claims.map((claim) => ({ claim, ...elaborateOne(contract, claim, equations, globals) }));
  const isAbout = ({ appliesTo }: Claim, goal: Goal): boolean => appliesTo === null || goal.applications.length > 0;
  const inPart = (claim: Claim, missing: NotGoal | null): Pick<NotGoal, 'asRead' | 'widened'> => {
    const { asRead, widened } = missing ?? {};
    return asRead && isAbout(claim, asRead) ? { asRead, ...(widened ? { widened } : {}) } : {};
  };
  return {
    statements: outcomes.flatMap(({ claim, goal }) => (goal && isAbout(claim, goal) ? [goal] : [])),
    unevaluated: [
      ...unevaluated,
      ...outcomes.flatMap(({ claim, goal, notGoal: missing }) =>
        goal && isAbout(claim, goal)
          ? []
          : [
              {
                ...asUnevaluated(claim, missing?.reason ?? `it does not mention ${claim.appliesTo ?? 'its equation'}`),
                ...inPart(claim, missing),
              },
            ],
      ),
    ],
  };
}

interface Outcome {
  readonly goal: Goal | null;
  readonly notGoal: NotGoal | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Of the goal. */
  readonly preconditions?: Context['preconditions'];
}

/** The claim with its common tolerance, and once more with each tolerance of a backend. */
function elaborateOnBackends(
  contract: Contract,
  claim: Claim,
  equations: readonly ElaboratedEquation[],
  globals: ReturnType<typeof equationScope>,
): Outcome {
  const common = elaborateOne(contract, claim, equations, globals);
  if (!common.goal || claim.backendTolerances.size === 0) return common;
  const onBackends: Record<string, Goal> = {};
  const preconditions = new Map(common.preconditions);
  for (const [backend, tolerance] of claim.backendTolerances) {
    const outcome = elaborateOne(contract, { ...claim, tolerance }, equations, globals);
    if (!outcome.goal) return outcome;
    onBackends[backend] = outcome.goal;
    for (const [term, place] of outcome.preconditions ?? []) preconditions.set(term, place);
  }
  return { ...common, goal: { ...common.goal, onBackends }, preconditions };
}

function elaborateOne(
  contract: Contract,
  claim: Claim,
  equations: readonly ElaboratedEquation[],
  globals: ReturnType<typeof equationScope>,
): Outcome {
  const { formal } = claim;
  // Evidence is stored by id. PV-3006 reports the repetition.
  if (isRepeatedId(contract, claim.id))
    return {
      goal: null,
      notGoal: notGoal(claim, 'undetermined', 'its id is repeated, so evidence could belong to either claim'),
      diagnostics: [],
    };
  if (formal === null || comparesKernels(claim)) return withoutText(contract, claim, equations, globals);
  if (formal.notation.status === 'math') {
    const outcome = elaborateFormal(contract, { ...claim, formal }, equations, globals);
    return outcome.goal && textMentions(formal, (name) => isVariant(name, globals))
      ? { ...outcome, goal: { ...outcome.goal, comparesKernels: true } }
      : outcome;
  }
  const reason = formal.notation.status === 'prose' ? 'its text is prose' : proseTail(formal);
  const missing = notGoal(claim, 'prose', reason);
  const part = claim.about === 'data' ? null : beforeScope(formal);
  if (part === null) return { goal: null, notGoal: missing, diagnostics: [] };
  const outcome = elaborateFormal(contract, { ...claim, formal: part }, equations, globals);
  const asRead = outcome.goal ?? outcome.notGoal?.asRead;
  const widened = narrowsOnly(formal) && (outcome.goal !== null || outcome.notGoal?.widened === true);
  return asRead
    ? {
        ...outcome,
        goal: null,
        notGoal: { ...missing, asRead, ...(widened ? { widened } : {}) },
        diagnostics: [],
      }
    : { goal: null, notGoal: missing, diagnostics: [] };
}

/** Words are all that the claim has; those that compare implementations say what a kernel must do. */
function withoutText(
  contract: Contract,
  claim: Claim,
  equations: readonly ElaboratedEquation[],
  globals: ReturnType<typeof equationScope>,
): Outcome {
  const isComparison = comparesKernels(claim);
  const formal = isComparison && claim.about === 'kernel' ? comparisonOf(claim, equations) : null;
  const { goal = null } = formal
    ? elaborateFormal(contract, { ...claim, formal, appliesTo: null }, equations, globals)
    : {};
  if (goal) return { goal: { ...goal, comparesKernels: true }, notGoal: null, diagnostics: [] };
  const reason = isComparison
    ? `it has no formal ${claim.formal ? 'notation' : 'text'}, and compares implementations: write f(x) ≈ f_ref(x) with a tolerance, and bind a kernel to f`
    : 'it has no formal text';
  return { goal: null, notGoal: notGoal(claim, 'prose', reason), diagnostics: [] };
}

function elaborateFormal(
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
  const open = claim.about === 'data' ? null : openEquation(model, equations);
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
  const more = elaborated.problem && withNumber(claim, elaborated.problem);
  const assumed = more && elaborateFormal(contract, more.claim, equations, globals);
  const asRead = assumed?.goal ?? assumed?.notGoal?.asRead;
  if (!more || !asRead) return null;
  const missing = notGoal(claim, 'undetermined', `it is assumed to be about any ${more.name}: ${problem.message}`);
  // Not `widened`: the author may mean a tensor, of which a law of numbers shows nothing.
  return { goal: null, notGoal: { ...missing, asRead }, diagnostics };
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
): { readonly said: string; readonly widens: boolean } | null {
  const namesIn = (of: Pick<EquationModel['domain'], 'sizes' | 'variables'>): readonly string[] =>
    [...of.sizes, ...of.variables].map(({ name }) => name);
  const own = equations.flatMap(({ model }) => model ?? []);
  const known = new Set(own.filter(({ unread }) => unread === undefined).flatMap((model) => namesIn(model.domain)));
  const names = new Set(namesIn(domain).filter((name) => !known.has(name)));
  const models = [
    ...applied.map(({ model }) => model),
    ...own.filter((model) => namesIn(model.domain).some((name) => names.has(name))),
  ];
  const open = models.filter(({ unread }) => unread !== undefined);
  const found = open.find(({ widens }) => widens !== true) ?? open[0];
  if (found?.unread === undefined) return null;
  const said = `${found.name} is understood in part: ${found.unread}, so a counterexample could lie outside it`;
  return { said, widens: found.widens === true };
}

function readCases(elaborated: ElaboratedClaim, model: ClaimModel, given: FormalText): readonly GivenCase[] {
  const { ctx, draft } = elaborated;
  const cases = readGiven(ctx, given, model.domain, (name) => draft.inputs.has(name) || draft.sizes.has(name));
  if (cases.length === 0) fail(ctx, 'PV-4014', { start: 0, end: given.text.length }, 'no case is given');
  checkListed(ctx, model.domain, cases);
  return cases;
}

function proseTail(formal: FormalText): string {
  const tail = formal.notation.prose.find((part) => part.role === 'tail');
  return tail
    ? `"${tail.text}" is prose, so the notation before it is not the whole claim`
    : 'part of its text is prose';
}

function notGoal(claim: Claim, status: NotGoal['status'], reason: string): NotGoal {
  return {
    claim: claim.id,
    source: claim.source,
    property: claim.property,
    formal: claim.formal?.text ?? null,
    status,
    reason,
    span: claim.span,
  };
}

function problemsOf(one: ElaboratedEquation): readonly Problem[] {
  return [...(one.problem ? [one.problem] : []), ...one.remarks].filter((problem) => problem.kind !== 'blocked');
}

function asDiagnostic(problem: Problem): Diagnostic {
  const { code, message, hint } = problem;
  return diagnostic(code, spanOf(problem), message, hint === null ? {} : { hint });
}

function spanOf({ text, range }: Place): Span {
  return {
    source: text.span.source,
    range: { start: text.offsetInSource(range.start), end: text.offsetInSource(range.end) },
  };
}
