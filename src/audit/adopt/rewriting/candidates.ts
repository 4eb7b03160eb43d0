/** Texts that pv reads in part, with what it could be written as; whether that means the same is decided by reading it again. */
import type { Equation, FormalText } from '../../../contract/contract.ts';
import { namesOf } from '../../../contract/elaborate/context/syntax-parts.ts';
import { narrowsOnly } from '../../../contract/elaborate/equations/before-scope.ts';
import { writtenStatements } from '../../../contract/elaborate/claims/statements.ts';
import type { ElaboratedContract, EquationModel, Goal, NotGoal, UnevaluatedStatement } from '../../../contract/goal.ts';
import { listOf, quoted } from '../../../base/text.ts';
import type { Domain } from '../../../math/domain.ts';
import { readNotation } from '../../../math/notation/read.ts';
import type { Statement } from '../../../math/notation/syntax.ts';
import { freeVariables } from '../../../math/term/traverse.ts';
import { declarationOf } from './declarations.ts';
import { limitsNothing, namesMore, remarksOnly, saysNoMore } from './only-words.ts';
import type { TextChange } from './yaml-change.ts';

/** An equation or a claim that is understood in part. */
export interface Candidate {
  readonly kind: 'equation' | 'claim';
  /** The equation's name or the claim's id. */
  readonly id: string;
  readonly reading: { readonly model: EquationModel } | { readonly goal: Goal };
  /** Ways to write it, the first that means the same is taken. Texts that change together are in one of them. */
  readonly ways: readonly (readonly TextChange[])[];
}

/** Longer lists of inputs come from a formula that was misread. */
const mostDeclared = 16;

/** Equations of a contract that are understood in part. */
export function equationCandidates({ contract, equations }: ElaboratedContract): readonly Candidate[] {
  return equations.flatMap((model): readonly Candidate[] => {
    const equation = contract.equations.find(({ name }) => name === model.name);
    const isOwn =
      equation &&
      !takesResults(equation, model, equations) &&
      !isTypedElsewhere(equation, model, { contract, equations });
    const ways = model.unread !== undefined && isOwn ? waysOf(equation, model) : [];
    return ways.length === 0 ? [] : [{ kind: 'equation', id: model.name, reading: { model }, ways }];
  });
}

/** Whether an input that the domain does not declare is what another equation computes: declared, it would be any value. */
function takesResults(
  { domain }: Equation,
  { name: own, domain: read }: EquationModel,
  equations: readonly EquationModel[],
): boolean {
  const declared = new Set(domain?.notation.statements.flatMap(({ body }) => namesOf(body)));
  const results = equations.flatMap(({ name, symbol }) => (name === own ? [] : [name, symbol]));
  return read.variables.some(({ name }) => !declared.has(name) && results.includes(name));
}

/** Whether the domain of another equation, or `{0, …, C - 1}` in any, gives a name another type than the one that pv assumes. */
function isTypedElsewhere(
  { domain }: Equation,
  { name: own, domain: read }: EquationModel,
  { contract, equations }: Pick<ElaboratedContract, 'contract' | 'equations'>,
): boolean {
  const declared = new Set(domain?.notation.statements.flatMap(declaredNames));
  const counted = contract.equations.flatMap((one) => (one.domain ? endsOfRanges(one.domain.text) : []));
  const typesOf = ({ sizes, variables }: Domain): readonly (readonly [string, string])[] => [
    ...sizes.map(({ name }) => [name, 'whole'] as const),
    ...variables.map(({ name, element: { kind }, shape }) => {
      const one = kind === 'integer' ? 'whole' : kind === 'float' ? 'real' : kind;
      return [name, `${one}${' tensor'.repeat(shape.length)}`] as const;
    }),
  ];
  const others = equations.filter(({ name }) => name !== own).flatMap(({ domain: other }) => typesOf(other));
  return typesOf(read).some(
    ([name, type]) =>
      !declared.has(name) &&
      (others.some(([other, its]) => other === name && its !== type && !(type === 'whole' && its === 'real')) ||
        (type === 'real' && counted.includes(name))),
  );
}

