/** The explicit inputs of a falsification test: the cross product of what `given` lists, checked against the domain. */
import type { Bound, Domain, InputVariable, SizeVariable } from '../../../math/domain.ts';
import { integer } from '../../../math/term/build.ts';
import { solveSize } from '../../../math/term/sizes.ts';
import type { Term } from '../../../math/term/term.ts';
import { freeVariables, substitute } from '../../../math/term/traverse.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import type { GivenCase } from '../../goal.ts';
import { readLiteral, type Literal } from './constant.ts';
import { fail, giveUp, reading, type Context } from '../context/context.ts';
import { evaluateNumber } from '../context/evaluate-number.ts';
import { linksOf } from '../operators/relations.ts';
import { stepLetters, withStates } from '../domains/step-names.ts';

/** More cases than any list of examples; a cross product beyond it is a mistake. */
const maximumCases = 10_000;

interface Choice {
  readonly name: string;
  readonly values: readonly Literal[];
}

/** The cases that `text` lists for the variables of `domain`; problems are recorded in `ctx`. */
export function readGiven(
  ctx: Context,
  written: FormalText,
  domain: Domain,
  known: (name: string) => boolean,
): readonly GivenCase[] {
  const text = withStates(written, stepLetters(domain.variables.map(({ name }) => name)));
  return reading(ctx, text, () => {
    const whole = { start: 0, end: text.text.length };
    if (text.notation.status !== 'math') {
      giveUp(ctx, whole, 'the given inputs are not notation to the end', 'write x ∈ {[0, -104], [88, 89, 90]}');
      return [];
    }
    const choices = text.notation.statements.flatMap((statement) => choicesOf(ctx, statement, known));
    const missing = domain.variables
      .filter((input) => !choices.some((choice) => choice.name === input.name))
      .map((input) => input.name);
    if (!ctx.problem && missing.length > 0)
      fail(
        ctx,
        'PV-4014',
        whole,
        `nothing is given for ${missing.join(', ')}`,
        `add ${missing[0] ?? 'x'} = …: the test needs a value for every input`,
      );
    const used = choices.filter(
      (choice) =>
        domain.variables.some((v) => v.name === choice.name) || domain.sizes.some((s) => s.name === choice.name),
    );
    const count = used.reduce((product, choice) => product * choice.values.length, 1);
    if (!ctx.problem && count > maximumCases)
      fail(ctx, 'PV-4021', whole, `these are ${count} cases; the limit is ${maximumCases}`);
    return ctx.problem ? [] : crossProduct(used).flatMap((one) => caseOf(ctx, domain, one, whole));
  });
}

function choicesOf(
  ctx: Context,
  { body, range, ...around }: Statement,
  known: (name: string) => boolean,
): readonly Choice[] {
  if (around.label !== null || around.binders.length + around.conditions.length + around.definitions.length > 0) {
    fail(ctx, 'PV-4014', range, 'given inputs cannot have conditions', 'list the inputs that are meant');
    return [];
  }
  if (body.kind !== 'relation') {
    fail(ctx, 'PV-4014', body.range, 'this gives nothing', 'write x ∈ {[1, 2], [3, 4]} or c = 1');
    return [];
  }
  return linksOf(body).flatMap((link): readonly Choice[] => {
    const names = link.left.kind === 'tuple' ? link.left.items : [link.left];
    const listed =
      link.operator === '∈' && link.right.kind === 'set' && !link.right.ellipsis
        ? link.right.items
        : link.operator === '='
          ? [link.right]
          : null;
    if (listed === null) {
      fail(ctx, 'PV-4014', link.range, 'given inputs are listed', 'write x ∈ {…} with the values, or x = value');
      return [];
    }
    return names.flatMap((name) => {
      if (name.kind !== 'name' || !known(name.text)) {
        fail(
          ctx,
          'PV-4014',
          name.range,
          `${name.kind === 'name' ? name.text : 'this'} is not an input or size of the claim`,
        );
        return [];
      }
      return [{ name: name.text, values: listed.flatMap((item) => literalOf(ctx, item)) }];
    });
  });
}

function literalOf(ctx: Context, item: Expression): readonly Literal[] {
  const literal = readLiteral(item);
  if (typeof literal !== 'string') return [literal];
  fail(ctx, 'PV-4014', item.range, literal);
  return [];
}

function crossProduct(choices: readonly Choice[]): readonly ReadonlyMap<string, Literal>[] {
  return choices.reduce<readonly ReadonlyMap<string, Literal>[]>(
    (cases, choice) => cases.flatMap((one) => choice.values.map((value) => new Map(one).set(choice.name, value))),
    [new Map()],
  );
}

function caseOf(
  ctx: Context,
  domain: Domain,
  one: ReadonlyMap<string, Literal>,
  range: { start: number; end: number },
): readonly GivenCase[] {
  if (ctx.problem) return [];
  const env = new Map<string, number>();
  for (const [name, literal] of one)
    if (literal.shape.length === 0 && literal.text === undefined) env.set(name, literal.data[0] ?? NaN);
  const problem =
    inferSizes(domain, one, env) ??
    domain.sizes.map((size) => sizeProblem(size, env)).find((p) => p !== null) ??
    domain.variables.map((input) => inputProblem(ctx, input, one.get(input.name), env)).find((p) => p !== null) ??
    null;
  if (problem !== null) {
    fail(ctx, 'PV-4014', range, problem);
    return [];
  }
  const values = domain.variables.map((input) => {
    const literal = one.get(input.name) ?? { shape: [], data: [] };
    if (literal.text !== undefined) return literal.text;
    const stored = literal.data.map((value) => storedIn(ctx, input, value));
    return input.shape.length === 0 ? (stored[0] ?? NaN) : stored;
  });
  return [{ sizes: domain.sizes.map((size) => env.get(size.name) ?? NaN), values }];
}

