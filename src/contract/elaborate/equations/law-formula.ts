/** Formulas that define nothing: `softmax(x + c) = softmax(x)`, `d(x, y) = d(y, x)`, `∀ c ∈ ℝ: f(x + c) = f(x)`. */
import type { Binder, Expression } from '../../../math/notation/syntax.ts';
import type { Equation, FormalText } from '../../contract.ts';
import type { Problem } from '../context/context.ts';
import { childScope } from '../context/scope.ts';
import { freeIndices, mentions } from '../context/syntax-parts.ts';
import { sidesOf } from '../domains/definition-heads.ts';
import { readType } from '../inputs/type-expressions.ts';
import { binderRelation, statementOf } from '../operators/clauses.ts';

/** What such a formula states, for all values of the inputs that it declares. */
interface Law {
  readonly body: Expression;
  readonly declares: readonly Binder[];
  /** Those that it binds. */
  readonly indices: readonly Binder[];
}

/**
 * The statement that `formula` may be, from its text alone; null if it is `f(x) = …` of a function that its right side does not use, or
 * has conditions.
 */
export function lawIn({ notation }: FormalText): Law | null {
  const [only, more] = notation.statements;
  if (notation.status !== 'math' || !only || more || only.conditions.length + only.definitions.length > 0) return null;
  const binders = [...only.binders];
  let { body } = only;
  for (; body.kind === 'quantified' && body.quantifier === 'forall'; body = body.body) binders.push(...body.binders);
  if (!['relation', 'logic', 'not'].includes(body.kind) || mayDefine(body)) return null;
  const free = freeIndices(body, childScope(null));
  const indices = binders.filter(({ name }) => free.includes(name));
  const declares = binders.filter((binder) => !indices.includes(binder));
  const isInput = ({ relation, bound }: Binder): boolean =>
    relation === '∈' && bound !== null && readType(bound) !== null;
  return declares.every(isInput) ? { body, declares, indices } : null;
}

function mayDefine(body: Expression): boolean {
  const sides = sidesOf(body);
  if (sides === null) return false;
  const left = sides.left.kind === 'index' ? sides.left.base : sides.left;
  if (left.kind !== 'call') return left.kind === 'name';
  const { callee, arguments: args } = left;
  const names = args.map(({ value }) => (value.kind === 'name' ? value.text : null));
  const isPlain = !names.includes(null) && new Set(names).size === names.length;
  return isPlain && !(callee.kind === 'name' && mentions(sides.right, (name) => name === callee.text));
}

/** The equation with the inputs that its law declares in its domain, and the indices bound within it. */
export function withLawInputs(equation: Equation): Equation {
  const { formula } = equation;
  const law = lawIn(formula);
  return law === null || law.declares.length + law.indices.length === 0 ? equation : stating(equation, law);
}

/** The equation with every index of its law bound, if `problem` is that nothing binds one: `0 ≤ f(x)_i ≤ 1`. */
export function withBoundIndices(equation: Equation, problem: Problem | null): Equation | null {
  const law =
    problem?.code === 'PV-4001' && problem.text.span === equation.formula.span ? lawIn(equation.formula) : null;
  if (!law || !problem) return null;
  const { range } = problem;
  const free = freeIndices(law.body, childScope(null)).filter((name) => name.length === 1);
  if (!free.includes(equation.formula.text.slice(range.start, range.end))) return null;
  const unbound = free.filter((name) => !law.indices.some((one) => one.name === name));
  const added = unbound.map((name): Binder => ({ name, relation: null, bound: null, range }));
  return stating(equation, { ...law, indices: [...law.indices, ...added] });
}

function stating(equation: Equation, { body, declares, indices }: Law): Equation {
  const { formula } = equation;
  const statements = declares.flatMap((binder) => binderRelation(binder) ?? []).map(statementOf);
  const declared = { ...formula, notation: { ...formula.notation, statements } };
  const bound: Expression =
    indices.length === 0
      ? body
      : { kind: 'quantified', quantifier: 'forall', binders: indices, body, range: body.range };
  const stated = { ...formula, notation: { ...formula.notation, statements: [statementOf(bound)] } };
  const preconditions = declares.length === 0 ? [] : [declared];
  return { ...equation, formula: stated, preconditions: [...preconditions, ...equation.preconditions] };
}
