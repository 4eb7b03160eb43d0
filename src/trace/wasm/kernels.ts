/** The kernels of this folder, compiled and bound to a memory. */
import { invariant } from '../../base/invariant.ts';
import { webAssembly, type WasmMemory } from '../../host/web-assembly.ts';
import { blockProduct } from '../../wasm/block-product.ts';
import { add, rmsnorm, rotate } from './elementwise.ts';
import { encodeModule } from '../../wasm/encode.ts';
import { matrixProduct } from '../../wasm/matrix-product.ts';
import { softmax } from './softmax.ts';
import { swiglu } from './swiglu.ts';

const functions = { matrixProduct, blockProduct, rmsnorm, rotate, softmax, swiglu, add };

/** A kernel takes addresses and counts as its docstring says. */
export type Kernels = { readonly [Name in keyof typeof functions]: (...numbers: number[]) => void };

/** The module's bytes: about 3 KB, the same for every model. */
export const kernelModule: Uint8Array = encodeModule(Object.values(functions));

/** The kernels as functions that work on `memory`. */
export function bindKernels(memory: WasmMemory): Kernels {
  const module = new webAssembly.Module(kernelModule);
  const { exports } = new webAssembly.Instance(module, { host: { memory } });
  const kernel = (name: keyof Kernels): ((...numbers: number[]) => void) => {
    const exported = exports[name];
    invariant(typeof exported === 'function', `the module exports ${name}`);
    return exported as (...numbers: number[]) => void;
  };
  return {
    matrixProduct: kernel('matrixProduct'),
    blockProduct: kernel('blockProduct'),
    rmsnorm: kernel('rmsnorm'),
    rotate: kernel('rotate'),
    softmax: kernel('softmax'),
    swiglu: kernel('swiglu'),
    add: kernel('add'),
  };
}
