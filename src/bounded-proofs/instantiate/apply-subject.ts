/** One application of a goal: the kernel executed on its arguments, or its equation's formula in the kernel's place. */
import { invariant, present } from '../../base/invariant.ts';
import type { Application, EquationModel } from '../../contract/goal.ts';
import type { Term } from '../../math/term/term.ts';
import { shapeOf } from '../../math/term/types.ts';
import type { ArgumentSource } from '../../subject/bound-subject.ts';
import { compareRational, fraction, type Rational } from '../../numeric/rational.ts';
import { executeKernel } from '../execute/execute-kernel.ts';
import type { KernelArgument } from '../execute/kernel-call.ts';
import type { NumberExpression } from '../expression.ts';
import type { ProofVariable, Reading, SafetyCondition } from '../problem.ts';
import { standIn } from '../compositional/stand-in.ts';
import { argumentOf, knownArgument } from './bound-argument.ts';
import type { ProofSubject } from './instance-request.ts';
import type { ScalarExpression, SymbolicValue, TensorValue } from './symbolic-value.ts';
import { translate, wholeNumber } from './translate.ts';
import { bindName, refuse, type Frame, type Translation } from './translation.ts';

/** The output of one application, and what makes it defined. */
export interface Applied {
  readonly value: SymbolicValue;
  readonly safety: readonly SafetyCondition[];
}

/** What applications of one problem share. */
export interface ApplicationContext {
  readonly translation: Translation;
  /** Sizes, inputs and earlier outputs. */
  readonly frame: Frame | null;
  readonly reading: Reading;
  /** By name; outputs that something proved stands in for are noted here when they are made. */
  readonly variables: Map<string, ProofVariable>;
}

/** Executes the kernel, once per index if the application has an `each`. A fault is recorded in the translation. */
export function applySubject(context: ApplicationContext, application: Application, subject: ProofSubject): Applied {
  const { translation, frame } = context;
  const sizes = application.sizes.map((size) => wholeNumber(translation, size, frame));
  const args = application.arguments.map((term) => translate(translation, term, frame, translation.graph.true));
  const shape = shapeOf(application.type).map((size) => wholeNumber(translation, size, frame));
  const runs = application.each?.sizes.map((size) => wholeNumber(translation, size, frame)) ?? null;
  if (translation.problem) return nothing(translation);
  const own = (values: readonly SymbolicValue[], at: number): Applied =>
    subject.standIn
      ? {
          value: standInFor(context, { application, model: subject.model, claims: subject.standIn, sizes, values, at }),
          safety: [],
        }
      : run(context, subject, sizes, values);
  if (runs === null || !application.each) return own(args, 0);
  const count = runs.reduce((product, size) => product * size, 1);
  const { arguments: divided } = application.each;
  const results = Array.from({ length: count }, (_, at) =>
    own(
      args.map((value, i) => (divided[i] === true ? partOf(value, runs.length, at, count) : value)),
      at,
    ),
  );
  const elements = results.flatMap(({ value }): readonly ScalarExpression[] =>
    value.sort === 'tensor' ? value.elements : [value],
  );
  return { value: { sort: 'tensor', shape, elements }, safety: results.flatMap(({ safety }) => safety) };
}

const nothing = ({ graph }: Translation): Applied => ({ value: graph.integer(0), safety: [] });

/** What run `at` gets of a value whose first axes are the runs. */
function partOf(value: SymbolicValue, axes: number, at: number, count: number): SymbolicValue {
  if (value.sort !== 'tensor') return value;
  const length = value.elements.length / count;
  const elements = value.elements.slice(at * length, (at + 1) * length);
  const [only] = elements;
  const shape = value.shape.slice(axes);
  return shape.length === 0 && only ? only : { sort: 'tensor', shape, elements };
}

function run(
  context: ApplicationContext,
  { model, bound }: ProofSubject,
  sizes: readonly number[],
  values: readonly SymbolicValue[],
): Applied {
  return bound === null
    ? { value: formula(context.translation, model, sizes, values), safety: [] }
    : kernel(context, { model, bound }, sizes, values);
}

/** The names of an equation mean its own inputs and nothing else. */
function ownFrame(
  { graph }: Translation,
  model: EquationModel,
  sizes: readonly number[],
  values: readonly SymbolicValue[],
): Frame | null {
  let frame: Frame | null = null;
  model.sizes.forEach((name, i) => {
    frame = bindName(name, graph.integer(present(sizes[i], 'a call has each size of its equation')), frame);
  });
  model.parameters.forEach(({ name }, i) => {
    const value = values[i];
    if (value) frame = bindName(name, value, frame);
  });
  return frame;
}

function formula(
  translation: Translation,
  model: EquationModel,
  sizes: readonly number[],
  values: readonly SymbolicValue[],
): SymbolicValue {
  const { graph } = translation;
  return translate(translation, model.body, ownFrame(translation, model, sizes, values), graph.true);
}