/** Derives sizes from the shapes of the arrays; returns null, or the contradiction. */
function inferSizes(domain: Domain, one: ReadonlyMap<string, Literal>, env: Map<string, number>): string | null {
  for (let round = 0; round < 2; round++) {
    for (const input of domain.variables) {
      const shape = one.get(input.name)?.shape ?? [];
      input.shape.forEach((axis, i) => solve(axis, shape[i], env));
    }
    for (const size of domain.sizes) {
      if (size.definition) solve(size.definition, env.get(size.name), env);
      const value = size.definition && evaluateNumber(size.definition, env);
      if (value !== null && !env.has(size.name)) env.set(size.name, value);
    }
  }
  const unknown = domain.sizes.find((size) => !env.has(size.name));
  return unknown ? `nothing gives the size ${unknown.name}; give it: ${unknown.name} = 4` : null;
}

function solve(axis: Term, length: number | undefined, env: Map<string, number>): void {
  const [unknown, more] = [...freeVariables(axis)].filter((name) => !env.has(name));
  if (length === undefined || !Number.isSafeInteger(length) || unknown === undefined || more !== undefined) return;
  const known = new Map(
    [...env].flatMap(([name, value]) => (Number.isSafeInteger(value) ? [[name, integer(value)] as const] : [])),
  );
  const solution = solveSize(
    substitute(axis, known, (hint) => hint),
    unknown,
    integer(length),
  );
  const value = solution && evaluateNumber(solution, env);
  if (value !== null) env.set(unknown, value);
}

function sizeProblem(size: SizeVariable, env: ReadonlyMap<string, number>): string | null {
  const value = env.get(size.name) ?? NaN;
  const fits =
    Number.isInteger(value) && value >= size.minimum && value <= size.maximum && value % size.multipleOf === 0;
  const defined = size.definition === null || evaluateNumber(size.definition, env) === value;
  if (fits && defined) return null;
  const rule = `${size.minimum} ≤ ${size.name} ≤ ${size.maximum}${size.multipleOf > 1 ? `, ${size.name} mod ${size.multipleOf} = 0` : ''}`;
  return `${size.name} = ${value} is outside the domain (${rule})`;
}

function inputProblem(
  ctx: Context,
  input: InputVariable,
  literal: Literal | undefined,
  env: ReadonlyMap<string, number>,
): string | null {
  if (!literal) return `nothing is given for ${input.name}`;
  const isText = input.element.kind === 'string' && input.shape.length === 0;
  if (isText !== (literal.text !== undefined)) return `${input.name} ${isText ? 'is a string' : 'is not a string'}`;
  if (literal.text !== undefined) return textProblem(input, literal.text, env);
  const shape = input.shape.map((axis) => evaluateNumber(axis, env));
  if (shape.join() !== literal.shape.join())
    return `${input.name} has the shape ${shapeText(literal.shape)} here and needs ${shapeText(shape)}`;
  const bad = literal.data.find((value) => !allowed(ctx, input, value, env));
  return bad === undefined ? null : `${input.name} does not allow ${Object.is(bad, -0) ? '-0' : bad}`;
}

/** The bounds of a string are those of its length. */
function textProblem(input: InputVariable, text: string, env: ReadonlyMap<string, number>): string | null {
  const characters = [...text];
  const listed = input.choices?.some((choice) => choice.kind === 'string' && choice.value === text) ?? true;
  const spelled = characters.every((character) => input.alphabet?.includes(character) ?? true);
  const fits = above(input.lower, characters.length, env, 1) && above(input.upper, characters.length, env, -1);
  return listed && spelled && fits ? null : `${input.name} does not allow ${JSON.stringify(text)}`;
}

function shapeText(shape: readonly (number | null)[]): string {
  return shape.length === 0 ? 'of a number' : shape.join('×');
}

/** The nearest float32 if the input is one; over the reals a number is kept as it is written, if the input may be so large. */
function storedIn({ claim }: Context, { element, real }: InputVariable, value: number): number {
  if (element.kind !== 'float' || element.format !== 'f32') return value;
  const single = Math.fround(value);
  const isKept = claim?.semantics === 'real' && (real === true || Number.isFinite(single));
  return isKept ? value : single;
}

function allowed(ctx: Context, input: InputVariable, value: number, env: ReadonlyMap<string, number>): boolean {
  const stored = storedIn(ctx, input, value);
  if (!Number.isFinite(stored)) return input.nonFinite && !Number.isFinite(value);
  if (input.element.kind === 'integer' && !Number.isInteger(value)) return false;
  const choices = input.choices?.map((choice) => evaluateNumber(choice, env)) ?? null;
  const listed = choices === null || choices.some((choice) => choice === null || choice === value);
  return (
    listed &&
    above(input.lower, value, env, 1) &&
    above(input.upper, value, env, -1) &&
    !input.excluded.some((excluded) => evaluateNumber(excluded, env) === value)
  );
}

/** Whether `value` is on the right side of a bound; `sign` is 1 for lower bounds. */
function above(bound: Bound | null, value: number, env: ReadonlyMap<string, number>, sign: 1 | -1): boolean {
  const limit = bound && evaluateNumber(bound.value, env);
  if (bound === null || limit === null) return true;
  return bound.open ? (value - limit) * sign > 0 : (value - limit) * sign >= 0;
}
