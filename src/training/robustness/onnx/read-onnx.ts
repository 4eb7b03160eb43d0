/** Reads piecewise linear ONNX models as networks to certify, without executing anything. */
import { wrong, type Problem } from '../../../base/problem.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { listOf, quoted } from '../../../base/text.ts';
import type { Network } from '../network.ts';
import { activationOperators } from './activations.ts';
import { arithmeticOperators } from './arithmetic.ts';
import { createBudget } from './budget.ts';
import { createBuilder, type Builder } from './builder.ts';
import { convolutionOperators } from './convolution.ts';
import { readModel, type Declared, type Graph, type Operator } from './model.ts';
import { normalisationOperators } from './normalisation.ts';
import { partOperators } from './parts.ts';
import { placeOperators } from './places.ts';
import { productOperators } from './products.ts';
import { checkAttributes, inputFault } from './signatures.ts';
import { mostDimensions, named, sizeOf, type Context, type ReadOperator, type Value } from './values.ts';

const operators: ReadonlyMap<string, ReadOperator> = new Map(
  Object.entries({
    ...placeOperators,
    ...partOperators,
    ...arithmeticOperators,
    ...productOperators,
    ...normalisationOperators,
    ...convolutionOperators,
    ...activationOperators,
  }),
);

/** What {@link readOnnx} reads, by name. */
const supportedOperators: readonly string[] = [...operators.keys()].toSorted();

/**
 * The network in the bytes of an ONNX file. Stored weights are converted to float64; a dynamic batch size is taken as 1, and so
 * are stored weights that are also declared as inputs as constants: {@link Network.readAs} says so. Reading ends when `isInTime`
 * becomes false.
 *
 * Problems: PV-8300 (a truncated or damaged file), PV-8301 (operators out of order), PV-8302 (inconsistent shapes), PV-8303 (an
 * operator or element type that pv does not support), PV-8304 (weights in an external file), PV-8305 (too large), PV-8306
 * (a weight that is not finite).
 */
export function readOnnx(bytes: Uint8Array, isInTime?: () => boolean): Result<Network, Problem> {
  const budget = createBudget(isInTime);
  const graph = readModel(bytes, budget);
  if (!graph.ok) return graph;
  const input = inputOf(graph.value);
  if (!input.ok) return input;
  const shape = input.value.shape ?? [];
  const builder = createBuilder(sizeOf(shape), budget);
  const float = floatTypeOf(graph.value, input.value);
  if (!float.ok) return float;
  const values = new Map<string, Value>([[input.value.name, { kind: 'variable', shape, node: 0 }]]);
  for (const [name, tensor] of graph.value.initializers) {
    if (name !== input.value.name)
      values.set(name, { kind: 'constant', shape: tensor.shape, values: tensor.values, type: tensor.type });
  }
  for (const operator of graph.value.operators) {
    const read = readOperator(graph.value, { builder, float: float.value, budget }, values, operator);
    if (!read.ok) return read;
  }
  return outputOf(graph.value, builder, values, float.value);
}

/** A shape without dynamic sizes. */
interface Input extends Declared {
  readonly shape: readonly number[];
}

function inputOf(graph: Graph): Result<Input, Problem> {
  const inputs = graph.inputs.filter(({ name }) => !graph.initializers.has(name));
  const [input] = inputs;
  if (input === undefined || inputs.length > 1)
    return wrong('PV-8303', 'inputs', 'The network does not have exactly one input.', {
      expected: 'one input that is not a weight',
      actual:
        inputs.length === 0
          ? 'none'
          : listOf(
              inputs.map(({ name }) => `'${name}'`),
              5,
            ),
    });
  const { name, shape, elements } = input;
  // Only the batch size may be dynamic.
  if (shape === null || shape.some((size, d) => size === null && d > 0))
    return wrong(
      'PV-8302',
      'input shape',
      `The shape of the input '${name}' is dynamic: export the model with fixed sizes.`,
      {
        expected: 'a number for every axis but the batch',
        actual: shape === null ? 'no shape' : shape.map((size) => size ?? '?').join(' × '),
      },
    );
  const whole = shape.map((size) => size ?? 1);
  if (whole.includes(0))
    return wrong('PV-8302', 'input shape', `The input '${name}' has no numbers.`, { actual: whole.join(' × ') });
  if (sizeOf(whole) > 4_000_000)
    return wrong('PV-8305', 'network size', `The input '${name}' has more numbers than pv certifies.`, {
      actual: whole.join(' × '),
    });
  return ok({ name, shape: whole, elements });
}

/** The element type of the input, and of the output where it is declared. */
function floatTypeOf({ outputs }: Graph, input: Declared): Result<Context['float'], Problem> {
  const other = outputs.find(({ elements }) => elements !== null && elements !== input.elements);
  const { name, elements } = other ?? input;
  if (other === undefined && (elements === 1 || elements === 11)) return ok(elements === 1 ? 'float32' : 'float64');
  return wrong('PV-8303', 'element type', `The elements of '${name}' are of a type that pv does not certify.`, {
    expected: 'float32 or float64, the same for the input and the output',
    actual: `type ${elements ?? 0} of TensorProto.DataType`,
  });
}

/** Constants whose numbers are known to be finite, so that those which many operators read are looked at once. */
const finite = new WeakSet<Float64Array>();

function isFinite(value: Value | null): boolean {
  if (value?.kind !== 'constant' || finite.has(value.values)) return true;
  if (!value.values.every(Number.isFinite)) return false;
  finite.add(value.values);
  return true;
}

