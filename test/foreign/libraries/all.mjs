/** The kernels of every library. */
import { kernels as jax } from './jax.mjs';
import { kernels as onnxruntime } from './onnxruntime.mjs';
import { kernels as tensorflow } from './tensorflow.mjs';

export const libraryKernels = [...onnxruntime, ...tensorflow, ...jax];
