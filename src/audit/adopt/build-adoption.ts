/** From elaborated contracts and what was judged of their goals to the report of `pv adopt`. */
import { canonicalJson } from '../../base/canonical-json.ts';
import { version } from '../../base/version.ts';
import type { Contract } from '../../contract/contract.ts';
import { isDeclaredOnly, type ElaboratedContract, type Goal, type NotGoal } from '../../contract/goal.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { sha256 } from '../../evidence/digest.ts';
import { isWithin } from '../../diagnostics/is-within.ts';
import {
  isAdoptionFinding,
  type AcceptedVariants,
  type Adoption,
  type AdoptedStatement,
  type AdoptionWord,
  type Share,
  type StatementSource,
} from '../../report/adopt/adoption.ts';
import { findingReport } from '../../report/finding-report.ts';
import type { AdoptedGoal } from './adoption-checks.ts';
import { isAboutNumbers, type Judged } from './judge-adoption.ts';
import { findContradictions } from './contradictions.ts';
import { brokenCondition, isBroken } from './input-conditions.ts';
import { openMeaning } from './open-meanings.ts';
import { openScale } from './open-scale.ts';
import { placeOf } from './place-of.ts';
import type { UnreadParts } from './unread-parts.ts';

/** What the report is built from. */
export interface AdoptionParts {
  readonly elaborated: readonly ElaboratedContract[];
  readonly goals: readonly AdoptedGoal[];
  /** By the place of the goal. */
  readonly judged: readonly Judged[];
  readonly differences: readonly AdoptedStatement[];
  readonly variants: readonly AcceptedVariants[];
  /** What reading and typing found. */
  readonly diagnostics: readonly Diagnostic[];
  readonly unread: readonly string[];
  readonly unreadParts: UnreadParts;
  readonly seed: number;
}

/** Every statement of the contracts with its word, and how many of each kind were run. */
export function buildAdoption({
  elaborated,
  goals,
  judged,
  differences,
  variants,
  diagnostics,
  unread,
  unreadParts,
  seed,
}: AdoptionParts): Adoption {
  const decisive = diagnostics.filter(({ code, severity }) => readingDecides.has(code) && severity === 'error');
  const asStatements = new Set<Diagnostic>();
  const contracts = new Map(elaborated.map(({ contract }) => [contract.id, contract]));
  const whole = goals.flatMap((adopted, i) => {
    const { goal, subjects, inPart } = adopted;
    if (!judged[i] || inPart) return [];
    const found = decisive.filter(({ span }) => span !== null && isWithin(span, goal.span));
    for (const one of found) asStatements.add(one);
    // `1.5K = 1500` is true, and says nothing of any implementation.
    const [decided] = found.filter(({ code }) => code !== 'PV-3017' || !isAboutNumbers(adopted));
    const said = ofGoal(goal, decided ? byReading(decided) : judged[i], {
      idle: idleOf(goal, variants),
      contract: contracts.get(goal.contract) ?? null,
    });
    return [isAdoptionFinding(said) ? { ...said, judgedOn: judgedOn(goal, subjects) } : said];
  });
  const parts = new Map(goals.flatMap(({ inPart }, i) => (judged[i] && inPart ? [[inPart, judged[i]]] : [])));
  const stated = [...whole, ...elaborated.flatMap((one) => withoutGoals(one, parts))];
  const keyOf = (contract: string, claim: string): string => canonicalJson([contract, claim]);
  const wrong = new Set(stated.filter(isAdoptionFinding).map(({ contract, claim }) => keyOf(contract, claim)));
  const right = new Set(
    stated.flatMap(({ contract, claim, word }) => (word === 'held' ? [keyOf(contract, claim)] : [])),
  );
  const contradictions = elaborated.flatMap(({ contract }) =>
    findContradictions(contract, {
      isWrong: (claim) => wrong.has(keyOf(contract.id, claim)),
      isRight: (claim) => right.has(keyOf(contract.id, claim)),
    }),
  );
  const statements = [
    ...stated,
    ...contradictions,
    ...differences,
    ...unreadParts.statements,
    ...diagnostics.flatMap((found) => (asStatements.has(found) ? [] : ofReading(found, elaborated))),
  ].toSorted(byPlace);
  const equations = elaborated.flatMap((one) => one.equations);
  return {
    schema: 'pv.adoption/1',
    tool: { name: 'pv', version },
    contracts: elaborated.length,
    unread,
    ...(unreadParts.parts.length > 0 ? { unreadParts: unreadParts.parts.toSorted(byPlace) } : {}),
    equations: {
      run: equations.filter((model) => !isDeclaredOnly(model)).length,
      declared: elaborated.reduce((sum, { contract }) => sum + contract.equations.length, unreadParts.equations),
    },
    obligations: shareOf(statements, 'obligation'),
    tests: shareOf(statements, 'falsification'),
    statements: shareOf(statements, 'statement'),
    seed,
    judged: statements,
    variants: variants.toSorted(byPlace),
    findings: diagnostics
      .filter((found) => found.severity !== 'note' && !judgedByReading.has(found.code) && !asStatements.has(found))
      .map(findingReport),
    baseline: null,
  };
}

interface Placed {
  readonly file: string;
  readonly line: number;
}

function byPlace(a: Placed, b: Placed): number {
  if (a.file === b.file) return a.line - b.line;
  return a.file < b.file ? -1 : 1;
}

const notRunWords: ReadonlySet<AdoptionWord> = new Set(['not-run', 'needs-kernel', 'prose']);

