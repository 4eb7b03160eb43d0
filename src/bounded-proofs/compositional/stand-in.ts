/**
 * Replaces a kernel's code by what is proved about it: outputs of which only the claims are known, like Kani's `stub_verified`.
 * That the kernel is called inside the domain of the claims becomes a condition of the proof.
 */
import { present } from '../../base/invariant.ts';
import type { EquationModel } from '../../contract/goal.ts';
import type { Term } from '../../math/term/term.ts';
import { MAX_FLOAT32 } from '../../numeric/float.ts';
import { compareRational, fromFloat, negateRational, type Rational } from '../../numeric/rational.ts';
import { floorToFormat } from '../../numeric/round-rational.ts';
import { elementTypeOf } from '../../math/term/types.ts';
import type { BooleanExpression, NumberExpression } from '../expression.ts';
import type { ProofVariable } from '../problem.ts';
import type { SymbolicValue } from '../instantiate/symbolic-value.ts';
import { truth, wholeNumber } from '../instantiate/translate.ts';
import { bindName, demandDefined, refuse, type Frame, type Translation } from '../instantiate/translation.ts';
import { membership, type Membership } from './membership.ts';
import { ownRunOf, type ProvedClaim } from './proved-claim.ts';

/** One application of a kernel whose code is replaced. */
export interface StandInCall {
  /** As the claim names it: `softmax-kernel-v1/softmax`. */
  readonly equation: string;
  readonly model: EquationModel;
  readonly claims: readonly ProvedClaim[];
  /** The equation's inputs and its arguments: float32 numbers. */
  readonly sizes: readonly number[];
  readonly values: readonly SymbolicValue[];
  /** Of the output. */
  readonly shape: readonly number[];
  /** `out:0`. */
  readonly output: string;
  /** Which run of the application, where it runs several times. */
  readonly at: number;
}

/** New variables for an output, which satisfy only what is proved about it. */
export interface MadeOutput {
  readonly value: SymbolicValue;
  /** New ones; empty for a call that was made before. */
  readonly variables: readonly ProofVariable[];
}

/** The output of the call. Two calls with the same arguments have the same output, because kernels depend on nothing else. */
export function standIn(translation: Translation, call: StandInCall): MadeOutput {
  const { graph, standIns } = translation;
  const nothing = { value: graph.integer(0), variables: [] };
  const key = keyOf(call);
  const known = standIns.values.get(key);
  if (known) return { value: known, variables: [] };
  const element = elementTypeOf(call.model.result);
  if (element.kind !== 'float' && element.kind !== 'real' && element.kind !== 'integer') {
    refuse(translation, `${call.model.name} does not return numbers, so nothing can replace it`);
    return nothing;
  }
  const names = namesOf(call);
  if (element.kind === 'integer') for (const name of names) translation.wholeVariables.add(name);
  const elements = names.map((name) => graph.variable(name));
  const [only] = elements;
  const value: SymbolicValue = call.shape.length === 0 && only ? only : { sort: 'tensor', shape: call.shape, elements };
  const assumed = assume(translation, call, value);
  if (translation.problem) return nothing;
  const bounds = boundsIn(assumed);
  const variables = names.map((name, i): ProofVariable => {
    const expression = elements[i] ?? graph.variable(name);
    return {
      expression,
      name,
      format: element.kind === 'integer' ? 'integer' : 'f32',
      low: bounds.low.get(expression) ?? negateRational(largest),
      high: bounds.high.get(expression) ?? largest,
      choices: null,
      standsFor: { kind: 'output', output: call.output, index: call.at * names.length + i },
    };
  });
  translation.premises.push(...assumed.filter((part) => !bounds.said.has(part)));
  translation.auxiliaries.push(...variables);
  standIns.values.set(key, value);
  return { value, variables };
}

function keyOf({ equation, sizes, values }: StandInCall): string {
  const ids = values.map((value) => (value.sort === 'tensor' ? value.elements.map(({ id }) => id).join() : value.id));
  return `${equation}(${ids.join(';')})[${sizes.join()}]`;
}

function namesOf({ shape, output, at }: StandInCall): readonly string[] {
  const count = shape.reduce((product, size) => product * size, 1);
  return Array.from({ length: count }, (_, i) => `${output}[${at * count + i}]`);
}

/** What the claims say about this call, as separate statements; the problem that none of them says anything here. */
function assume(translation: Translation, call: StandInCall, value: SymbolicValue): readonly BooleanExpression[] {
  const { graph, standIns } = translation;
  const { model, claims } = call;
  const own = conditionsOf(translation, () =>
    membership(
      translation,
      model.domain,
      frameOf(translation, { sizes: model.sizes, parameters: model.parameters }, call),
    ),
  );
  for (const { condition, text } of own)
    demandDefined(translation, graph.true, { kind: 'precondition', condition, text: `${model.name}: ${text}` });
  const demanded = new Set(own.flatMap(({ condition }) => conjuncts(condition)));
  const statements = claims.flatMap((claim) => {
    const said = statementOf(translation, claim, call, { value, demanded });
    if (said) standIns.assumed.push({ goal: claim.goal.id, statement: said });
    return said ? [said] : [];
  });
  if (statements.length === 0 && translation.problem === null) {
    const at = model.sizes
      .map((name, i) => `${name} = ${present(call.sizes[i], 'a call has each size of its equation')}`)
      .join(', ');
    refuse(translation, `nothing assumed about ${model.name} is proved${at === '' ? '' : ` at ${at}`}`);
  }
  return statements.flatMap(conjuncts);
}

