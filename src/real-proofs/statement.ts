/**
 * A claim as a proposition of Gallina, for inputs of every size: what a proof over the reals proves.
 *
 * Sizes lose their largest values, so that the proposition says more than the claim. Bounds of inputs stay, as hypotheses,
 * unless the contract requires a proof without them. Every part of the claim has to have a value (`write-defined.ts`).
 */
import { invariant } from '../base/invariant.ts';
import { call, integer, variable } from '../math/term/build.ts';
import type { Domain, InputVariable, SizeVariable } from '../math/domain.ts';
import { factsOf } from '../math/domain-facts.ts';
import { INTEGER, type ScalarType, type Term, type Type } from '../math/term/term.ts';
import { elementTypeOf, makeType, shapeOf } from '../math/term/types.ts';
import type { Application, AppliedEquation, EquationModel, Goal } from '../contract/goal.ts';
import { makeWriter, type Refusal } from './gallina/make-writer.ts';
import { bind, emptyScope, withText, type Scope } from './gallina/scope.ts';
import { apply, atom, fit, level, type Text } from './gallina/text.ts';
import { both } from './gallina/write-defined.ts';
import { implies } from './gallina/write-truths.ts';
import { writeAs, type Writer } from './gallina/writer.ts';

/** What a script has to prove. */
export interface Statement {
  /** A Gallina file: the equations as definitions, and `claim : Prop`. */
  readonly text: string;
  /** e.g. `every n ≥ 1 and real x`: what the proposition quantifies over. */
  readonly scope: string;
}

/** A goal, with its inputs released from their formats. */
export interface StatementRequest {
  readonly goal: Goal;
  readonly released: Released;
}

/** Bounds that are not hypotheses. */
export interface Released {
  /** Inputs without bounds. */
  readonly unbounded: ReadonlySet<string>;
  /** Inputs without upper bounds. */
  readonly above: ReadonlySet<string>;
}

/** The statement, and what has no counterpart in Gallina: with a refusal there is no statement. */
export function statementOf({ goal, released }: StatementRequest): {
  readonly statement: Statement;
  readonly refusals: readonly Refusal[];
} {
  const refusals: Refusal[] = [];
  const writer = makeWriter(refusals);
  invariant(goal.overReals, 'a claim over the reals has its equations');
  const { definitions, known, scope: global } = define(writer, goal.overReals.equations);
  let scope = global;
  const quantified: string[] = [];
  const declare = (name: string, type: Type): void => {
    const [identifier, inner] = bind(scope, name);
    quantified.push(`(${identifier} : ${typeText(type)})`);
    scope = inner;
  };
  for (const { name } of goal.domain.sizes) declare(name, INTEGER);
  for (const input of goal.domain.variables) {
    if (input.nonFinite) writer.refuse('its values include infinities, which no real number is', inputTerm(input));
    declare(input.name, makeType(input.element, input.shape));
  }
  const hypotheses = hypothesesOf(writer, goal.domain, released, scope);
  const applied = withOutputs(writer, goal.applications, known, scope);
  const condition = both(applied.defined, writer.defined(goal.predicate, applied.scope));
  const predicate = writer.proposition(goal.predicate, applied.scope);
  const conclusion = fit(both(condition, predicate) ?? predicate, level.open);
  const claim = [
    'Definition claim : Prop :=',
    ...(quantified.length > 0 ? [`  forall ${quantified.join(' ')},`] : []),
    ...hypotheses.map((hypothesis) => `  ${fit(hypothesis, level.arrow - 1)} ->`),
    `  ${conclusion}.`,
  ].join('\n');
  const text = [...header, ...definitions, someInput(quantified, hypotheses), claim].join('\n\n');
  return { statement: { text: `${text}\n`, scope: scopeText(goal.domain, released) }, refusals };
}

/** States that the hypotheses hold somewhere, so that the claim is not vacuous. */
function someInput(quantified: readonly string[], hypotheses: readonly Text[]): string {
  const all = hypotheses.reduce<Text | null>(both, null) ?? atom('True');
  const exists = quantified.length > 0 ? `exists ${quantified.join(' ')},\n  ` : '';
  return `Definition some_input : Prop :=\n  ${exists}${fit(all, level.open)}.`;
}

const header = ['From Coq Require Import Bool ZArith Reals.\nFrom PV Require Import Pv.\nOpen Scope R_scope.'];

interface Known {
  readonly head: string;
  /** The proposition that the equation has a value; null if it always has. */
  readonly defined: string | null;
  readonly parameters: EquationModel['parameters'];
}