function shareOf(statements: readonly AdoptedStatement[], wanted: StatementSource): Share {
  const of = statements.filter(({ source }) => source === wanted);
  const inPart = of.filter(({ asRead }) => asRead !== undefined).length;
  const needKernel = of.filter(({ word }) => word === 'needs-kernel').length;
  const run = of.filter(({ word }) => !notRunWords.has(word)).length;
  return {
    run,
    ...(inPart > 0 ? { inPart } : {}),
    ...(needKernel > 0 ? { needKernel } : {}),
    declared: of.length,
  };
}

function ofGoal(
  goal: Goal,
  judged: Judged,
  { idle, contract: own }: { readonly idle: number; readonly contract: Contract | null },
): AdoptedStatement {
  const { contract, claim, source, property, formal, span } = goal;
  const common = { contract, claim, source, property, formal, ...placeOf(span), ...judged };
  const open = (reason: string): AdoptedStatement => ({
    ...common,
    word: 'not-run',
    asRead: 'broken',
    reason: `${reason} it is ${judged.word}`,
    mend: null,
  });
  const condition = brokenCondition(goal, judged);
  if (condition !== null) return open(`${condition}; as a claim about all of them`);
  const scale = own && isBroken(judged) ? openScale(goal, own) : null;
  if (scale !== null) return open(`${scale}; in powers of ten`);
  const meaning = own && openMeaning(goal, judged, own);
  if (meaning !== null) return open(`${meaning}; as it is read`);
  if (judged.word !== 'held' || idle === 0) return common;
  const reason = `${judged.reason}; so does it for every wrong variant of its formulas that was tried (${idle})`;
  return { ...common, reason, idleOf: idle };
}

/** A finding is another one once a formula or a domain that it is about has changed. */
function judgedOn({ digest }: Goal, subjects: AdoptedGoal['subjects']): string {
  return sha256(canonicalJson([digest, ...subjects.map(({ equation, model }) => [equation, model.digest])]));
}

/** Claims that hold whatever the kernel does, and those whose numbers are wrong. */
const readingDecides: ReadonlyMap<string, AdoptionWord> = new Map([
  ['PV-3017', 'vacuous'],
  ['PV-3018', 'false'],
]);

const byReading = ({ code, message, hint }: Diagnostic): Judged => ({
  word: readingDecides.get(code) ?? 'not-run',
  counterexample: null,
  reason: message,
  mend: hint,
});

/** How many wrong variants of the goal's equations were tried, if none breaks it; 0 if one does. */
function idleOf({ contract, claim, applications }: Goal, variants: readonly AcceptedVariants[]): number {
  const names = new Set(applications.map(({ equation }) => equation));
  const own = variants.filter((one) => one.contract === contract && names.has(one.equation) && one.tried > 0);
  return own.every(({ idle }) => idle.includes(claim)) ? own.reduce((sum, { tried }) => sum + tried, 0) : 0;
}

type Parts = ReadonlyMap<Goal, Judged>;

function withoutGoals(
  { contract, notGoals, unevaluated }: ElaboratedContract,
  parts: Parts,
): readonly AdoptedStatement[] {
  const common = { contract: contract.id, counterexample: null, mend: null } as const;
  return [
    ...notGoals.map((one) => ({
      ...common,
      claim: one.claim,
      source: one.source,
      property: one.property,
      formal: one.formal,
      word: one.status === 'prose' ? ('prose' as const) : ('not-run' as const),
      reason: one.reason,
      ...placeOf(one.span),
      ...asReadOf(one, parts),
    })),
    ...unevaluated.map((one) => ({
      ...common,
      claim: one.id,
      source: 'statement' as const,
      property: one.text,
      formal: one.text,
      word: /\bprose\b/u.test(one.reason) ? ('prose' as const) : ('not-run' as const),
      reason: one.reason,
      ...placeOf(one.span),
      ...asReadOf(one, parts),
    })),
  ];
}

/**
 * What the part of a statement that is understood showed; nothing if it could not be judged. What holds on more inputs than the author
 * means holds on those too.
 */
function asReadOf(
  { asRead, widened, reason }: Pick<NotGoal, 'asRead' | 'widened' | 'reason'>,
  parts: Parts,
): Partial<Pick<AdoptedStatement, 'word' | 'asRead' | 'reason' | 'counterexample'>> {
  const judged = asRead && parts.get(asRead);
  if (!judged) return {};
  const { word, counterexample } = judged;
  if (word === 'held' && widened)
    return { word, reason: `${judged.reason}, some of which may not be meant: ${reason}` };
  if (word === 'held') return { asRead: 'held', reason: `${reason}; as far as it is understood, it ${judged.reason}` };
  if (counterexample === null) return {};
  const rounding = word === 'false' ? '' : `: ${judged.reason}`;
  return {
    asRead: 'broken',
    counterexample,
    reason: `${reason}; as far as it is understood, it is ${word}${rounding}`,
  };
}

/** What reading alone decides: equalities of numbers that are wrong, and conditions that no input meets. */
const judgedByReading: ReadonlyMap<string, AdoptionWord> = new Map([
  ['PV-3018', 'false'],
  ['PV-3019', 'vacuous'],
]);

function ofReading({ code, span, message, hint }: Diagnostic, all: readonly ElaboratedContract[]): AdoptedStatement[] {
  const word = judgedByReading.get(code);
  if (word === undefined || span === null) return [];
  const place = placeOf(span);
  const contract = all.find((one) => one.contract.path === place.file)?.contract.id ?? place.file;
  const { range, source } = span;
  return [
    {
      contract,
      claim: code,
      source: 'equation',
      word,
      property: message,
      formal: source.text.slice(range.start, range.end),
      ...place,
      counterexample: null,
      reason: message,
      mend: hint,
    },
  ];
}
