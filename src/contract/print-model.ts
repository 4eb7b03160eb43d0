/**
 * An equation as it is executed, in the notation: reading and typing the text again gives the same equation. The author's
 * text is not used.
 */
import { call, integer, variable } from '../math/term/build.ts';
import type { Domain, InputVariable, SizeVariable } from '../math/domain.ts';
import type { Expression, Statement } from '../math/notation/syntax.ts';
import { printText } from '../math/print/text.ts';
import { termExpression, termStatements } from '../math/print/term-syntax.ts';
import { printTerm } from '../math/term/print-term.ts';
import { anyLength, lengthName } from '../math/term/sequences.ts';
import { INTEGER, REAL, type ScalarType, type Term, type Type } from '../math/term/term.ts';
import type { EquationModel } from './goal.ts';

/** What `model` computes, helpers first; null if the notation has no form for it, as for recurrences. */
export function formulaOf({ symbol, parameters, body, domain }: EquationModel): readonly Statement[] | null {
  const reserved = [...domain.sizes, ...domain.variables].map(({ name }) => name);
  // One name for what goes in and what comes out, as in `C = A·B + β·C`, would not be read again.
  if (reserved.includes(symbol)) return null;
  const statements = termStatements(symbol, body, reserved);
  const range = { start: 0, end: 0 };
  const whole: Expression = {
    kind: 'call',
    callee: { kind: 'name', text: symbol, range },
    arguments: parameters.map(({ name }) => ({ label: null, value: { kind: 'name', text: name, range } })),
    range,
  };
  // Squares (`σ²`) and rates (`tok/s`) are not written as functions.
  return statements && parameters.length > 0 && !/[²/]/u.test(symbol)
    ? statements.map((statement, at) => (at === statements.length - 1 ? withHead(statement, whole) : statement))
    : statements;
}

/** `y_i = …` as `y(x)_i = …`. */
function withHead(statement: Statement, head: Expression): Statement {
  const { body } = statement;
  const [left, ...right] = body.kind === 'relation' ? body.operands : [];
  if (body.kind !== 'relation' || !left) return statement;
  const named: Expression = left.kind === 'index' ? { ...left, base: head } : head;
  return { ...statement, body: { ...body, operands: [named, ...right] } };
}

/** The formula as lines of text. */
export function formulaText(model: EquationModel): readonly string[] {
  return formulaOf(model)?.map(printText) ?? [`${model.symbol} = ${printTerm(model.body, Infinity)}`];
}

/** The declarations, bounds and preconditions of a domain. */
export function domainText(domain: Domain): readonly string[] {
  const sizes = domain.sizes.filter(({ name }) => !domain.variables.some((input) => lengthName(input.name) === name));
  return [
    ...domain.variables.map((input) => membershipText(input)),
    ...sizes.flatMap((size) => sizeText(size)),
    ...domain.variables.flatMap((input) => boundsText(input, domain)),
    ...domain.preconditions.map((term) => expressionText(term, domain)),
  ];
}

function expressionText(term: Term, { sizes, variables }: Domain): string {
  const expression = termExpression(
    term,
    [...sizes, ...variables].map(({ name }) => name),
  );
  return expression ? printText(expression) : printTerm(term, Infinity);
}

/** `F32^{m×n}`. */
export function resultText(type: Type): string {
  return type.kind === 'tensor' ? `${elementText(type.element)}${axesText(type.shape)}` : elementText(type);
}

function elementText(element: ScalarType): string {
  switch (element.kind) {
    case 'float':
      return element.format.toUpperCase();
    case 'integer':
      return 'ℤ';
    case 'boolean':
      return 'Bool';
    case 'string':
      return 'String';
    case 'real':
      return 'ℝ';
  }
}

function axesText(shape: readonly Term[]): string {
  const [only] = shape;
  if (!only) return '';
  if (only === anyLength) return '*';
  const isPlain = shape.length === 1 && only.kind === 'variable' && only.name !== 'T';
  const text = shape.map((axis) =>
    shape.length > 1 && axis.kind === 'call' ? `(${printTerm(axis)})` : printTerm(axis),
  );
  return isPlain ? `^${text.join('')}` : `^{${text.join('×')}}`;
}

const listedText = (choices: readonly Term[]): string => `{${choices.map((one) => printTerm(one)).join(', ')}}`;

function membershipText({ name, element, real, shape, choices, nonFinite }: InputVariable): string {
  const [axis] = shape;
  const isSequence = axis?.kind === 'variable' && axis.name === lengthName(name);
  // A list of numbers leaves out whether they are of a format; one of whole numbers and texts does not.
  const isListed = element.kind === 'integer' || element.kind === 'string';
  const listed = choices && isListed ? listedText(choices) : null;
  const type = listed ?? `${elementText(real ? REAL : element)}${nonFinite ? '_ext' : ''}`;
  return `${name} ∈ ${type}${isSequence ? '*' : axesText(shape)}`;
}

function sizeText({ name, minimum, maximum, multipleOf, definition }: SizeVariable): readonly string[] {
  return [
    ...(definition ? [`${name} = ${printTerm(definition)}`] : []),
    `${minimum} ≤ ${name} ≤ ${maximum}`,
    ...(multipleOf > 1 ? [`${name} mod ${multipleOf} = 0`] : []),
  ];
}

function boundsText(input: InputVariable, domain: Domain): readonly string[] {
  const { name, element, shape, lower, upper, choices, excluded, structure, alphabet } = input;
  const length = domain.sizes.find((size) => size.name === lengthName(name));
  const subject = element.kind === 'string' && shape.length === 0 ? `|${name}|` : name;
  const below = lower ? `${expressionText(lower.value, domain)} ${lower.open ? '<' : '≤'} ` : '';
  const above = upper ? ` ${upper.open ? '<' : '≤'} ${expressionText(upper.value, domain)}` : '';
  return [
    ...(length ? [`${length.minimum} ≤ |${name}| ≤ ${length.maximum}`] : []),
    ...(lower || upper ? [`${below}${subject}${above}`] : []),
    ...(choices && element.kind === 'float' ? [`${name} ∈ ${listedText(choices)}`] : []),
    ...excluded.map((value) => `${name} ≠ ${expressionText(value, domain)}`),
    ...(structure === 'none' ? [] : [structureText(input, domain)]),
    ...(alphabet ? [`${name}_i ∈ {${alphabet.map((one) => JSON.stringify(one)).join(', ')}}`] : []),
  ];
}

/** `Σ_j p_{i, j} = 1`, `t_i < t_{i + 1}`. */
function structureText({ name, shape, structure }: InputVariable, domain: Domain): string {
  const taken = new Set([...domain.sizes, ...domain.variables].map((one) => one.name));
  const free = [...'ijklabc'].filter((letter) => !taken.has(letter)).slice(0, shape.length);
  const last = free.at(-1) ?? 'i';
  if (structure === 'simplex') return `Σ_${last} ${name}_{${free.join(', ')}} = 1`;
  const next = printTerm(call('add', variable(last, INTEGER), integer(1)));
  return `${name}_{${free.join(', ')}} < ${name}_{${[...free.slice(0, -1), next].join(', ')}}`;
}