const notFinite = (where: string): Result<never, Problem> =>
  wrong('PV-8306', 'weights', `${where} is NaN or infinite: no bound holds for such a network.`, {
    expected: 'finite numbers',
  });

function readOperator(
  graph: Graph,
  reading: Pick<Context, 'builder' | 'float' | 'budget'>,
  values: Map<string, Value>,
  operator: Operator,
): Result<void, Problem> {
  const read = operator.domain === '' || operator.domain === 'ai.onnx' ? operators.get(operator.type) : undefined;
  if (read === undefined)
    return wrong(
      'PV-8303',
      'operator',
      `The network uses the operator ${named(operator)}, which pv does not support. pv certifies piecewise linear networks.`,
      {
        offset: operator.offset,
        expected: listOf(supportedOperators),
        actual: operator.domain === '' ? operator.type : `${operator.domain}.${operator.type}`,
      },
    );
  const inputs: (Value | null)[] = [];
  for (const name of operator.inputs) {
    const value = name === '' ? null : values.get(name);
    if (value === undefined) return unordered(graph, operator, name);
    inputs.push(value);
  }
  const fault = inputFault(operator, graph.opset, inputs, reading.float);
  const attributes = fault === null ? checkAttributes(operator, graph.opset) : err(fault);
  if (!attributes.ok)
    return wrong('PV-8303', 'operator', `${named(operator)}: ${attributes.error}`, { offset: operator.offset });
  const size = inputs.reduce((sum, value) => sum + (value === null ? 0 : sizeOf(value.shape)), 1);
  const allowed = reading.budget.spend(size, operator.offset);
  if (!allowed.ok) return allowed;
  const infinite = operator.inputs.find((_, k) => operator.type !== 'Clip' && !isFinite(inputs[k] ?? null));
  if (infinite !== undefined) return notFinite(`A number in '${infinite}'`);
  const checked = { ...operator, attributes: attributes.value };
  const outputs = read({ ...reading, operator: checked, opset: graph.opset, inputs });
  if (!outputs.ok) return outputs;
  const kept = reading.budget.keep(madeOf(inputs, outputs.value), operator.offset);
  return kept.ok ? store(values, operator, outputs.value) : kept;
}

/** How many numbers an operator has made that were not there before. */
function madeOf(inputs: readonly (Value | null)[], outputs: readonly Value[]): number {
  const known = new Set(inputs.map((input) => (input?.kind === 'constant' ? input.values : null)));
  // An operator without inputs has them from the file.
  return outputs.reduce(
    (sum, value) =>
      sum + (inputs.length > 0 && value.kind === 'constant' && !known.has(value.values) ? value.values.length : 0),
    0,
  );
}

function store(values: Map<string, Value>, operator: Operator, outputs: readonly Value[]): Result<void, Problem> {
  for (const [k, name] of operator.outputs.entries()) {
    const value = outputs[k];
    // Optional outputs, such as the mask of Dropout, are missing where something reads them.
    if (value === undefined || name === '') continue;
    if (value.shape.length > mostDimensions)
      return wrong('PV-8302', 'tensor rank', `'${name}' has more than ${mostDimensions} dimensions.`, {
        offset: operator.offset,
      });
    if (values.has(name))
      return wrong('PV-8301', 'graph', `Two operators write '${name}', or one writes a weight or an input.`, {
        offset: operator.offset,
      });
    values.set(name, value);
  }
  return ok(undefined);
}

function unordered(graph: Graph, operator: Operator, name: string): Result<never, Problem> {
  const isLater = graph.operators.some(({ outputs }) => outputs.includes(name));
  return wrong(
    'PV-8301',
    'graph',
    isLater
      ? `${named(operator)} reads '${name}' before it is computed: the graph has a cycle, or its operators are not in order.`
      : `${named(operator)} reads '${name}', which nothing computes.`,
    { offset: operator.offset },
  );
}

function outputOf(
  graph: Graph,
  builder: Builder,
  values: ReadonlyMap<string, Value>,
  float: Context['float'],
): Result<Network, Problem> {
  const [output] = graph.outputs;
  if (output === undefined || graph.outputs.length > 1)
    return wrong('PV-8303', 'outputs', 'The network does not have exactly one output.', {
      actual: `${graph.outputs.length}`,
    });
  const value = values.get(output.name);
  if (value === undefined) return wrong('PV-8301', 'graph', `Nothing computes the output '${output.name}'.`);
  if (value.kind === 'constant')
    return wrong(
      'PV-8303',
      'outputs',
      `The output '${output.name}' does not depend on the input: there is nothing to certify.`,
    );
  const network = builder.finish(value.node, float);
  const hasBounds = network.nodes.every(
    (node) =>
      node.kind !== 'affine' ||
      (node.bias.every(Number.isFinite) &&
        node.biasMagnitude.every(Number.isFinite) &&
        node.terms.every(({ matrix }) => matrix.values.every(Number.isFinite))),
  );
  if (!hasBounds) return notFinite('A constant that the graph computes');
  const readAs = readingOf(graph);
  return ok(readAs.length === 0 ? network : { ...network, readAs });
}

/** What the file leaves to whoever runs the network. */
function readingOf({ inputs, initializers }: Graph): readonly string[] {
  const stored = inputs.filter(({ name }) => initializers.has(name)).map(({ name }) => quoted(name));
  const isOpen = inputs.some(({ name, shape }) => !initializers.has(name) && shape?.includes(null));
  return [
    ...(stored.length > 0 ? [`the values stored for the inputs ${listOf(stored, 5)}`] : []),
    ...(isOpen ? ['a batch of 1'] : []),
  ];
}
