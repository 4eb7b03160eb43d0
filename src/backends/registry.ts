import type { Backend, BackendId } from './backend.ts';

/** Every backend, loaded on demand: gpu.js alone takes longer to load than most checks to run. */
const loaders: Readonly<Record<BackendId, () => Promise<Backend>>> = {
  ref64: async () => (await import('./ref64.ts')).ref64,
  ref32: async () => (await import('./ref32.ts')).ref32,
  'gpujs-cpu': async () => (await import('./gpujs.ts')).gpujsCpu,
  'gpujs-webasm': async () => (await import('./gpujs.ts')).gpujsWebasm,
  webgl2: async () => (await import('./chromium.ts')).webgl2,
  webgpu: async () => (await import('./webgpu.ts')).webgpu,
  'webgpu-browser': async () => (await import('./chromium.ts')).webgpuBrowser,
  function: async () => (await import('./function-kernel.ts')).functionBackend,
};

/** Imports the backend when it is first needed, since most load a heavy package. */
export function loadBackend(id: BackendId): Promise<Backend> {
  return loaders[id]();
}
