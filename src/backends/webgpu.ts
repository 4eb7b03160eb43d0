import { connectDawn } from './dawn-link.ts';
import { gpuBackend } from './gpu-kernel.ts';

/** Compute shaders of WebGPU in Node, through Dawn and any Vulkan driver. */
export const webgpu = gpuBackend('webgpu', connectDawn);