/** The equations as definitions over their sizes and inputs. */
function define(
  writer: Writer,
  equations: readonly AppliedEquation[],
): { readonly definitions: readonly string[]; readonly known: ReadonlyMap<string, Known>; readonly scope: Scope } {
  const definitions: string[] = [];
  const known = new Map<string, Known>();
  let scope = emptyScope;
  for (const { name, model } of equations) {
    const [head, next] = bind(scope, name);
    const [definedHead, both] = bind(next, `${head}_defined`);
    // Equations are not values: only their identifiers remain reserved.
    scope = { ...scope, taken: both.taken };
    const { parameters, inner } = parametersOf(model, scope);
    const result = typeText(model.result);
    const body = fit(writeAs(writer, model.body, model.result, inner), level.open);
    definitions.push(`Definition ${[head, ...parameters].join(' ')} : ${result} :=\n  ${body}.`);
    const condition = writer.defined(model.body, inner);
    if (condition)
      definitions.push(
        `Definition ${[definedHead, ...parameters].join(' ')} : Prop :=\n  ${fit(condition, level.open)}.`,
      );
    known.set(name, { head, defined: condition ? definedHead : null, parameters: model.parameters });
  }
  return { definitions, known, scope };
}

function parametersOf(
  model: EquationModel,
  outer: Scope,
): { readonly parameters: readonly string[]; readonly inner: Scope } {
  let inner = outer;
  const parameters = [...model.sizes.map((name) => ({ name, type: INTEGER as Type })), ...model.parameters].map(
    ({ name, type }) => {
      const [identifier, next] = bind(inner, name);
      inner = next;
      return `(${identifier} : ${typeText(type)})`;
    },
  );
  return { parameters, inner };
}

/** Outputs mean the equations applied to their arguments. */
function withOutputs(
  writer: Writer,
  applications: readonly Application[],
  known: ReadonlyMap<string, Known>,
  outer: Scope,
): { readonly scope: Scope; readonly defined: Text | null } {
  let scope = outer;
  let defined: Text | null = null;
  for (const { output, equation, sizes, arguments: args, type, each } of applications) {
    const place = variable(output, type);
    const found = known.get(equation);
    const values = [...sizes, ...args];
    for (const value of values) defined = both(defined, writer.defined(value, scope));
    const wanted = [...sizes.map((): Type => INTEGER), ...(found?.parameters ?? []).map(({ type }) => type)];
    const texts = values.map((value, i) => writeAs(writer, value, wanted[i] ?? value.type, scope));
    if (found?.defined) defined = both(defined, apply(found.defined, ...texts));
    const text = found && !each ? apply(found.head, ...texts) : writer.refuse('it runs once per index', place);
    scope = withText(scope, output, text);
  }
  return { scope, defined };
}

const scalarTypes: Readonly<Record<ScalarType['kind'], string>> = {
  boolean: 'bool',
  integer: 'Z',
  real: 'R',
  float: 'R',
  string: 'R',
};

/** `Z -> Z -> R` of a matrix. */
function typeText(type: Type): string {
  return [...shapeOf(type).map(() => 'Z'), scalarTypes[elementTypeOf(type).kind]].join(' -> ');
}

function inputTerm({ name, element: scalar, shape }: InputVariable): Term {
  return variable(name, makeType(scalar, shape));
}

function hypothesesOf(
  writer: Writer,
  { sizes, variables, preconditions }: Domain,
  released: Released,
  scope: Scope,
): readonly Text[] {
  const terms = [
    ...sizes.flatMap(ofSize),
    ...variables.flatMap((input) => ofInput(writer, input, released)),
    ...preconditions,
  ];
  return terms.map((term) => {
    const text = writer.proposition(term, scope);
    const condition = writer.defined(term, scope);
    // The claim must also hold where the precondition is undefined, which is a stronger condition.
    return condition ? implies(condition, text) : text;
  });
}

function ofSize({ name, minimum, maximum, multipleOf, definition }: SizeVariable): readonly Term[] {
  const size = variable(name, INTEGER);
  // A size of one value is a constant of the contract.
  if (minimum === maximum && definition === null) return [call('equal', size, integer(minimum))];
  return [
    call('less-equal', integer(minimum), size),
    ...(multipleOf === 1 ? [] : [call('equal', call('modulo', size, integer(multipleOf)), integer(0))]),
    ...(definition ? [call('equal', size, definition)] : []),
  ];
}

function ofInput(writer: Writer, input: InputVariable, { unbounded, above }: Released): readonly Term[] {
  if (input.element.kind === 'string') {
    writer.refuse('texts have no counterpart among real numbers', inputTerm(input));
    return [];
  }
  const free = unbounded.has(input.name);
  return factsOf({
    ...input,
    lower: free ? null : input.lower,
    upper: free || above.has(input.name) ? null : input.upper,
  });
}

/** e.g. `every n ≥ 1, x without bounds`. */
function scopeText({ sizes, variables }: Domain, { unbounded, above }: Released): string {
  const free = sizes.filter(({ definition }) => definition === null);
  const ofSizes = free.map(({ name, minimum, maximum, multipleOf }) =>
    minimum === maximum
      ? `${name} = ${minimum}`
      : multipleOf === 1
        ? `${name} ≥ ${minimum}`
        : `${name} ≥ ${minimum} that ${multipleOf} divides`,
  );
  const without = (what: string, of: ReadonlySet<string>): readonly string[] =>
    variables.filter(({ name }) => of.has(name)).map(({ name }) => `${name} without ${what}`);
  const parts = [...ofSizes, ...without('bounds', unbounded), ...without('upper bounds', above)];
  return parts.length === 0 ? 'every real input of the domain' : `every ${parts.join(', ')}`;
}
