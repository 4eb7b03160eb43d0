/**
 * Equations whose domain is understood only in part.
 *
 * What of the domain is notation is used; names that the formula needs and nothing declares are read as numbers. The equation can
 * then be computed, but its domain may be wider than the author's, so claims about it are not decided (see `EquationModel.unread`).
 */
import { listOf, quoted } from '../../../base/text.ts';
import { isHarmless } from '../../../math/notation/harmless-remarks.ts';
import { lex } from '../../../math/notation/lex.ts';
import { readNotation } from '../../../math/notation/read.ts';
import type { Token } from '../../../math/notation/token.ts';
import type { Expression, ProsePart, Statement } from '../../../math/notation/syntax.ts';
import { INTEGER } from '../../../math/term/term.ts';
import { integer } from '../../../math/term/build.ts';
import type { Equation, FormalText } from '../../contract.ts';
import type { Problem } from '../context/context.ts';
import { childrenOf, namesOf } from '../context/syntax-parts.ts';
import { beforeScope } from './before-scope.ts';
import { addInput, anyReal, type DomainDraft, type Numbers } from '../inputs/domain-draft.ts';
import { constants, isBuiltinWord } from '../operators/builtins.ts';

/** What is assumed of a domain so that its equation can be computed. */
export interface Assumptions {
  /** Names that are read as numbers. */
  readonly numbers: readonly string[];
  /** Names that are read as whole numbers from 1, which sizes and ends of ranges must be. */
  readonly counts: readonly string[];
  /** Declarations that other equations of the contract give, such as `W ∈ ℝ^{m×n}`. */
  readonly borrowed: readonly string[];
  /** Statements of the domain that are left out, because they cannot be elaborated. */
  readonly dropped: readonly Statement[];
  /** Statements of the formula that define nothing. */
  readonly idle: readonly Statement[];
}

/** Nothing is assumed. */
export const noAssumptions: Assumptions = {
  numbers: [],
  counts: [],
  borrowed: [],
  dropped: [],
  idle: [],
};

/** Whether nothing is taken to be a number that may be meant as a vector or a matrix. */
export const onlyLeavesOut = ({ numbers, counts }: Assumptions): boolean => numbers.length + counts.length === 0;

/** What is assumed first: `M_kv` in `M = M_kv + …` is another number, not an element of M, and of `e: epochs` e is not Euler's number. */
export function firstAssumptions({ formula, domain }: Equation): Assumptions {
  const names = formula.notation.statements.flatMap(({ body }) => {
    const [side, ...right] = body.kind === 'relation' && body.operators[0] === '=' ? body.operands : [];
    const left = side?.kind === 'call' ? side.callee : side;
    if (left?.kind !== 'name') return [];
    return right.flatMap(namesOf).filter((name) => name.startsWith(`${left.text}_`) && /_\p{L}{2,}$/u.test(name));
  });
  const explained = domain === null ? [] : explainedConstants(domain).filter((name) => isUsed(name, formula));
  return {
    ...noAssumptions,
    numbers: [...new Set([...names, ...explained])].filter((name) => mayBeNumber(name, formula)),
  };
}

const isUsed = (name: string, { notation }: FormalText): boolean =>
  notation.statements.some(({ body }) => namesOf(body).includes(name));

/** Words about a constant that leave it one. */
const stillConstant = /\b(?:Euler|constant|base|natural|circle|circumference|ratio of|logarithms?)\b|[23]\.\d/iu;

