import { connectChromium } from './chromium-link.ts';
import { gpuBackend } from './gpu-kernel.ts';

/** Shaders of WebGL2 in a headless Chromium: SwiftShader, Mesa's llvmpipe, or a real device. */
export const webgl2 = gpuBackend('webgl2', connectChromium);

/** Compute shaders of WebGPU in a headless Chromium. */
export const webgpuBrowser = gpuBackend('webgpu-browser', connectChromium);
