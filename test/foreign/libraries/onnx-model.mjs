/** Writes the few fields of onnx.proto that a graph of float32 operators needs. */

const varint = (value) => {
  const bytes = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
};
const whole = (field, value) => [...varint(field << 3), ...varint(value)];
const bytes = (field, value) => {
  const content = typeof value === 'string' ? [...new TextEncoder().encode(value)] : value;
  return [...varint((field << 3) | 2), ...varint(content.length), ...content];
};
const float = (field, value) => [...varint((field << 3) | 5), ...new Uint8Array(Float32Array.of(value).buffer)];

const FLOAT_ATTRIBUTE = 1;
const INTEGER_ATTRIBUTE = 2;
const TEXT_ATTRIBUTE = 3;
const INTEGERS_ATTRIBUTE = 7;

/** Whole numbers are integers, `{ float }` a float. */
function attribute([name, value]) {
  const named = bytes(1, name);
  if (typeof value === 'string') return [...named, ...bytes(4, value), ...whole(20, TEXT_ATTRIBUTE)];
  if (Array.isArray(value))
    return [...named, ...value.flatMap((one) => whole(8, one)), ...whole(20, INTEGERS_ATTRIBUTE)];
  if (typeof value === 'object') return [...named, ...float(2, value.float), ...whole(20, FLOAT_ATTRIBUTE)];
  return [...named, ...whole(3, value), ...whole(20, INTEGER_ATTRIBUTE)];
}

function node({ op, inputs, outputs, attributes = {}, domain }) {
  return [
    ...inputs.flatMap((name) => bytes(1, name)),
    ...outputs.flatMap((name) => bytes(2, name)),
    ...bytes(4, op),
    ...Object.entries(attributes).flatMap((entry) => bytes(5, attribute(entry))),
    ...(domain ? bytes(7, domain) : []),
  ];
}

const FLOAT = 1;

/** Of `rank` dimensions whose sizes are known when it runs. */
const value = (name, rank) => {
  const shape = Array.from({ length: rank }, (_, i) => bytes(1, bytes(2, `${name}${i}`))).flat();
  return [...bytes(1, name), ...bytes(2, bytes(1, [...whole(1, FLOAT), ...bytes(2, shape)]))];
};

/** `inputs`: rank by name. The last node's first output is the graph's, of rank `rank`. */
export function onnxModel({ nodes, inputs, rank }) {
  const output = nodes.at(-1).outputs[0];
  const graph = [
    ...nodes.flatMap((one) => bytes(1, node(one))),
    ...bytes(2, 'graph'),
    ...Object.entries(inputs).flatMap(([name, inputRank]) => bytes(11, value(name, inputRank))),
    ...bytes(12, value(output, rank)),
  ];
  const opset = (domain, version) => bytes(8, [...(domain ? bytes(1, domain) : []), ...whole(2, version)]);
  return Uint8Array.from([...whole(1, 10), ...bytes(7, graph), ...opset('', 23), ...opset('com.microsoft', 1)]);
}
