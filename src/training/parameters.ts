/** The weights of a model as the trainer sees them: named float32 arrays, grouped into layers. */
import { err, ok, type Result } from '../base/result.ts';
import { listOf, quoted } from '../base/text.ts';
import { wrong, type Problem } from '../base/problem.ts';

/** One named array of weights. Only the trainer writes to `data`. */
export interface Parameter {
  readonly name: string;
  /** Sizes of its dimensions; their product is the length of `data`. */
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** Ascending by name (UTF-16 code units), which is the order of sums over all weights, of files and of digests. */
export type Parameters = readonly Parameter[];

/** The caller's arrays by name, each with an optional shape for the weights file. */
export type ParametersInput = Readonly<
  Record<string, Float32Array | { readonly shape: readonly number[]; readonly data: Float32Array }>
>;

/** Parameters that are checked together, as indices into {@link Parameters}. */
export interface Layer {
  readonly name: string;
  readonly members: readonly number[];
}

/** Reads the caller's arrays; PV-8401 if there are none, or if a shape does not match its array. */
export function readParameters(input: ParametersInput): Result<Parameters, Problem> {
  const names = Object.keys(input).sort();
  if (names.length === 0)
    return wrong('PV-8401', 'parameters', 'There are no parameters: pass at least one array of weights.');
  const parameters: Parameter[] = [];
  for (const name of names) {
    const given: unknown = input[name];
    const { shape, data } = arrayOf(given);
    if (data === null)
      return wrong(
        'PV-8401',
        'parameters',
        `Parameter ${quoted(name)} is not a Float32Array; convert it with Float32Array.from.`,
      );
    const dimensions = shape ?? [data.length];
    const size = dimensions.reduce((product, n) => product * n, 1);
    if (!dimensions.every((n) => Number.isSafeInteger(n) && n >= 0) || size !== data.length)
      return wrong(
        'PV-8401',
        'parameters',
        `Parameter ${quoted(name)} has shape [${dimensions.join(', ')}] but ${data.length} elements.`,
      );
    if (name === '' || name === '__metadata__' || /\p{Surrogate}/u.test(name))
      return wrong('PV-8401', 'parameters', `A parameter cannot be named ${quoted(name)} in a safetensors file.`);
    if (hasControls(name))
      return wrong(
        'PV-8401',
        'parameters',
        `The name of parameter ${printable(name)} contains control or invisible formatting characters.`,
      );
    const other = parameters.find((one) => overlap(one.data, data));
    if (other !== undefined)
      return wrong(
        'PV-8401',
        'parameters',
        `Parameters ${quoted(other.name)} and ${quoted(name)} share memory, so each update would change both: pass tied weights once.`,
      );
    parameters.push({ name, shape: dimensions, data });
  }
  return ok(parameters);
}

/** Whether a name contains characters that could make it look like another one, or control a terminal. */
export const hasControls = (name: string): boolean => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);

/** A name in quotes for a message, without the characters that {@link hasControls} finds. */
export const printable = (name: string): string => quoted(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD'));

/** Whether two arrays have a byte in common. */
const overlap = (a: Float32Array, b: Float32Array): boolean =>
  a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength;

function arrayOf(given: unknown): { readonly shape: readonly number[] | null; readonly data: Float32Array | null } {
  if (given instanceof Float32Array) return { shape: null, data: given };
  if (typeof given !== 'object' || given === null || !('data' in given) || !('shape' in given))
    return { shape: null, data: null };
  const { data, shape } = given;
  const sizes: readonly unknown[] = Array.isArray(shape) ? shape : [NaN];
  return { shape: sizes.map(Number), data: data instanceof Float32Array ? data : null };
}

/** Layers by the prefix before the last dot: `conv1.weight` and `conv1.bias` form the layer `conv1`. */
export function layersByPrefix(parameters: readonly Pick<Parameter, 'name'>[]): readonly Layer[] {
  const layers = new Map<string, number[]>();
  for (const [i, { name }] of parameters.entries()) {
    const dot = name.lastIndexOf('.');
    const layer = dot > 0 ? name.slice(0, dot) : name;
    const members = layers.get(layer);
    if (members === undefined) layers.set(layer, [i]);
    else members.push(i);
  }
  return [...layers].map(([name, members]) => ({ name, members }));
}

/** The gradients in the order of the parameters; PV-8402 if one is missing, unknown or of the wrong length. */
export function readGradients(
  parameters: Parameters,
  gradients: Readonly<Record<string, Float32Array>>,
): Result<readonly Float32Array[], Problem> {
  const names = new Set(parameters.map(({ name }) => name));
  const unknown = Object.keys(gradients).filter((name) => !names.has(name));
  if (unknown.length > 0)
    return badStep(`There are gradients for unknown parameters: ${listOf(unknown.map(printable), 3)}.`);
  const missing = [...names].filter((name) => !Object.hasOwn(gradients, name));
  if (missing.length > 0) return badStep(`The gradients of ${listOf(missing, 3)} are missing.`);
  const ordered: Float32Array[] = [];
  for (const { name, data } of parameters) {
    const gradient: unknown = gradients[name];
    if (!(gradient instanceof Float32Array)) return badStep(`The gradient of ${quoted(name)} is not a Float32Array.`);
    if (gradient.length !== data.length)
      return badStep(
        `The gradient of ${quoted(name)} has ${gradient.length} elements; the parameter has ${data.length}.`,
      );
    ordered.push(gradient);
  }
  return ok(ordered);
}

const badStep = (message: string): Result<never, Problem> =>
  err({ code: 'PV-8402', check: 'gradients', message: `${message} No weight has changed.` });
