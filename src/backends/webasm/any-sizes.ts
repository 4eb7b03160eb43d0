/**
 * The stages of a kernel over one memory for calls of all sizes up to a limit: a call of new sizes sets some variables, where modules
 * made for them would take as long as hundreds of small calls.
 */
import { webAssembly, type WasmGlobal, type WasmMemory } from '../../host/web-assembly.ts';
import type { KernelCall } from '../backend.ts';
import { elementsOf } from '../check-call.ts';
import type { Stage } from '../stages/staged-kernel.ts';
import { withSizeVariables, type SizelessKernel } from './size-variables.ts';
import {
  appliedTo,
  layoutOf,
  regionsOf,
  runOver,
  sizeOf,
  valuesAt,
  writeExtents,
  type Region,
  type Regions,
  type RunShape,
} from './stage-memory.ts';
import type { TranslatedKernel } from './translated-kernel.ts';

/** A stage that has been translated, and how many axes its output has. */
export interface RankedStage {
  readonly translated: TranslatedKernel;
  readonly stage: Pick<Stage, 'sources' | 'apply'>;
  readonly rank: number;
}

/**
 * Binds calls whose stages have outputs of `shapes`. Null if something has more than `CAPACITY` elements, or an output other
 * axes.
 */
export type BindSizes = (call: KernelCall, shapes: readonly (readonly number[])[]) => RunShape | null;

/** Elements of one array: all that drawn cases have. Larger calls take longer than a module that is made for them. */
export const CAPACITY = 2 ** 16;
/** Arrays that lie a power of two apart share the lines of a cache. */
const APART_BYTES = 17 * 64;
const SCALAR_BYTES = 16;

/** Null if code depends on sizes in another way than gpu.js's usual one. */
export function bindAnySizes(inputRanks: readonly number[], stages: readonly RankedStage[]): BindSizes | null {
  const places = fixedPlaces(
    inputRanks,
    stages.map(({ rank }) => rank),
  );
  const kernels = stages.map((stage, at) => sizeless(stage, places, at));
  const [first] = kernels;
  if (!first || !kernels.every((kernel) => kernel !== null)) return null;
  const memory = new webAssembly.Memory(first.pages);
  const floats = new Float32Array(memory.buffer);
  const loaded = stages.flatMap((stage, at) => {
    const kernel = kernels[at];
    return kernel ? [load(stage, kernel, memory)] : [];
  });
  const emptied = emptier(floats);
  let active: Regions | null = null;
  return (call, shapes) => {
    const regions = shaped(places, call.shapes, shapes);
    if ([...regions.inputs, ...regions.outputs].some(({ shape }) => elementsOf(shape) > CAPACITY)) return null;
    // The code says how many axes there are.
    if (stages.some(({ rank }, at) => sizeOf(shapes[at] ?? []).length !== rank)) return null;
    const sized = loaded.flatMap((sizedFor, at) => (elementsOf(shapes[at] ?? []) === 0 ? [] : [sizedFor(regions, at)]));
    const run = runOver(
      floats,
      places,
      sized.flatMap(({ steps }) => steps),
      elementsOf(call.outputShape),
    );
    return (values) => {
      if (active !== regions) {
        active = regions;
        for (const { prepare } of sized) prepare();
        emptied(regions);
        writeExtents(floats, places, call);
      }
      return run(values);
    };
  };
}

/** Regions that hold whatever is small enough; of their shapes, only the number of axes means something. */
function fixedPlaces(inputRanks: readonly number[], outputRanks: readonly number[]): Regions {
  let end = 0;
  const region = (rank: number): Region => {
    const offset = end;
    end += rank === 0 ? SCALAR_BYTES : CAPACITY * 4 + APART_BYTES;
    return { offset, shape: Array<number>(rank).fill(1) };
  };
  const places = {
    inputs: inputRanks.map(region),
    extents: [0, 0, 0].map(region),
    outputs: outputRanks.map(region),
  };
  return { ...places, totalBytes: end };
}

function shaped(
  places: Regions,
  inputs: readonly (readonly number[])[],
  outputs: readonly (readonly number[])[],
): Regions {
  const all = (regions: readonly Region[], shapes: readonly (readonly number[])[]): readonly Region[] =>
    regions.map(({ offset }, i) => ({ offset, shape: shapes[i] ?? [] }));
  return { ...places, inputs: all(places.inputs, inputs), outputs: all(places.outputs, outputs) };
}

function sizeless({ translated, stage, rank }: RankedStage, places: Regions, at: number): SizelessKernel | null {
  const own = regionsOf(stage, places);
  return withSizeVariables(
    own.map(({ shape }) => shape.length),
    rank,
    ({ arrays, output }) => {
      const probed = own.map(({ offset }, i) => ({ offset, shape: arrays[i]?.toReversed() ?? [] }));
      return translated.assemble(layoutOf(translated.names, probed, places, at), output);
    },
  );
}

/** A stage for calls of some sizes. */
interface SizedStage {
  /** Has to be called where the call before had other sizes. */
  readonly prepare: () => void;
  readonly steps: readonly (() => void)[];
}

function load(
  { translated, stage }: RankedStage,
  { bytes, variables, valuesFor }: SizelessKernel,
  memory: WasmMemory,
): (regions: Regions, at: number) => SizedStage {
  const { run, exports } = translated.over(bytes, memory);
  const globals = variables.map((name) => exports[name] as WasmGlobal);
  const floats = new Float32Array(memory.buffer);
  return (regions, at) => {
    const output = regions.outputs[at];
    const size = sizeOf(output?.shape ?? []);
    const values = valuesFor({
      arrays: regionsOf(stage, regions).map(({ shape }) => shape.toReversed()),
      output: size,
    });
    const left = valuesAt(floats, output, elementsOf(size));
    return {
      prepare: () => globals.forEach((global, i) => (global.value = values[i] ?? 0)),
      steps: [() => run(size), ...appliedTo(stage, left)],
    };
  };
}

/**
 * Writes zeros where calls of other sizes have left numbers: what a kernel finds after the end of an array must not depend on
 * the calls before.
 */
function emptier(floats: Float32Array): (regions: Regions) => void {
  const used = new Map<number, number>();
  const empty = (region: Region, keep: number): void => {
    const from = region.offset / 4;
    const elements = elementsOf(region.shape);
    floats.fill(0, from + keep, from + Math.max(keep, used.get(from) ?? 0));
    used.set(from, elements);
  };
  return ({ inputs, outputs }) => {
    for (const region of inputs) empty(region, elementsOf(region.shape));
    for (const region of outputs) empty(region, 0);
  };
}