function kernel(
  context: ApplicationContext,
  { model, bound }: { readonly model: EquationModel; readonly bound: NonNullable<ProofSubject['bound']> },
  sizes: readonly number[],
  values: readonly SymbolicValue[],
): Applied {
  const { translation, reading } = context;
  const { graph } = translation;
  const { program } = bound;
  if (!program.syntax) {
    refuse(
      translation,
      `${program.name} is a ${program.language === 'wgsl' ? 'shader' : 'plain function'}, whose code proofs do not read: write it as a gpu.js kernel`,
    );
    return nothing(translation);
  }
  const frame = ownFrame(translation, model, sizes, values);
  const named = (name: string): NumberExpression | null => {
    const size = model.sizes.indexOf(name);
    if (size >= 0) return graph.integer(present(sizes[size], 'a call has each size of its equation'));
    const value = values[model.parameters.findIndex((parameter) => parameter.name === name)];
    return value?.sort === 'number' ? value : null;
  };
  const args = bound.arguments.map((source) => argument(context, source, { sizes, values, named }));
  const outputShape =
    bound.output?.map((size) => knownArgument(size, named)) ?? shapeAt(translation, shapeOf(model.result), frame);
  if (translation.problem) return nothing(translation);
  const executed = executeKernel(
    graph,
    program.syntax,
    { arguments: args, outputShape, wholeVariables: translation.wholeVariables },
    { reading, loopMax: program.loopMaxIterations },
  );
  if (!executed.ok) {
    const { place, message } = executed.error;
    const where = place ? `${program.name}, line ${place.line}: ` : '';
    refuse(translation, `${where}${message}`);
    return nothing(translation);
  }
  const { outputs, safety } = executed.value;
  const resultShape = shapeAt(translation, shapeOf(model.result), frame);
  const [only] = outputs;
  const value: SymbolicValue =
    resultShape.length === 0 && only ? only : { sort: 'tensor', shape: resultShape, elements: outputs };
  return { value, safety };
}

function shapeAt(translation: Translation, shape: readonly Term[], frame: Frame | null): readonly number[] {
  return shape.map((size) => wholeNumber(translation, size, frame));
}

interface Given {
  readonly sizes: readonly number[];
  readonly values: readonly SymbolicValue[];
  readonly named: (name: string) => NumberExpression | null;
}

/** What a backend hands to the kernel: every number as the nearest float32. */
function argument(context: ApplicationContext, source: ArgumentSource, given: Given): KernelArgument {
  const { translation } = context;
  const { graph } = translation;
  switch (source.kind) {
    case 'size':
      return {
        kind: 'scalar',
        value: stored(
          context,
          graph.integer(present(given.sizes[source.index], 'a call has each size that it is given')),
        ),
      };
    case 'expression': {
      const value = argumentOf(graph, source.expression, given.named);
      return { kind: 'scalar', value: stored(context, typeof value === 'string' ? refuse(translation, value) : value) };
    }
    case 'parameter': {
      const value = given.values[source.index];
      invariant(value, 'a call has a value for every parameter');
      return value.sort === 'tensor'
        ? { kind: 'array', shape: value.shape, elements: elementsOf(context, value) }
        : { kind: 'scalar', value: stored(context, value) };
    }
  }
}

function elementsOf(context: ApplicationContext, { elements }: TensorValue): readonly NumberExpression[] {
  return elements.map((element) => stored(context, element));
}

/** Fresh outputs in the place of the kernel's, of which `claims` are known. */
function standInFor(
  context: ApplicationContext,
  { application, model, claims, sizes, values, at }: StandingIn,
): SymbolicValue {
  const { translation, reading, variables } = context;
  if (reading === 'real') return refuse(translation, 'what is proved of float32 code cannot be used over the reals');
  const shape = shapeAt(translation, shapeOf(model.result), ownFrame(translation, model, sizes, values));
  const given = values.map((value): SymbolicValue =>
    value.sort === 'tensor' ? { ...value, elements: elementsOf(context, value) } : stored(context, value),
  );
  const { equation, output } = application;
  const made = standIn(translation, { equation, model, claims, sizes, values: given, shape, output, at });
  for (const variable of made.variables) variables.set(variable.name, variable);
  return made.value;
}

interface StandingIn {
  readonly application: Application;
  readonly model: EquationModel;
  readonly claims: NonNullable<ProofSubject['standIn']>;
  readonly sizes: readonly number[];
  readonly values: readonly SymbolicValue[];
  /** Which run of the application. */
  readonly at: number;
}

/** Under the reading `float32`, the float32 that the property method would store; truth values are 1 and 0. */
function stored({ translation, reading, variables }: ApplicationContext, value: ScalarExpression): NumberExpression {
  const { graph } = translation;
  const number = value.sort === 'number' ? value : graph.if(value, graph.integer(1), graph.integer(0));
  return reading === 'real' || isStored(number, variables) ? number : graph.round32(number);
}

const allWholeAreFloat32 = fraction(1n << 24n);

/** Whether a number is a float32 already. */
function isStored(number: NumberExpression, variables: ReadonlyMap<string, ProofVariable>): boolean {
  if (number.kind === 'if') return isStored(number.then, variables) && isStored(number.otherwise, variables);
  if (number.kind === 'negate' || number.kind === 'absolute') return isStored(number.operand, variables);
  if (number.kind === 'minimum' || number.kind === 'maximum')
    return isStored(number.left, variables) && isStored(number.right, variables);
  if (number.kind !== 'variable') return number.kind === 'round32' || number.kind === 'machine';
  const variable = variables.get(number.name);
  if (!variable) return false;
  if (variable.format !== 'integer') return variable.format !== 'f64' && variable.format !== 'real';
  return isSmall(variable.low) && isSmall(variable.high);
}

function isSmall(value: Rational | null): boolean {
  if (value === null) return false;
  const { numerator, denominator } = value;
  const magnitude = { numerator: numerator < 0n ? -numerator : numerator, denominator };
  return compareRational(magnitude, allWholeAreFloat32) <= 0;
}
