/**
 * Faults of a GPU, each with its own code: never the kernel's fault, and never ignored.
 */
import type { Code } from '../diagnostics/codes.ts';
import { implementationOf, type DeviceChoice } from '../subject/gpu-device.ts';
import type { GpuBackendId } from '../subject/kernel.ts';
import type { SessionProblem } from './gpu-session.ts';

/** A diagnostic about a device, before it has a place in a file. */
export interface DeviceTrouble {
  readonly code: Extract<Code, 'PV-5030' | 'PV-5031' | 'PV-5032' | 'PV-5033' | 'PV-5034' | 'PV-5035'>;
  /** What is wrong, as a sentence fragment that begins with the backend. */
  readonly message: string;
  /** What to change. */
  readonly hint: string;
}

/** PV-5030: the package that drives the device cannot be loaded. `version` is the one to install. */
export function notInstalled(backend: GpuBackendId, packageName: string, version: string): DeviceTrouble {
  return {
    code: 'PV-5030',
    message: `${backend} needs the package ${packageName}, which is not installed or does not load here`,
    hint: `npm install --save-dev ${packageName}@${version}`,
  };
}

/** `tried`: what was started, and what came of it. */
export function noBrowser(backend: GpuBackendId, tried: readonly string[]): DeviceTrouble {
  return {
    code: 'PV-5031',
    message: `${backend} runs in Chromium, and none starts: ${tried.join('; ')}`,
    hint: 'install it (apt-get install chromium) or give its path in the variable CHROMIUM',
  };
}

const deviceHints: Readonly<Record<GpuBackendId, string>> = {
  webgl2: '--device swiftshader needs nothing but Chromium; --device llvmpipe needs Mesa (libegl1, libgl1-mesa-dri)',
  'webgpu-browser': '--device swiftshader needs nothing but Chromium',
  webgpu:
    'install a Vulkan driver, or name one in VK_DRIVER_FILES; --device swiftshader takes the one that comes with Chromium',
};

/** What a session says about its device, for the person who must fix it. */
export function troubleOf(backend: GpuBackendId, problem: SessionProblem): DeviceTrouble {
  switch (problem.kind) {
    case 'none':
      return {
        code: 'PV-5032',
        message: `${backend} finds no device: ${problem.message}`,
        hint: deviceHints[backend],
      };
    case 'unnamed':
      return {
        code: 'PV-5034',
        message: `${backend} runs on a device that does not identify itself, so it is unknown where kernels ran`,
        hint: 'let the browser reveal the renderer (WEBGL_debug_renderer_info), or choose another device with --device',
      };
    case 'replaced':
      return {
        code: 'PV-5034',
        message: `${backend} was requested, but gpu.js ran ${problem.ran} instead: ${problem.reason}`,
        hint: 'simplify what the reason names, or take this backend out of the run: its evidence would be for another one',
      };
    case 'lost':
      return lostDevice(backend, problem.message);
  }
}

/** PV-5035: the device was there and went away in the middle of a run. */
export function lostDevice(backend: GpuBackendId, reason: string): DeviceTrouble {
  return {
    code: 'PV-5035',
    message: `${backend} lost its device: ${reason}`,
    hint: 'run it again; if it is lost again, use smaller sizes or fewer jobs (--jobs 1), or give it more memory',
  };
}

/** The device runs, but its numbers are not float32. */
export function miscomputes(backend: GpuBackendId, reason: string): DeviceTrouble {
  return {
    code: 'PV-5034',
    message: `${backend} runs on a device that does not compute in float32: ${reason}`,
    hint: 'update its driver, or choose another device with --device; nothing that it computes would say anything of a kernel',
  };
}

/** `device` is the driver's name of what runs in place of the choice. */
export function wrongDevice(backend: GpuBackendId, choice: DeviceChoice, device: string): DeviceTrouble {
  return {
    code: 'PV-5033',
    message: `${backend} was requested on ${choice}, but ${implementationOf(device)} would run: ${device}`,
    hint: `${deviceHints[backend]}; --device any accepts any device`,
  };
}
