/**
 * Kernels in stages on the WebAssembly that gpu.js writes: one module per stage for calls of all sizes, and others if that is
 * not enough.
 */
import type { Axis, KernelFunction } from '../../subject/kernel-syntax.ts';
import type { KernelCall } from '../backend.ts';
import { elementsOf } from '../check-call.ts';
import type { Gpu, GpuModule, GpuSettings } from '../gpujs-module.ts';
import { evaluateExtent } from '../stages/extent.ts';
import { stagesOf } from '../stages/lift.ts';
import { namesIn } from '../stages/slice.ts';
import type { Stage, StagedKernel } from '../stages/staged-kernel.ts';
import { shapeCache } from './shape-cache.ts';
import { bindAnySizes, type BindSizes, type RankedStage } from './any-sizes.ts';
import { bindStages, type RunShape } from './stage-memory.ts';
import { translateKernel, type TranslatedKernel } from './translated-kernel.ts';

/** A kernel ready to run at any size, with its compiled modules cached. */
export interface WebasmPipeline {
  /** The number of stages that a call runs through; 1 if nothing is computed twice. */
  readonly stages: number;
  /**
   * The output, flat and row-major. Null if gpu.js has to say itself what is wrong: it runs the kernel on the CPU, or not at
   * all.
   */
  readonly run: (call: KernelCall) => Float32Array | null;
  readonly close: () => void;
}

/** The gpu.js instance that compiles stages, and how many modules to keep. */
export interface PipelineOptions {
  readonly module: GpuModule;
  readonly gpu: Gpu;
  readonly settings: GpuSettings;
  /** Sizes change with every block of cases and come back later; compiling again costs a hundred calls. */
  readonly shapes: number;
}

/** Numbers that the stages of one call may leave in memory, beyond which the kernel runs in one stage. */
const maxStaged = 2 ** 22;

/**
 * Splits the kernel into stages and translates each when it is first needed. Its cache keeps `shapes` combinations of
 * sizes.
 */
export function webasmPipeline(kernel: KernelFunction, outputRank: number, options: PipelineOptions): WebasmPipeline {
  const staged = stagesOf(kernel, outputRank);
  const whole: StagedKernel = staged.length === 1 ? staged : [{ ...alone(kernel), apply: null, extents: null }];
  const translated = new Map<Stage, TranslatedKernel | null>();
  const translate = (stage: Stage): TranslatedKernel | null => {
    const known = translated.get(stage);
    if (known !== undefined) return known;
    const made = translateKernel(options.module, options.gpu, stage, outputRank, options.settings);
    translated.set(stage, made);
    return made;
  };
  const small = new Map<StagedKernel, BindSizes | null>();
  const anySizes = (stages: StagedKernel, ranked: readonly RankedStage[]): BindSizes | null => {
    const known = small.get(stages);
    if (known !== undefined) return known;
    const made = bindAnySizes(
      kernel.parameters.map(({ rank }) => rank),
      ranked,
    );
    small.set(stages, made);
    return made;
  };
  const bind = (stages: StagedKernel, call: KernelCall): RunShape | null => {
    const shapes = shapesOf(kernel, stages, call);
    if (!shapes) return null;
    const ranked = stages.map((stage): RankedStage | null => {
      const made = translate(stage);
      return made && { translated: made, stage, rank: Math.max(1, stage.extents?.length ?? outputRank) };
    });
    if (!ranked.every((stage) => stage !== null)) return null;
    const bindSmall = anySizes(stages, ranked);
    const own = (): RunShape =>
      bindStages(
        ranked.map((one, i) => ({ ...one, shape: shapes[i] ?? [] })),
        call,
      );
    const shared = bindSmall?.(call, shapes);
    return shared ? untilOften(shared, call, own) : own();
  };
  const bound = shapeCache(options.shapes, sizesIn(kernel, staged), (call) => bind(staged, call) ?? bind(whole, call));
  const run = (call: KernelCall): Float32Array | null => bound(call)?.(call.arguments) ?? null;
  return {
    stages: staged.length,
    run,
    close: () => translated.forEach((one) => one?.destroy()),
  };
}

/** Numbers that calls of one shape have read and written until a module for that shape has been worth making. */
const OFTEN = 2 ** 21;

function untilOften(first: RunShape, { shapes, outputShape }: KernelCall, make: () => RunShape): RunShape {
  const numbers = [...shapes, outputShape].reduce((sum, shape) => sum + elementsOf(shape), 0);
  let run = first;
  let left = Math.ceil(OFTEN / numbers);
  return (values) => {
    if (left-- === 0) run = make();
    return run(values);
  };
}

/** The kernel as its only stage. */
function alone(kernel: KernelFunction): Pick<Stage, 'kernel' | 'sources'> {
  return { kernel, sources: kernel.parameters.map((_, index) => ({ kind: 'argument', index })) };
}

/** The scalar arguments that say how large the stages are. */
function sizesIn(kernel: KernelFunction, stages: StagedKernel): readonly number[] {
  const names = new Set(stages.flatMap(({ extents }) => extents?.flat().flatMap(namesIn) ?? []));
  return kernel.parameters.flatMap(({ name }, index) => (names.has(name) ? [index] : []));
}

/** The shape of every stage's output; null if one has none, or they would need too much memory. */
function shapesOf(
  kernel: KernelFunction,
  stages: StagedKernel,
  call: KernelCall,
): readonly (readonly number[])[] | null {
  const scalar = (name: string): number => {
    const value = call.arguments[kernel.parameters.findIndex((parameter) => parameter.name === name)];
    return typeof value === 'number' ? value : Number.NaN;
  };
  const output = (axis: Axis): number => call.outputShape.at(-1 - 'xyz'.indexOf(axis)) ?? 1;
  let total = 0;
  const shapes = stages.map(({ extents }) => {
    if (!extents) return call.outputShape;
    const shape = extents.map((alternatives) =>
      alternatives.reduce((most, extent) => Math.max(most, evaluateExtent(extent, scalar, output)), 0),
    );
    total += elementsOf(shape);
    return shape.length === 0 ? [1] : shape;
  });
  return total <= maxStaged ? shapes : null;
}
