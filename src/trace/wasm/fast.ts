/** The fastest engine of the profile `f32-strict/1` that runs here. */
import { err, ok, type Result } from '../../base/result.ts';
import { webAssembly, type WasmMemory, type WebAssemblyApi } from '../../host/web-assembly.ts';
import type { Engine } from '../engine/engine.ts';
import { createStrictEngine } from '../engine/strict.ts';
import { littleEndianHost } from '../../tensors/float32-bytes.ts';
import type { Model } from '../model/model.ts';
import type { Problem } from '../../base/problem.ts';
import { createWasmEngine } from './engine.ts';
import { kernelModule } from './kernels.ts';
import { planMemory } from './plan.ts';

/** An engine, and whether it is the fast one. */
export interface FastEngine {
  readonly engine: Engine;
  /** Why `engine` is the slow one after all: PV-8090 (no SIMD) or PV-8091 (memory). Null if it runs in WebAssembly. */
  readonly fallback: Problem | null;
}

/** Pages of the largest memory, 4 GiB: addresses have 32 bits (WebAssembly Core Specification 2.0, section 2.3.8). */
const mostPages = 2 ** 16;

/**
 * An engine for `model`: in WebAssembly where `api`, the platform's, has SIMD and the model fits into 4 GiB; in plain
 * TypeScript elsewhere, at a tenth of the speed or less. The bits are the same. The weights are copied into the
 * engine's memory.
 */
export function createFastEngine(model: Model, api: WebAssemblyApi | null = webAssembly): FastEngine {
  const plan = planMemory(model);
  const memory = memoryOf(api, plan.pages);
  return memory.ok
    ? { engine: createWasmEngine(model.config, plan, memory.value), fallback: null }
    : { engine: createStrictEngine(model), fallback: memory.error };
}

function memoryOf(api: WebAssemblyApi | null, pages: number): Result<WasmMemory, Problem> {
  if (!api) return err(platformProblem('There is no WebAssembly here'));
  if (!runsKernels(api)) return err(platformProblem('WebAssembly has no SIMD here'));
  // Its memory is little-endian everywhere, and typed arrays are as the processor is.
  if (!littleEndianHost) return err(platformProblem('This processor is big-endian'));
  if (pages > mostPages) return err(memoryProblem(pages, 'WebAssembly has 4 GiB at most'));
  try {
    return ok(new api.Memory({ initial: pages, maximum: pages }));
  } catch (error) {
    if (error instanceof RangeError) return err(memoryProblem(pages, 'the system does not give as much'));
    throw error;
  }
}

/**
 * Cached result of an API that decodes the module each time, which takes a third of the time of creating an engine for a small
 * model.
 */
const answers = new WeakMap<WebAssemblyApi, boolean>();

function runsKernels(api: WebAssemblyApi): boolean {
  const known = answers.get(api) ?? api.validate(kernelModule);
  answers.set(api, known);
  return known;
}

const consequence = 'the model runs in plain JavaScript, with the same results at a tenth of the speed or less.';

function platformProblem(reason: string): Problem {
  return { code: 'PV-8090', check: 'WebAssembly SIMD', message: `${reason}: ${consequence}` };
}

function memoryProblem(pages: number, reason: string): Problem {
  const size = (pages / 2 ** 14).toFixed(2);
  return {
    code: 'PV-8091',
    check: 'WebAssembly memory',
    message: `The weights, keys and values take ${size} GiB, and ${reason}: ${consequence}`,
    expected: `at most ${mostPages} pages`,
    actual: `${pages} pages`,
  };
}