/** The constants of which a glossary says something else: `e: epochs (e)`, `e number of experts`. */
function explainedConstants({ text }: FormalText): readonly string[] {
  return text.split(/[,;\n]/u).flatMap((part) => {
    const [, name = '', words = ''] =
      /^\s*(\S+?)\s*(?:[:=—–]|\s-\s|\s(?=(?:is|number|count|size)\b))\s*([\p{L}(].*)$/u.exec(part) ?? [];
    return constants.has(name) && !stillConstant.test(words) ? (name === 'pi' ? ['pi', 'π'] : [name]) : [];
  });
}

const maximumAssumptions = 24;

/** The domain if only a part of it is notation; null without a domain, or if all of it is notation. */
export function openDomain({ domain }: Equation): FormalText | null {
  return domain !== null && domain.notation.status !== 'math' ? domain : null;
}

/**
 * What pv does not understand of `domain`, for messages; null if nothing is assumed and the words only name what is declared
 * (`p ∈ (0, 1), probability`), so that they leave nothing out.
 */
export function unreadOf(
  { notation, text }: FormalText,
  { dropped, numbers, counts, borrowed, idle }: Assumptions,
): string | null {
  const [first] = dropped;
  const tails = notation.prose.filter(({ role }) => role === 'tail');
  const assumed = dropped.length + numbers.length + counts.length + borrowed.length + idle.length;
  const isSaid = assumed === 0 && notation.statements.length > 0;
  if (isSaid && tails.every((part) => isHarmless(wordsOf(wordsBefore.exec(part.text)?.[0] ?? part.text)))) return null;
  const [tail] = tails;
  const part = tail?.text ?? (first ? text.slice(first.range.start, first.range.end) : text);
  const taken = borrowed.length > 0 ? `, and ${takenFrom(borrowed)}` : '';
  return `pv does not understand ${quoted(part.replaceAll(/\s+/g, ' ').trim().slice(0, 60))} in its domain${taken}`;
}

/** What an equation takes from the others of its contract, for messages. */
export const takenFrom = (borrowed: readonly string[]): string => `takes ${listOf(borrowed)} from another equation`;

/** An equation whose formula is read, and what of it is not understood. */
interface Explained {
  readonly equation: Equation;
  readonly unread: string | null;
}

const explanation = /^where\s+\S+\s+is\s+(?:the|an?)\s+([\p{L}\s-]+)\.?$/u;
const normalDistribution =
  /^where\s+(?:Phi|Φ)(?:\(x\))?\s+is\s+the\s+standard\s+(?:normal|[Gg]aussian)\s+(?:CDF|cumulative distribution function)\.?$/u;

/**
 * A formula that ends with words about one of its names (`GELU(x) = x · Φ(x) where Φ is the standard normal CDF`) or about its scope
 * (`F = 2·P for dense compute`), or that is an estimate (`F ≈ 2·P`). Null for any other.
 */
export function explainedFormula(equation: Equation): Explained | null {
  const { notation } = equation.formula;
  const [tail] = notation.prose.filter(({ role }) => role === 'tail');
  const formula = notation.status === 'math' ? equation.formula : beforeScope(equation.formula);
  const isEstimate = formula?.notation.statements.some(isEstimated) === true;
  if (formula === null || !(tail || isEstimate)) return null;
  const statements = formula.notation.statements.map(asDefinition);
  const words = tail && explanation.exec(tail.text)?.[1];
  const isClear = !tail || normalDistribution.test(tail.text) || (words !== undefined && isHarmless(wordsOf(words)));
  const unread = isClear ? null : `pv does not understand ${quoted(tail.text)} in its formula`;
  return {
    equation: { ...equation, formula: { ...formula, notation: { ...formula.notation, statements } } },
    unread: isEstimate ? (unread ?? 'its formula is an estimate') : unread,
  };
}

/**
 * `F ≈ 2·P`, `a / b = 37/7 ≈ 5.286`: nothing says how close. In `f(x) = a ≈ b` the first side defines f, and the other is a statement
 * about it.
 */
function isEstimated({ body }: Statement): boolean {
  if (body.kind !== 'relation') return false;
  const at = body.operators.indexOf('≈');
  return isHead(body.operands[0]) ? at === 0 && body.operands.length === 2 : at > 0;
}

const isHead = (left: Expression | undefined): boolean => left?.kind === 'name' || left?.kind === 'call';

function asDefinition(statement: Statement): Statement {
  const { body } = statement;
  if (!isEstimated(statement) || body.kind !== 'relation') return statement;
  const at = body.operators.indexOf('≈');
  return at === 0
    ? { ...statement, body: { ...body, operators: ['='] } }
    : {
        ...statement,
        body: { ...body, operands: body.operands.slice(0, at + 1), operators: body.operators.slice(0, at) },
      };
}

/** Without the brackets and separators around them. */
const wordsOf = (text: string): readonly Token[] =>
  lex(text.replaceAll(/^[\s(,;]+|[\s),;.]+$/gu, '')).filter(({ kind }) => kind !== 'end' && kind !== 'newline');

/** `equation` with only those statements of its domain that are read. */
export function asFarAsRead(
  equation: Equation,
  domain: FormalText,
  { dropped, counts, borrowed, idle }: Assumptions,
): Equation {
  const { notation } = domain;
  const kept = [
    ...notation.statements,
    ...notation.prose.flatMap(declaredAfterWords),
    ...shapesIn(domain),
    ...boundsIn(domain),
    ...distributionsIn(domain),
  ].filter(
    (statement) =>
      !dropped.some(({ range: { start, end } }) => start === statement.range.start && end === statement.range.end) &&
      !isGlossed(statement, equation, domain),
  );
  const declared = [...borrowed, ...counts.map((name) => `${name} ∈ ℕ⁺`)];
  const assumed = declared.flatMap((text) => readNotation(text, 'domain').statements);
  const statements = [...assumed, ...kept];
  const formula = equation.formula.notation;
  const defining = formula.statements.filter((statement) => !idle.includes(statement));
  return {
    ...equation,
    formula: { ...equation.formula, notation: { ...formula, statements: defining } },
    domain: { ...domain, notation: { ...notation, status: 'math', statements } },
  };
}

/** `V = vocab`: what V is, in a word that is used for nothing else. */
function isGlossed({ body }: Statement, { formula }: Equation, { notation }: FormalText): boolean {
  const [left, word, more] = body.kind === 'relation' && body.operators[0] === '=' ? body.operands : [];
  if (!left || more || word?.kind !== 'name' || !/^\p{Ll}{3,}$/u.test(word.text) || isBuiltinWord(word.text))
    return false;
  const used = [...formula.notation.statements, ...notation.statements].flatMap((one) => namesOf(one.body));
  return used.filter((name) => name === word.text).length === 1;
}

const wordsBefore = /^(?:\p{Ll}{3,}\s+){1,3}(?=[\p{L}\p{N}_]{1,12}\s+(?:∈|in|[<>≤≥]=?)\s)/u;
const wordsWithin =
  /^((?:[\p{L}\p{N}_]{1,12}\s*,\s*)*[\p{L}\p{N}_]{1,12})(\s+(?:\p{L}[\p{L}-]{2,}\s+){1,4})(?=(?:∈|in)\s)/u;

/** `w ∈ ℝ^d` of `fitted w ∈ ℝ^d`, `P ∈ ℝ^{n×n}` of `P symmetric in ℝ^{n×n}`: the words say which, and the type is known. */
function declaredAfterWords({ text, range, role }: ProsePart): readonly Statement[] {
  if (role !== 'tail') return [];
  const [words] = wordsBefore.exec(text) ?? [];
  const [within, names = '', between = ''] = (words === undefined && wordsWithin.exec(text)) || [];
  if (words === undefined && within === undefined) return [];
  // Spaces keep the places of the text.
  const said =
    words === undefined
      ? names + ' '.repeat(between.length) + text.slice(names.length + between.length)
      : ' '.repeat(words.length) + text.slice(words.length);
  const rest = ' '.repeat(range.start) + said;
  const { status, statements } = readNotation(rest, 'domain');
  return status === 'math' ? statements : [];
}

/** `h: hidden states [seq_len, d_model]`, `h = hidden states, shape [seq_len, d_model]` of a glossary. */
function shapesIn({ text, notation }: FormalText): readonly Statement[] {
  if (notation.status === 'math') return [];
  const found = text.matchAll(
    /(?<![\p{L}\p{N}_])([\p{L}][\p{L}\p{N}_]*)\s*[:=][\p{L}\s,-]*\[(\p{L}\w*(?:\s*[,×]\s*\p{L}\w*)*)\]/gu,
  );
  return [...found].flatMap(
    ([, name = '', axes = '']) => readNotation(`${name} ∈ ℝ^{${axes.replaceAll(',', ' × ')}}`, 'domain').statements,
  );
}

const glossed =
  /^\s*(\p{L}[\p{L}\p{N}_]{0,15})\s*[:=]\s*((?:\p{L}[\p{L}-]+\s+){1,6}?)(?:(?:∈|in)\s+([[(][^[\]()]*[\])])|([<>≤≥]=?\s*-?[\d.]+))\s*\.?$/u;

/** `c = covered samples in [0, w]`, `w: window length > 0`: a number, of which the glossary gives the bounds. */
function boundsIn({ text, notation }: FormalText): readonly Statement[] {
  if (notation.status === 'math') return [];
  return partsOf(text).flatMap((part) => {
    const [, name = '', words = '', interval, bound] = glossed.exec(part) ?? [];
    if (name === '' || structures.test(words)) return [];
    const declared = interval === undefined ? `${name} ∈ ℝ, ${name} ${bound ?? ''}` : `${name} ∈ ${interval}`;
    return readNotation(declared, 'domain').statements;
  });
}

/** Between commas and semicolons that are not in brackets. */
const partsOf = (text: string): readonly string[] => text.split(/[,;\n](?![^[(]*[\])])/u);

const distribution =
  /^((?:\p{L}\p{N}?\s*(?:,|and)\s*)*\p{L}\p{N}?)\s*(?:[:=]|are|is)?\s*(?:an?\s+)?(?:valid\s+|discrete\s+)*probability\s+distributions?(?:\s+over\s+(\p{L})\s+(?:classes|outcomes|tokens|states|labels|categories))?\.?$/u;

/** `P, Q valid probability distributions over V classes`: points of a simplex. */
function distributionsIn({ text }: FormalText): readonly Statement[] {
  const [, names, size = 'n'] = distribution.exec(text.trim()) ?? [];
  return (names?.split(/\s*(?:,|\band\b)\s*/u) ?? []).flatMap(
    (name) => readNotation(`${name} ∈ ℝ^${size}, ${name}_{i} ≥ 0, Σ_i ${name}_{i} = 1`, 'domain').statements,
  );
}

/** Declares the assumed numbers. */
export function assumeNumbers(draft: DomainDraft, domain: FormalText, { numbers }: Assumptions): void {
  for (const name of numbers) {
    const counts = isCount(name, domain.text);
    const input = addInput(draft, name, counts ? wholeNumbers : anyReal, []);
    if (counts) input.lower = { value: integer(0), open: false };
  }
}

const wholeNumbers: Numbers = { element: INTEGER, real: false };
const countName = /^(?:[ijklmnt]|n_\w+|num_\w+|\w+_(?:count|size|dim|steps?|len|length|layers|heads|tokens|bytes))$/u;
const countWords =
  /\b(?:count|number of|sizes?|dim|dimension|length|steps?|layers?|heads?|index|position|rank|samples|integer)\b/u;

/** Whether the name, or what the domain says of it (`n: total samples`), means a whole number. */
function isCount(name: string, domain: string): boolean {
  const said = domain.split(/[,;\n]/u).find((part) => part.split(/[:=]/u)[0]?.trim() === name);
  return countName.test(name) || (said !== undefined && countWords.test(said));
}

/** With one assumption more, chosen by the `problem` that they leave; null if none helps. */
export function assumeMore(
  { formula }: Equation,
  domain: FormalText,
  problem: Problem,
  assumed: Assumptions,
  others: readonly Equation[],
): Assumptions | null {
  const { numbers, counts, borrowed } = assumed;
  if (Object.values(assumed).flat().length >= maximumAssumptions) return null;
  const { text, range, code, missing, missingSize } = problem;
  if (missingSize !== undefined && !counts.includes(missingSize))
    return { ...assumed, counts: [...counts, missingSize] };
  // `k ≥ 1` says only that k is a number.
  const bounded = [...numbers, ...boundedIn(domain)].filter((one) => !counts.includes(one));
  const whole = code === 'PV-4003' ? bounded.filter((one) => namesAt(problem).includes(one)) : [];
  if (whole.length > 0)
    return { ...assumed, numbers: numbers.filter((one) => !whole.includes(one)), counts: [...counts, ...whole] };
  const name = missing ?? text.text.slice(range.start, range.end);
  const known = code === 'PV-4001' && text.span === formula.span ? declaredElsewhere(name, others) : null;
  if (known !== null && !borrowed.includes(known)) return { ...assumed, borrowed: [...borrowed, known] };
  const isUnknown = missing !== undefined || isNumber(name, problem, formula, domain);
  if (isUnknown && ![...numbers, ...counts].includes(name)) return { ...assumed, numbers: [...numbers, name] };
  if (code === 'PV-4023' && text.span === formula.span) return withoutIdle(formula, problem, assumed);
  return text.span === domain.span ? withoutCulprit(domain, problem, assumed) : null;
}

/** Whether the problem is that nothing declares `name`, and nothing speaks against a number. */
function isNumber(name: string, problem: Problem, formula: FormalText, domain: FormalText): boolean {
  const isOpen = problem.code === 'PV-4001' || isOfEquation(problem, [formula, domain]);
  return isOpen && mayBeNumber(name, formula) && !isSaidToBeMore(name, domain.text);
}

/** The names of which a domain gives nothing but a bound. */
export function boundedIn({ notation }: FormalText): readonly string[] {
  const subjects = notation.statements.flatMap(({ body }) => {
    const [left] = body.kind === 'relation' ? body.operands : [];
    return left?.kind === 'name' && body.kind === 'relation' ? [[left.text, body.operators[0] ?? '='] as const] : [];
  });
  const isBounded = (name: string): boolean =>
    subjects.every(([subject, operator]) => subject !== name || ['≥', '>', '≤', '<'].includes(operator));
  return [...new Set(subjects.map(([name]) => name))].filter(isBounded);
}

/** Without the statement of the formula that defines nothing. */
function withoutIdle(formula: FormalText, { range }: Problem, assumed: Assumptions): Assumptions | null {
  const { statements } = formula.notation;
  const { idle } = assumed;
  const one = statements.find((statement) => !idle.includes(statement) && statement.range.start === range.start);
  return one && !isOfFunction(one) && statements.length > idle.length + 1 ? { ...assumed, idle: [...idle, one] } : null;
}

/** Without the statement of the domain that has the problem. */
function withoutCulprit(domain: FormalText, { range }: Problem, assumed: Assumptions): Assumptions | null {
  const culprit = domain.notation.statements.find(
    (statement) =>
      !assumed.dropped.includes(statement) && statement.range.start <= range.start && range.start < statement.range.end,
  );
  return culprit ? { ...assumed, dropped: [...assumed.dropped, culprit] } : null;
}

/** The type that the domains of `others` give the name, as a declaration; null if they give none, or several. */
function declaredElsewhere(name: string, others: readonly Equation[]): string | null {
  const said = others.flatMap(({ domain }) =>
    (domain?.notation.statements ?? []).flatMap(({ body }) => {
      const [left, type, more] = body.kind === 'relation' && body.operators[0] === '∈' ? body.operands : [];
      // The ends of an interval may be declared there alone.
      const isType = type?.kind === 'name' || type?.kind === 'binary';
      if (!domain || !isType || more || left?.kind !== 'name' || left.text !== name) return [];
      return [`${name} ∈ ${domain.text.slice(type.range.start, type.range.end)}`];
    }),
  );
  const [only = null, other] = new Set(said);
  return other === undefined ? only : null;
}

/** `flops_per_token` in `texts`, where the equation of that name cannot be run. */
function isOfEquation({ kind, code, text }: Problem, texts: readonly FormalText[]): boolean {
  return kind === 'blocked' && code === 'PV-4020' && texts.some(({ span }) => span === text.span);
}

/** `count("a") = 2` defines nothing, but is not idle either. */
function isOfFunction({ body }: Statement): boolean {
  const left = body.kind === 'relation' ? body.operands[0] : undefined;
  return left?.kind === 'call' && left.callee.kind === 'name';
}

const wordsIn = (text: string): readonly string[] => text.split(/[^\p{L}\p{M}\p{N}_'′]+/u);
const namesAt = ({ text, range }: Problem): readonly string[] => wordsIn(text.text.slice(range.start, range.end));

/**
 * Whether nothing in `formula` speaks against a number: it is not applied, indexed, an element of something, or a label that a case
 * yields (`GPU if n > c else CPU`).
 */
function mayBeNumber(name: string, formula: FormalText): boolean {
  if (!/^\p{L}[\p{L}\p{M}\p{N}_'′]*(?:@\w+)?$/u.test(name)) return false;
  if (isBuiltinWord(name) && !constants.has(name)) return false;
  if (isInverted(name, formula.text)) return false;
  const parts = formula.notation.statements.flatMap(({ body, conditions, definitions }) => [
    body,
    ...conditions,
    ...definitions,
  ]);
  const indices = new Set([
    ...formula.notation.statements.flatMap(({ binders }) => binders.map((binder) => binder.name)),
    ...parts.flatMap(indicesIn),
  ]);
  // `score(w_ij) = |w_ij|` is about one number.
  const isArgument = formula.notation.statements.some(({ body }) => {
    const [left] = body.kind === 'relation' ? body.operands : [];
    return left?.kind === 'call' && left.arguments.some(({ value }) => value.kind === 'name' && value.text === name);
  });
  if (isArgument) return !parts.some((part) => isStructured(part, name));
  const suffix = name.includes('_') ? name.slice(name.lastIndexOf('_') + 1) : null;
  if (suffix !== null && (indices.has(suffix) || /^[ijtl]+$/u.test(suffix))) return false;
  return !indices.has(name) && !parts.some((part) => isStructured(part, name));
}

/** `Φ⁻¹(p)` of an undeclared Φ: an inverse that is applied, and no quotient. */
export function isInverted(name: string, text: string): boolean {
  return [...text.matchAll(/([\p{L}\p{M}\p{N}_'′]+)\s?(?:⁻¹|\^\s?[{(]?\s?[-−]\s?1\s?[)}]?)\s?\(/gu)].some(
    ([, inverse]) => inverse === name,
  );
}

/** `n = tensor element count`, `n = number of vectors`, `b = sequences per device`. */
const saysCount = /\b(?:count|size|length|number|dimension)\s*$|\b(?:count|number)\s+of\b|\p{Ll}s\s+per\b/u;
/** `tokens per sequence`, `sequences in the dataset`: what something else holds. */
const otherThings = /\b(?:per|in (?:the|a|an|each))\s+\p{L}+/gu;
const structures =
  /[∈[]|\b(?:shape|vectors?|matrix|matrices|tensors?|lists?|sets?|multiset|arrays?|sequences?|distributions?|functions?|ensemble)\b/u;

/** Whether the words about `name` in a domain mean more than one number: `A: attention weights [seq, seq]`. */
function isSaidToBeMore(name: string, domain: string): boolean {
  const about = domain
    .split(/[,;\n](?!\s*shape\b)(?![^[{]*[\]}])/u)
    // `C` in `y ∈ {0, …, C-1}` is a bound: what is said there is about y.
    .filter((part) => wordsIn(part.split(/∈|:|=|\bin\b/u)[0] ?? part).includes(name));
  const isCounted = /^(?:n|num)_\p{L}{2}/u.test(name);
  return about.some(
    (part) =>
      structures.test(part.replaceAll(otherThings, '')) && !saysCount.test(part) && !(isCounted && !/[∈[]/u.test(part)),
  );
}

/** The names that a part binds, or uses in index places. */
function indicesIn(part: Expression): readonly string[] {
  const own =
    part.kind === 'big' || part.kind === 'quantified'
      ? part.binders.map((binder) => binder.name)
      : part.kind === 'index'
        ? part.items.flatMap((item) => (item.kind === 'at' ? namesOf(item.value) : []))
        : [];
  return [...own, ...childrenOf(part).flatMap(indicesIn)];
}

function isStructured(part: Expression, name: string): boolean {
  const is = (expression: Expression): boolean => expression.kind === 'name' && expression.text === name;
  switch (part.kind) {
    case 'call':
      if (is(part.callee)) return true;
      break;
    case 'index':
      if (is(part.base)) return true;
      break;
    case 'member':
      if (is(part.object)) return true;
      break;
    case 'name':
      // `d_attn` is not an element of d.
      return part.text.startsWith(`${name}_`) && part.text.length <= name.length + 3;
    case 'conditional':
      if (isLabelled([part.then, part.otherwise], name)) return true;
      break;
    case 'cases':
      if (isLabelled([...part.cases.map(({ value }) => value), ...(part.otherwise ? [part.otherwise] : [])], name))
        return true;
      break;
    default:
  }
  return childrenOf(part).some((child) => isStructured(child, name));
}

/** A word in a branch, not a letter or a name with an index. */
function isLabelled(values: readonly Expression[], name: string): boolean {
  return /^[\p{L}]{3,}|^[\p{Lu}]+_/u.test(name) && values.some((value) => namesOf(value).includes(name));
}
