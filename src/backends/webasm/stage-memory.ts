/**
 * The stages of a kernel over one memory, for calls of one shape: arguments are copied in once, stages read what earlier ones left.
 */
import { invariant } from '../../base/invariant.ts';
import type { KernelCall } from '../backend.ts';
import { elementsOf } from '../check-call.ts';
import type { Layout } from '../gpujs-module.ts';
import type { Stage } from '../stages/staged-kernel.ts';
import { arrayFunctions } from './array-functions.ts';
import { webAssembly } from '../../host/web-assembly.ts';
import type { AssembledKernel, TranslatedKernel } from './translated-kernel.ts';

/** A stage that has been translated, and how large its output is in calls of this shape, the slowest axis first. */
export interface SizedStage {
  readonly translated: TranslatedKernel;
  readonly stage: Pick<Stage, 'sources' | 'apply'>;
  readonly shape: readonly number[];
}

/** Runs a call of the shape that the memory is laid out for. Throws where a kernel reads outside the memory. */
export type RunShape = (values: KernelCall['arguments']) => Float32Array;

/** A tensor in the memory: `offset` in bytes, float32 elements in row-major order. */
export interface Region {
  readonly offset: number;
  readonly shape: readonly number[];
}

/** Where everything lies that stages read and write: the arguments, how long the output's axes are, what the stages leave. */
export interface Regions {
  readonly inputs: readonly Region[];
  /** Along x, y and z. */
  readonly extents: readonly Region[];
  readonly outputs: readonly Region[];
  readonly totalBytes: number;
}

/**
 * Lays arguments and results of all stages out in one memory and returns a function that runs calls of exactly this
 * shape.
 */
export function bindStages(stages: readonly SizedStage[], call: KernelCall): RunShape {
  const regions = regionsFor(
    call.arguments.map((_, i) => call.shapes[i] ?? []),
    stages.map(({ shape }) => shape),
  );
  const assembled = stages.map(({ translated, stage, shape }, at): AssembledKernel | null =>
    elementsOf(shape) === 0
      ? null
      : translated.assemble(layoutOf(translated.names, regionsOf(stage, regions), regions, at), sizeOf(shape)),
  );
  const pages = assembled.find((stage) => stage !== null)?.pages;
  invariant(pages, 'an output without elements is not computed');
  const memory = new webAssembly.Memory(pages);
  const floats = new Float32Array(memory.buffer);
  const steps = stages.flatMap(({ translated, stage, shape }, at) => {
    const kernel = assembled[at];
    if (!kernel) return [];
    const { run } = translated.over(kernel.bytes, memory);
    const size = sizeOf(shape);
    return [() => run(size), ...appliedTo(stage, valuesAt(floats, regions.outputs[at], elementsOf(shape)))];
  });
  writeExtents(floats, regions, call);
  return runOver(floats, regions, steps, elementsOf(call.outputShape));
}

/** Regions one after the other, each as long as it has to be. */
function regionsFor(inputs: readonly (readonly number[])[], outputs: readonly (readonly number[])[]): Regions {
  let end = 0;
  const region = (shape: readonly number[]): Region => {
    const offset = end;
    end += Math.ceil((Math.max(1, elementsOf(shape)) * 4) / 16) * 16;
    return { offset, shape };
  };
  const places = {
    inputs: inputs.map(region),
    extents: [[], [], []].map(region),
    outputs: outputs.map(region),
  };
  return { ...places, totalBytes: end };
}

/** Stores the extents of the output, fastest axis first, where stages read them. */
export function writeExtents(floats: Float32Array, { extents }: Regions, { outputShape }: KernelCall): void {
  extents.forEach(({ offset }, i) => (floats[offset / 4] = outputShape.at(-1 - i) ?? 1));
}

/** Copies arguments in, takes the steps, and copies the last stage's values out. */
export function runOver(
  floats: Float32Array,
  { inputs, outputs }: Regions,
  steps: readonly (() => void)[],
  elements: number,
): RunShape {
  const starts = inputs.map(({ offset }) => offset / 4);
  const from = (outputs.at(-1)?.offset ?? 0) / 4;
  return (values) => {
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (typeof value === 'number') floats[starts[i] ?? 0] = value;
      else if (typeof value === 'object') floats.set(value, starts[i]);
    }
    for (const step of steps) step();
    return floats.slice(from, from + elements);
  };
}

/** A view of `elements` float32 values from the start of the region; writing to it writes to the memory. */
export function valuesAt(floats: Float32Array, region: Region | undefined, elements: number): Float32Array {
  const from = (region?.offset ?? 0) / 4;
  return floats.subarray(from, from + elements);
}

/** The fastest axis first; a scalar is one thread. */
export const sizeOf = (shape: readonly number[]): readonly number[] => (shape.length === 0 ? [1] : shape.toReversed());

/** What is done with the values of a stage when they have been computed: nothing, or one thing. */
export function appliedTo({ apply }: Pick<Stage, 'apply'>, values: Float32Array): readonly (() => void)[] {
  const applied = apply ? arrayFunctions[apply] : null;
  return applied ? [() => applied(values)] : [];
}

/** For gpu.js: the parameters of stage `at`, which lie in `own` regions, and its output. */
export function layoutOf(
  names: readonly string[],
  own: readonly Region[],
  { outputs, totalBytes }: Regions,
  at: number,
): Layout {
  const arrays: Record<string, Layout['arrays'][string]> = {};
  const scalars: Record<string, Layout['scalars'][string]> = {};
  names.forEach((name, index) => {
    const region = own[index];
    invariant(region, 'gpu.js names the parameters that a stage has');
    const { offset, shape } = region;
    if (shape.length === 0) scalars[name] = { index, offset, type: 'Number' };
    else
      arrays[name] = { index, offset, dims: [...shape.toReversed(), 1, 1].slice(0, 3), flatLength: elementsOf(shape) };
  });
  return { arrays, scalars, constantArrays: {}, outputOffset: outputs[at]?.offset ?? 0, totalBytes };
}

/** Where the parameters of a stage lie, in their order. */
export function regionsOf(
  { sources }: Pick<Stage, 'sources'>,
  { inputs, extents, outputs }: Regions,
): readonly Region[] {
  return sources.map((source) => {
    const region =
      source.kind === 'argument'
        ? inputs[source.index]
        : source.kind === 'stage'
          ? outputs[source.index]
          : extents['xyz'.indexOf(source.axis)];
    invariant(region, 'every parameter of a stage has a source');
    return region;
  });
}