/** `{0, …, C - 1}` counts to C. */
function endsOfRanges(text: string): readonly string[] {
  const ends = text.split(/\.\.\.?|…/u).slice(1);
  return ends.flatMap((rest) => wordsIn(rest.replace(/^[\s,]+/u, ''))[0] ?? []);
}

/** Claims of `read` that are understood in part, with their texts in the file of `written`, which differs in its equations. */
export function claimCandidates(read: ElaboratedContract, written: ElaboratedContract): readonly Candidate[] {
  const texts = claimTexts(written);
  return [...read.notGoals, ...read.unevaluated].flatMap((one): readonly Candidate[] => {
    const id = idOf(one);
    const text = texts.get(id);
    const change = text && one.asRead ? claimChange(text, one.asRead, read) : null;
    return change && one.asRead ? [{ kind: 'claim', id, reading: { goal: one.asRead }, ways: [[change]] }] : [];
  });
}

const idOf = (one: NotGoal | UnevaluatedStatement): string => ('claim' in one ? one.claim : one.id);

function claimTexts({ contract }: ElaboratedContract): ReadonlyMap<string, FormalText> {
  return new Map([
    ...contract.obligations.flatMap(({ id, formal }) => (formal ? [[id, formal] as const] : [])),
    ...contract.falsificationTests.flatMap(({ id, prediction }) => (prediction ? [[id, prediction] as const] : [])),
    ...contract.equations
      .flatMap(writtenStatements)
      .flatMap(({ id, role, text }) => (role === 'equality' || role === 'law' ? [] : [[id, text] as const])),
  ]);
}

/** Without the words at its end; with the numbers that nothing declares. */
function claimChange(text: FormalText, asRead: Goal, { equations }: ElaboratedContract): TextChange | null {
  if (text.notation.status !== 'math')
    return withoutTail(text, (words) => remarksOnly(words) || (narrowsOnly(text) && limitsNothing(words)));
  const known = new Set(
    equations.flatMap(({ domain }) => [...domain.sizes, ...domain.variables].map(({ name }) => name)),
  );
  const assumed = asRead.domain.variables.filter(({ name }) => !known.has(name));
  if (assumed.length === 0) return null;
  const declared = assumed.map(declarationOf).join(', ');
  return {
    text,
    now: `∀ ${declared}: ${text.text.trim()}`,
    assumed: `read as below: nothing declares ${namesText(assumed)}`,
  };
}

const namesText = (inputs: readonly { readonly name: string }[]): string => listOf(inputs.map(({ name }) => name));

/** Without white space and a separator at its ends. */
const plain = (part: string): string =>
  part
    .trim()
    .replaceAll(/^[,;]|[,;]$/gu, '')
    .trim();

/** The notation of a text that ends with words; null if it does not, or if these may say more. */
function withoutTail(text: FormalText, isLeftOut: (words: string) => boolean): TextChange | null {
  const { status, prose } = text.notation;
  const [tail, more] = prose.filter(({ role }) => role === 'tail');
  if (status !== 'partial' || !tail || more) return null;
  const now = plain(text.text.slice(0, tail.range.start));
  const rest = text.text.slice(tail.range.start).replaceAll(/\s+/gu, ' ').trim();
  return now === '' || !isLeftOut(rest) ? null : { text, now, assumed: `read as below, without ${quoted(rest, 200)}` };
}

/** The equation with a domain that declares what pv took its names to be, and a formula without words. */
function waysOf(equation: Equation, model: EquationModel): readonly (readonly TextChange[])[] {
  const { formula, domain } = equation;
  const said = withoutTail(formula, saysNoMore);
  if (formula.notation.status !== 'math' && !said) return [];
  const changed = said ? [said] : [];
  const domains = domain ? domainsOf(domain, formula, model) : [];
  return [...(said ? [changed] : []), ...domains.map((change) => [...changed, change])];
}

