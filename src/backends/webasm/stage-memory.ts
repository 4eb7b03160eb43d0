/**
 * The stages of a kernel over one memory, for calls of one shape: arguments are copied in once, stages read what earlier ones left.
 */
import { invariant } from '../../base/invariant.ts';
import type { KernelCall } from '../backend.ts';
import { elementsOf } from '../check-call.ts';
import type { Layout } from '../gpujs-module.ts';
import type { Stage, StageSource } from '../stages/staged-kernel.ts';
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

interface Region {
  readonly offset: number;
  readonly shape: readonly number[];
}

export function bindStages(stages: readonly SizedStage[], call: KernelCall): RunShape {
  let end = 0;
  const allocate = (elements: number): number => {
    const offset = end;
    end += Math.ceil((elements * 4) / 16) * 16;
    return offset;
  };
  const region = (shape: readonly number[]): Region => ({ offset: allocate(Math.max(1, elementsOf(shape))), shape });
  const inputs = call.arguments.map((_, i) => region(call.shapes[i] ?? []));
  const extents = (['x', 'y', 'z'] as const).map((axis) => ({ axis, ...region([]) }));
  const outputs = stages.map(({ shape }) => region(shape));
  const totalBytes = end;
  const regionOf = (source: StageSource): Region | undefined => {
    if (source.kind === 'argument') return inputs[source.index];
    if (source.kind === 'stage') return outputs[source.index];
    return extents.find(({ axis }) => axis === source.axis);
  };
  const assembled = stages.map(({ translated, stage, shape }, at): AssembledKernel | null => {
    if (elementsOf(shape) === 0) return null;
    const layout = layoutOf(translated.names, stage.sources.map(regionOf), {
      outputOffset: outputs[at]?.offset ?? 0,
      totalBytes,
    });
    return translated.assemble(layout, shape.length === 0 ? [1] : shape.toReversed());
  });
  const pages = assembled.find((stage) => stage !== null)?.pages;
  invariant(pages, 'an output without elements is not computed');
  const memory = new webAssembly.Memory(pages);
  const floats = new Float32Array(memory.buffer);
  const runs = assembled.flatMap((kernel, at) => {
    if (!kernel) return [];
    const { stage, shape } = stages[at] ?? {};
    const from = (outputs[at]?.offset ?? 0) / 4;
    const values = floats.subarray(from, from + elementsOf(shape ?? []));
    const apply = stage?.apply ? arrayFunctions[stage.apply] : null;
    return apply ? [kernel.over(memory), () => apply(values)] : [kernel.over(memory)];
  });
  extents.forEach(({ offset }, i) => (floats[offset / 4] = call.outputShape.at(-1 - i) ?? 1));
  const starts = inputs.map(({ offset }) => offset / 4);
  const from = (outputs.at(-1)?.offset ?? 0) / 4;
  const to = from + elementsOf(call.outputShape);
  return (values) => {
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (typeof value === 'number') floats[starts[i] ?? 0] = value;
      else if (typeof value === 'object') floats.set(value, starts[i]);
    }
    for (const run of runs) run();
    return floats.slice(from, to);
  };
}

function layoutOf(
  names: readonly string[],
  regions: readonly (Region | undefined)[],
  rest: Pick<Layout, 'outputOffset' | 'totalBytes'>,
): Layout {
  const arrays: Record<string, Layout['arrays'][string]> = {};
  const scalars: Record<string, Layout['scalars'][string]> = {};
  names.forEach((name, index) => {
    const place = regions[index];
    invariant(place, 'every parameter of a stage has a source');
    const { offset, shape } = place;
    if (shape.length === 0) scalars[name] = { index, offset, type: 'Number' };
    else
      arrays[name] = { index, offset, dims: [...shape.toReversed(), 1, 1].slice(0, 3), flatLength: elementsOf(shape) };
  });
  return { arrays, scalars, constantArrays: {}, ...rest };
}
