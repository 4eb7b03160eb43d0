/** Inputs that a domain declares by their elements: `s_ij = q_i · k_j` with `q_i, k_j ∈ ℝ^d` is about all rows of two matrices. */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import { printText } from '../../../math/print/text.ts';
import type { Equation } from '../../contract.ts';
import { childrenOf, namesOf } from '../context/syntax-parts.ts';
import { indexedName } from '../context/indexed-name.ts';
import { isSimplex } from '../domains/simplices.ts';
import { readType } from '../inputs/type-expressions.ts';

/**
 * The equation with `x_i ∈ ℝ^d` of its domain as `x ∈ ℝ^{n×d}` where the formula sums over i; unchanged if the domain declares nothing
 * in this way. As a name of its own, `x_i` would be the same number in every term.
 */
export function withRows(equation: Equation): Equation {
  const parts = equation.formula.notation.statements.map(({ body }) => body);
  return withRowsOf(equation, parts, parts.flatMap(boundIn)) ?? equation;
}

/** The same also for indices below the name on the left; null if nothing changes. */
export function withRowsOnLeft(equation: Equation): Equation | null {
  const parts = equation.formula.notation.statements.map(({ body }) => body);
  return withRowsOf(equation, parts, [...parts.flatMap(onLeft), ...parts.flatMap(boundIn)]);
}

function withRowsOf(equation: Equation, parts: readonly Expression[], indices: readonly string[]): Equation | null {
  const { domain } = equation;
  // `x_{k+1} - x_k` are two states, not two rows.
  const steps = new Set(parts.flatMap(stepsIn));
  const letters = new Set(indices.filter((letter) => !steps.has(letter)));
  if (domain === null || letters.size === 0) return null;
  const { statements } = domain.notation;
  const names = new Set([...parts.flatMap(namesOnRight), ...statements.flatMap(({ body }) => namesOf(body))]);
  const axisOf = (letter: string): string =>
    axisWithin(statements, names, letter) ?? parts.flatMap((part) => endsOf(part, letter))[0] ?? `n_${letter}`;
  const changed = statements.map((statement) => {
    const { body, range } = statement;
    const [left, set] = body.kind === 'relation' && body.operators.join('') === '∈' ? body.operands : [];
    const [, stem, index] = (left?.kind === 'name' && /^(.+)_(\p{Ll}{1,2})$/u.exec(left.text)) || [];
    if (!set || stem === undefined || index === undefined || names.has(stem)) return statement;
    if (
      ![...index].every((letter) => letters.has(letter)) ||
      (isSimplex(set) ? 1 : (readType(set)?.axes.length ?? 2)) > 1
    )
      return statement;
    const [element, axes] =
      set.kind === 'binary' && set.operator === '^'
        ? [printText(set.left), printText(set.right)]
        : [printText(set), ''];
    const inner = axes.replaceAll(/^[{(]|[})]$/gu, '');
    const shape = [...[...index].map(axisOf), ...(inner === '' ? [] : [inner])].join(' × ');
    // Spaces keep the place in the text.
    const declared = readNotation(`${' '.repeat(range.start)}${stem} ∈ ${element}^{${shape}}`, 'domain');
    return (declared.status === 'math' && declared.statements[0]) || statement;
  });
  if (changed.every((statement, at) => statement === statements[at])) return null;
  return { ...equation, domain: { ...domain, notation: { ...domain.notation, statements: changed } } };
}

/** The letters below the name that `part` defines. */
function onLeft(part: Expression): readonly string[] {
  const left = part.kind === 'relation' && part.operators[0] === '=' ? part.operands[0] : undefined;
  const index = left?.kind === 'name' ? /_(\p{Ll}{1,2})$/u.exec(left.text)?.[1] : undefined;
  const inArguments =
    left?.kind === 'call' ? left.arguments.flatMap(({ value }) => indexedName(value)?.index ?? []) : [];
  return [
    ...(index ?? ''),
    ...(left?.kind === 'index' ? left.items.flatMap(lettersAt) : []),
    ...inArguments.flatMap(namesOf),
  ];
}

/** `g = Σ_i g_i` defines another g than it sums. */
function namesOnRight(part: Expression): readonly string[] {
  const [left, ...others] = part.kind === 'relation' && part.operators[0] === '=' ? part.operands : [part];
  return [...(left?.kind === 'name' && others.length > 0 ? [] : [left ?? part]), ...others].flatMap(namesOf);
}

type Item = Extract<Expression, { kind: 'index' }>['items'][number];

const lettersAt = (item: Item): readonly string[] =>
  item.kind === 'at' ? namesOf(item.value).flatMap((n) => [...n]) : [];

function boundIn(part: Expression): readonly string[] {
  const own = part.kind === 'big' ? part.binders.map(({ name }) => name) : [];
  return [...own, ...childrenOf(part).flatMap(boundIn)];
}

function stepsIn(part: Expression): readonly string[] {
  const own =
    part.kind === 'index'
      ? part.items.flatMap((item) => (item.kind === 'at' && item.value.kind === 'binary' ? namesOf(item.value) : []))
      : [];
  return [...own, ...childrenOf(part).flatMap(stepsIn)];
}

/** n of `y ∈ ℝ^n`, where the formula has `y_i`. */
function axisWithin(statements: readonly Statement[], names: ReadonlySet<string>, letter: string): string | null {
  for (const { body } of statements) {
    const [left, set] = body.kind === 'relation' && body.operators.join('') === '∈' ? body.operands : [];
    const axes = set ? (readType(set)?.axes ?? []) : [];
    const [only, more] = axes;
    if (left?.kind === 'name' && names.has(`${left.text}_${letter}`) && only && !more) return printText(only);
  }
  return null;
}

/** n of `Σ_{i=1}^{n}` and of `Σ_{i=0}^{n-1}`. */
function endsOf(part: Expression, letter: string): readonly string[] {
  const within = childrenOf(part).flatMap((child) => endsOf(child, letter));
  const binder = part.kind === 'big' ? part.binders.find(({ name }) => name === letter) : undefined;
  if (part.kind !== 'big' || !binder?.bound || part.upper === null) return within;
  const first = printText(binder.bound);
  const last = printText(part.upper).replaceAll(/[{}\s]/gu, '');
  const end = first === '1' ? /^(\p{L}\w*)$/u.exec(last) : first === '0' ? /^(\p{L}\w*)-1$/u.exec(last) : null;
  return end?.[1] === undefined ? within : [end[1], ...within];
}