interface Said {
  readonly value: SymbolicValue;
  /** What the proof shows about the arguments anyway. */
  readonly demanded: ReadonlySet<BooleanExpression>;
}

/**
 * The claim at the arguments of the call, under what its own domain requires beyond the equation's; null if it is not proved at
 * these sizes.
 */
function statementOf(
  translation: Translation,
  { goal, sizes }: ProvedClaim,
  call: StandInCall,
  { value, demanded }: Said,
): BooleanExpression | null {
  const { graph } = translation;
  const run = ownRunOf(goal);
  if (run === null) return null;
  const choice = sizes.find((at) =>
    isAt(
      translation,
      goal.domain.sizes.map(({ name }) => name),
      at,
      run.sizes,
      call.sizes,
    ),
  );
  if (choice === undefined) return null;
  let frame: Frame | null = null;
  goal.domain.sizes.forEach(({ name }, i) => {
    frame = bindName(name, graph.integer(present(choice[i], 'each index is chosen')), frame);
  });
  run.arguments.forEach((term, i) => {
    const given = call.values[i];
    if (term.kind === 'variable' && given) frame = bindName(term.name, given, frame);
  });
  const bound: Frame | null = frame;
  const asked = conditionsOf(translation, () => membership(translation, goal.domain, bound))
    .flatMap(({ condition }) => conjuncts(condition))
    .filter((condition) => !demanded.has(condition));
  // That the claim is defined was proved with it.
  const said = withoutDemands(translation, () =>
    truth(translation, goal.predicate, bindName(run.output, value, bound), graph.true),
  );
  return asked.length === 0 ? said : graph.implies(graph.and(asked), said);
}

/** Whether the run of a claim whose sizes are `at` is of the sizes `wanted`. */
function isAt(
  translation: Translation,
  names: readonly string[],
  at: readonly number[],
  terms: readonly Term[],
  wanted: readonly number[],
): boolean {
  let frame: Frame | null = null;
  names.forEach((name, i) => {
    frame = bindName(name, translation.graph.integer(present(at[i], 'an element has an index for each axis')), frame);
  });
  return terms.every((term, i) => wholeNumber(translation, term, frame) === wanted[i]);
}

interface Named {
  readonly sizes: readonly string[];
  readonly parameters: readonly { readonly name: string }[];
}

function frameOf({ graph }: Translation, { sizes, parameters }: Named, call: StandInCall): Frame | null {
  let frame: Frame | null = null;
  sizes.forEach((name, i) => {
    frame = bindName(name, graph.integer(present(call.sizes[i], 'a call has each size of its equation')), frame);
  });
  parameters.forEach(({ name }, i) => {
    const given = call.values[i];
    if (given) frame = bindName(name, given, frame);
  });
  return frame;
}

/** Conditions with those under which they have a value: where they fail, nothing is inside the domain. */
function conditionsOf(translation: Translation, read: () => readonly Membership[]): readonly Membership[] {
  const { graph } = translation;
  const before = translation.demands;
  translation.demands = [];
  const found = read();
  const defined = translation.demands.map(({ under, condition, text }) => ({
    condition: graph.implies(under, condition),
    text,
  }));
  translation.demands = before;
  return [...found, ...defined];
}

function withoutDemands<T>(translation: Translation, read: () => T): T {
  const before = translation.demands;
  translation.demands = [];
  const result = read();
  translation.demands = before;
  return result;
}

function conjuncts(node: BooleanExpression): readonly BooleanExpression[] {
  return node.kind === 'and' ? node.operands.flatMap(conjuncts) : [node];
}

const largest = fromFloat(MAX_FLOAT32);
const float32 = { precision: 24, smallestExponent: -149 };

interface Bounds {
  readonly low: ReadonlyMap<NumberExpression, Rational>;
  readonly high: ReadonlyMap<NumberExpression, Rational>;
  /** Statements that the bounds express completely. */
  readonly said: ReadonlySet<BooleanExpression>;
}

/** Statements of the forms c ≤ v and v ≤ c as bounds of the variable, at float32 numbers: every output is one. */
function boundsIn(statements: readonly BooleanExpression[]): Bounds {
  const low = new Map<NumberExpression, Rational>();
  const high = new Map<NumberExpression, Rational>();
  const said = new Set<BooleanExpression>();
  for (const statement of statements) {
    if (statement.kind !== 'less-equal') continue;
    const { left, right } = statement;
    if (left.kind === 'constant' && right.kind === 'variable') {
      const bound = negateRational(floorToFormat(negateRational(left.value), float32));
      const before = low.get(right);
      if (!before || compareRational(bound, before) > 0) low.set(right, bound);
      said.add(statement);
    } else if (left.kind === 'variable' && right.kind === 'constant') {
      const bound = floorToFormat(right.value, float32);
      const before = high.get(left);
      if (!before || compareRational(bound, before) < 0) high.set(left, bound);
      said.add(statement);
    }
  }
  return { low, high, said };
}
