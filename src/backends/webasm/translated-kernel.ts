/**
 * A kernel that gpu.js has translated to WebAssembly, before it is bound to sizes and to a memory. gpu.js's own pipelines go
 * the same way (its `web-assembly/pipeline-executor.js`), but asynchronously, and they copy every argument first.
 */
import { printKernel } from '../../subject/print-kernel.ts';
import { elementsOf } from '../check-call.ts';
import type { Gpu, GpuModule, GpuSettings, Layout, RunCells, WebAssemblyTranslator } from '../gpujs-module.ts';
import type { Stage } from '../stages/staged-kernel.ts';
import { countersAreWhole } from './whole-counters.ts';
import { readsAcrossRows } from './lanes.ts';
import { mathImport } from './math-imports.ts';
import { webAssembly, type WasmImport, type WasmMemory } from '../../host/web-assembly.ts';

/** gpu.js's WebAssembly code of a kernel, from which modules for particular sizes are assembled. */
export interface TranslatedKernel {
  /** In the order of the kernel's parameters, as the layout names them. */
  readonly names: readonly string[];
  /** The kernel for an output of `size` (fastest axis first) whose arguments lie as `layout` says. */
  readonly assemble: (layout: Layout, size: readonly number[]) => AssembledKernel;
  /** A kernel that was assembled, over a memory that is declared as it declares it. */
  readonly over: (bytes: AssembledKernel['bytes'], memory: WasmMemory) => LoadedKernel;
  readonly destroy: () => void;
}

/** A WebAssembly binary with the memory that it imports. A page is 64 KiB. */
export interface AssembledKernel {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How large the memory has to be, in pages. */
  readonly pages: { readonly initial: number; readonly maximum: number };
}

interface LoadedKernel {
  /** Computes a whole output of `size`, the fastest axis first. */
  readonly run: (size: readonly number[]) => void;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Null if gpu.js would run it on the CPU instead. Throws what gpu.js throws of a text that it cannot translate. */
export function translateKernel(
  module: GpuModule,
  gpu: Gpu,
  { kernel, extents }: Stage,
  outputRank: number,
  settings: GpuSettings,
): TranslatedKernel | null {
  const shortcut = gpu.createKernel(printKernel(kernel), settings);
  const inner: object = shortcut.kernel;
  if (!(inner instanceof module.WebAssemblyKernel)) return null;
  const translator = inner as WebAssemblyTranslator;
  // Types come from the first arguments, and an array of any size is an array.
  const samples = kernel.parameters.map(({ rank }) => (rank === 0 ? 0 : module.input(new Float32Array(1), ones(rank))));
  translator.output = ones(Math.max(1, extents?.length ?? outputRank));
  translator.threadDim = ones(3);
  translator.setupConstants();
  translator.setupArguments(samples);
  translator.validateSettings(samples);
  if (!translator.translateSource() || translator.componentCount !== 1) return null;
  const body = translator.functionBuilder.functionMap['kernel'];
  const whole = countersAreWhole(kernel.body);
  const oneByOne = readsAcrossRows(kernel.body);
  const assemble: TranslatedKernel['assemble'] = (layout, size) => {
    // gpu.js takes a counter for an integer, remembers that of its 0, and then makes every counter a float again.
    if (whole && body) body.literalTypes = {};
    translator.output = size;
    translator.threadDim = [...size, ...ones(3 - size.length)];
    const { bytes, initial, maximum } = translator._assembleModule(layout, elementsOf(size), false);
    return { bytes, pages: { initial, maximum } };
  };
  const over: TranslatedKernel['over'] = (bytes, memory) => {
    const env: Record<string, WasmImport> = { memory };
    for (const name of translator.usedMathImports) env[`math_${name}`] = mathImport(name);
    const { exports } = new webAssembly.Instance(new webAssembly.Module(bytes), { env });
    const run = exports['run'] as RunCells;
    const runSimd = oneByOne ? null : ((exports['run_simd'] ?? null) as RunCells | null);
    const runAll = (size: readonly number[]): void =>
      void module.WebAssemblyKernel.dispatchSpans(run, runSimd, elementsOf(size), size[0] ?? 1, 0);
    return { run: runAll, exports };
  };
  return { names: translator.argumentNames, assemble, over, destroy: () => shortcut.destroy() };
}

const ones = (count: number): number[] => Array<number>(count).fill(1);
