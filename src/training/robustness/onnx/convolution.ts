/** Convolutions and pooling as sparse affine maps: one row for each output, one entry for each weight that reaches inside the input. */
import type { Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { affineValue, combine, reciprocals } from './arithmetic.ts';
import type { SparseMatrix } from '../matrix.ts';
import { sparseRows } from '../sparse-rows.ts';
import {
  allowedSize,
  attributeOf,
  constantOf,
  inputOf,
  numbers,
  shapeProblem,
  sizeOf,
  strides,
  unsupported,
  type Context,
  type ReadOperator,
  type Variable,
} from './values.ts';

/** Windows that slide over the spatial axes of an input of shape [batch, channels, …]. */
export interface Windows {
  readonly input: Variable;
  readonly channels: number;
  /** Spatial sizes of the input, of a window, and of the output. */
  readonly from: readonly number[];
  readonly kernel: readonly number[];
  readonly to: readonly number[];
  /** For an output place, for each place of the window: its offset in a channel of the input, or −1 outside. */
  readonly places: (output: number) => Int32Array;
}

/** The windows that the attributes of an operator describe. */
export function windowsOf(context: Context, kernel: readonly number[]): Result<Windows, Problem> {
  const input = inputOf(context, 0);
  if (!input.ok) return input;
  if (input.value.kind === 'constant') return unsupported(context, 'is applied to a constant');
  const [batch = 1, channels = 1, ...from] = input.value.shape;
  if (from.length !== kernel.length || from.length === 0 || batch !== 1)
    return shapeProblem(
      context,
      batch === 1 ? 'the window does not fit the input' : 'the batch is not 1',
      `a batch of 1 and ${kernel.length} spatial axes`,
      input.value.shape.join(' × '),
    );
  const list = (name: string, length: number, otherwise: number): readonly number[] => {
    const { integers } = attributeOf(context, name);
    return integers.length === 0 ? Array.from({ length }, () => otherwise) : integers;
  };
  const rank = from.length;
  const steps = list('strides', rank, 1);
  const dilations = list('dilations', rank, 1);
  const reach = kernel.map((size, d) => (size - 1) * (dilations[d] ?? 1) + 1);
  const pads = paddings(context, { from, kernel, reach }, steps, list('pads', 2 * rank, 0));
  if (!pads.ok) return pads;
  const valid = [steps, dilations, kernel].every(
    (values) => values.length === rank && values.every((v) => Number.isInteger(v) && v > 0 && v < 2 ** 20),
  );
  if (!valid || pads.value.length !== 2 * rank || pads.value.some((p) => !(p >= 0 && p < 2 ** 20)))
    return shapeProblem(
      context,
      'a window, stride, dilation or padding is not a list of positive integers',
      `${rank} of each`,
    );
  const to = from.map(
    (size, d) =>
      Math.floor((size + (pads.value[d] ?? 0) + (pads.value[d + rank] ?? 0) - (reach[d] ?? 0)) / (steps[d] ?? 1)) + 1,
  );
  if (to.some((size) => !(size > 0)))
    return shapeProblem(
      context,
      'the window is larger than the padded input',
      `at most ${from.join(' × ')}`,
      reach.join(' × '),
    );
  const size = allowedSize(context, to);
  if (!size.ok) return size;
  const window = allowedSize(context, kernel);
  if (!window.ok) return window;
  return ok({
    input: input.value,
    channels,
    from,
    kernel,
    to,
    places: placesOf({ from, kernel, to }, steps, dilations, pads.value),
  });
}

function paddings(
  context: Context,
  { from, kernel, reach }: Pick<Windows, 'from' | 'kernel'> & { readonly reach: readonly number[] },
  steps: readonly number[],
  given: readonly number[],
): Result<readonly number[], Problem> {
  const mode = attributeOf(context, 'auto_pad').text ?? 'NOTSET';
  if (mode === 'NOTSET') return ok(given);
  if (given.some((pad) => pad !== 0)) return unsupported(context, `has paddings, and pads in mode '${mode}'`);
  if (mode === 'VALID') return ok(given.map(() => 0));
  if (mode !== 'SAME_UPPER' && mode !== 'SAME_LOWER') return unsupported(context, `pads in mode '${mode}'`);
  // onnxruntime pads a dilated pooling window as if it were not dilated; ONNX itself does not.
  if (context.operator.type !== 'Conv' && reach.join() !== kernel.join())
    return unsupported(context, `pads in mode '${mode}' for a dilated window, about which engines disagree`);
  const needed = from.map(
    (size, d) => (Math.ceil(size / (steps[d] ?? 1)) - 1) * (steps[d] ?? 1) + (reach[d] ?? 1) - size,
  );
  if (needed.some((pad) => pad < -1))
    return unsupported(
      context,
      `pads in mode '${mode}' with steps so large that engines disagree about where they start`,
    );
  const total = needed.map((pad) => Math.max(0, pad));
  const small = total.map((pad) => Math.floor(pad / 2));
  const large = total.map((pad) => Math.ceil(pad / 2));
  return ok(mode === 'SAME_UPPER' ? [...small, ...large] : [...large, ...small]);
}

function placesOf(
  { from, kernel, to }: Pick<Windows, 'from' | 'kernel' | 'to'>,
  steps: readonly number[],
  dilations: readonly number[],
  pads: readonly number[],
): Windows['places'] {
  const [own, inWindow, outer] = [strides(from), strides(kernel), strides(to)];
  const count = sizeOf(kernel);
  const places = new Int32Array(count);
  return (output) => {
    for (let k = 0; k < count; k++) {
      let place = 0;
      for (let d = 0; d < from.length; d++) {
        const o = Math.floor(output / (outer[d] ?? 1)) % (to[d] ?? 1);
        const i = Math.floor(k / (inWindow[d] ?? 1)) % (kernel[d] ?? 1);
        const at = o * (steps[d] ?? 1) + i * (dilations[d] ?? 1) - (pads[d] ?? 0);
        if (at < 0 || at >= (from[d] ?? 0)) {
          place = -1;
          break;
        }
        place += at * (own[d] ?? 1);
      }
      places[k] = place;
    }
    return places;
  };
}

const conv: ReadOperator = (context) => {
  const weights = constantOf(context, 1);
  if (!weights.ok) return weights;
  const bias = context.inputs[2] ? constantOf(context, 2) : null;
  if (bias && !bias.ok) return bias;
  const [filters = 0, perGroup = 0, ...kernel] = weights.value.shape;
  const said = context.operator.attributes.get('kernel_shape')?.integers ?? kernel;
  if (said.join() !== kernel.join())
    return shapeProblem(context, 'kernel_shape is not the shape of the filters', kernel.join(' × '), said.join(' × '));
  const windows = windowsOf(context, kernel);
  if (!windows.ok) return windows;
  const { input, channels, to } = windows.value;
  const groups = attributeOf(context, 'group').integer ?? 1;
  if (perGroup * groups !== channels || filters % groups !== 0 || (bias && bias.value.values.length !== filters))
    return shapeProblem(
      context,
      'the filters do not fit the channels',
      `${channels} channels`,
      `${groups} groups of ${perGroup}`,
    );
  const shape = [1, filters, ...to];
  const size = allowedSize(context, shape, perGroup * sizeOf(kernel));
  if (!size.ok) return size;
  const perOutput = sizeOf(to);
  const matrix = filterRows(windows.value, weights.value.values, filters, perGroup);
  const constants = numbers(size.value, (j) => bias?.value.values[Math.floor(j / perOutput)] ?? 0);
  const out = affineValue(context, shape, [{ from: input.node, matrix }], constants, perGroup * sizeOf(kernel) + 1);
  return out.ok ? ok([out.value]) : out;
};

/** One row for each filter and place of the output. */
function filterRows(
  { channels, from, kernel, to, places }: Windows,
  weights: Float64Array,
  filters: number,
  perGroup: number,
): SparseMatrix {
  const [perOutput, perInput, window] = [sizeOf(to), sizeOf(from), sizeOf(kernel)];
  const rows = sparseRows(filters * perOutput, channels * perInput, filters * perOutput * perGroup * window);
  for (let filter = 0; filter < filters; filter++) {
    const firstChannel = Math.floor(filter / (filters / (channels / perGroup))) * perGroup;
    for (let output = 0; output < perOutput; output++) {
      const inside = places(output);
      for (let k = 0; k < perGroup * window; k++) {
        const place = inside[k % window] ?? -1;
        if (place < 0) continue;
        const channel = firstChannel + Math.floor(k / window);
        rows.add(channel * perInput + place, weights[filter * perGroup * window + k] ?? 0);
      }
      rows.endRow();
    }
  }
  return rows.matrix();
}

const averagePool: ReadOperator = (context) => {
  const windows = windowsOf(context, attributeOf(context, 'kernel_shape').integers);
  if (!windows.ok) return windows;
  if (attributeOf(context, 'ceil_mode').integer === 1)
    return unsupported(context, 'rounds the output size up (ceil_mode)');
  return averages(context, windows.value, attributeOf(context, 'count_include_pad').integer === 1);
};

const globalAveragePool: ReadOperator = (context) => {
  const input = inputOf(context, 0);
  if (!input.ok) return input;
  const windows = windowsOf(context, input.value.shape.slice(2));
  return windows.ok ? averages(context, windows.value, true) : windows;
};

function averages(
  context: Context,
  { input, channels, from, kernel, to, places }: Windows,
  countsPadding: boolean,
): ReturnType<ReadOperator> {
  const shape = [1, channels, ...to];
  const [perOutput, perInput, window] = [sizeOf(to), sizeOf(from), sizeOf(kernel)];
  const size = allowedSize(context, shape, window);
  if (!size.ok) return size;
  const rows = sparseRows(size.value, channels * perInput, size.value * window);
  const counts: number[] = [];
  for (let channel = 0; channel < channels; channel++) {
    for (let output = 0; output < perOutput; output++) {
      const inside = places(output).filter((place) => place >= 0);
      if (inside.length === 0) return unsupported(context, 'has a window that is all padding');
      for (const place of inside) rows.add(channel * perInput + place, 1);
      counts.push(countsPadding ? window : inside.length);
      rows.endRow();
    }
  }
  const sum = affineValue(
    context,
    shape,
    [{ from: input.node, matrix: rows.matrix() }],
    new Float64Array(size.value),
    window,
  );
  const out = sum.ok ? combine(context, 'Mul', sum.value, reciprocals(shape, counts)) : sum;
  return out.ok ? ok([out.value]) : out;
}

export const convolutionOperators: Readonly<Record<string, ReadOperator>> = {
  Conv: conv,
  AveragePool: averagePool,
  GlobalAveragePool: globalAveragePool,
};