function domainsOf(domain: FormalText, formula: FormalText, { domain: read }: EquationModel): readonly TextChange[] {
  const parts = partsOf(domain);
  if (!parts) return [];
  const { kept, left } = parts;
  // `A @ B @ x` is about matrices.
  const isOfMatrices = /@|\^T\b|ᵀ/u.test(formula.text);
  const used = new Set([...wordsIn(formula.text), ...wordsIn(kept)]);
  const tensors = read.variables.filter(({ shape }) => shape.length > 0).length;
  if (!left.every(saysNoMore) || left.join('').split('[').length - 1 > tensors) return [];
  const { statements } = readNotation(kept, 'domain');
  const mentioned = new Set(statements.flatMap(({ body }) => namesOf(body)));
  const declared = new Set(statements.flatMap(declaredNames));
  const lists = [missingIn(read, mentioned, true), missingIn(read, declared, true), missingIn(read, declared, false)];
  return lists
    .filter(
      (list) =>
        list.length <= mostDeclared &&
        list.every(({ name, isNumber }) => used.has(name) && !namesMore(name) && !(isNumber && isOfMatrices)),
    )
    .flatMap((list) =>
      orders(
        kept,
        list.map(({ declared: one }) => one),
      ).map((now) => ({ text: domain, now, assumed: assumedText(list, left, kept === '') })),
    )
    .filter(({ now }, i, all) => now !== '' && all.findIndex((other) => other.now === now) === i);
}

const orders = (kept: string, list: readonly string[]): readonly string[] => [
  joined(kept, ...list),
  joined(...list, kept),
];
const wordsIn = (text: string): readonly string[] => text.split(/[^\p{L}\p{M}\p{N}_'′]+/u);

function assumedText(list: readonly Declared[], left: readonly string[], isProse: boolean): string {
  const words = (isProse ? [] : left).map((part) => part.replaceAll(/\s+/gu, ' ').trim()).filter((part) => part !== '');
  const without = words.length === 0 ? '' : `, without ${quoted(words.join(' '), 200)}`;
  const names = list.map(({ declared }) => declared).join(', ');
  return `read as below${without}${list.length === 0 ? '' : `; ${names} ${list.length === 1 ? 'is' : 'are'} assumed`}`;
}

interface Declared {
  readonly name: string;
  readonly declared: string;
  readonly isNumber: boolean;
}

/** Declarations of the inputs that are not in `known`; `bySizes` leaves out sizes that a shape declares. */
function missingIn({ sizes, variables }: Domain, known: ReadonlySet<string>, bySizes: boolean): readonly Declared[] {
  const inShapes = new Set(variables.flatMap(({ shape }) => shape.flatMap((axis) => [...freeVariables(axis)])));
  return [
    ...sizes
      .filter(({ name, definition }) => definition === null && !known.has(name) && !(bySizes && inShapes.has(name)))
      .map(({ name }) => ({ name, declared: `${name} ∈ ℕ⁺`, isNumber: false })),
    ...variables
      .filter(({ name }) => !known.has(name))
      .map((input) => ({ name: input.name, declared: declarationOf(input), isNumber: input.shape.length === 0 })),
  ];
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ');

function declaredNames({ body }: Statement): readonly string[] {
  return body.kind === 'relation' && body.operators[0] === '∈' && body.operands[0] ? namesOf(body.operands[0]) : [];
}

/** The notation of a domain, and the words between and after it. */
function partsOf({ text, notation }: FormalText): { readonly kept: string; readonly left: readonly string[] } | null {
  if (notation.status === 'prose') return { kept: '', left: [text] };
  const left: string[] = [];
  let kept = '';
  let at = 0;
  for (const { role, range } of notation.prose) {
    if (role !== 'tail') continue;
    const tail = text.slice(range.start, range.end);
    // `per` of `per-layer` is not a name.
    if (/[\p{L}\p{N}_]$/u.test(text.slice(0, range.start))) return null;
    const [words = tail] = beforeDeclaration.exec(tail) ?? [];
    left.push(words);
    kept += `${text.slice(at, range.start)}\n${tail.slice(words.length)}\n`;
    at = range.end;
  }
  const lines = (kept + text.slice(at)).split(/[\n;]/u).map(plain);
  const isBare = (part: string): boolean => /^[\p{L}\p{M}\p{N}_'′]+$/u.test(part);
  return { kept: joined(...lines.filter((part) => !isBare(part))), left: [...lines.filter(isBare), ...left] };
}

/** `fitted` of `fitted w ∈ ℝ^d`. */
const beforeDeclaration = /^(?:\p{Ll}{3,}\s+){1,3}(?=[\p{L}\p{N}_]+\s+(?:∈|in)\s)/u;
