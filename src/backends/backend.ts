/**
 * Where kernels run. Everything is asynchronous because gpu.js 3 and WebGPU are.
 */

import type { DeviceChoice } from '../subject/gpu-device.ts';
import type { BackendId, KernelCall, KernelProgram } from '../subject/kernel.ts';
import type { DeviceTrouble } from './gpu-trouble.ts';

export type { BackendId, KernelCall, KernelProgram, KernelValue } from '../subject/kernel.ts';

/** Why a call has no output; `device` and `unsupported` say nothing about the kernel. */
export type KernelFailure =
  | { readonly kind: 'threw'; readonly message: string }
  | { readonly kind: 'wrong-shape'; readonly expected: readonly number[] | string; readonly actual: string }
  | { readonly kind: 'mutated-input'; readonly parameter: string }
  | { readonly kind: 'fallback'; readonly requested: string; readonly ran: string; readonly reason: string }
  /** No device is available, it is not the requested one, or it was lost: this says nothing about the kernel. */
  | { readonly kind: 'device'; readonly trouble: DeviceTrouble }
  /** The device's compiler does not take a shader; `message` has one finding a line, `3:14 unresolved value`. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unsupported'; readonly message: string }
  /** This input takes longer than pv runs mathematics, which says nothing about it. */
  | { readonly kind: 'too-long'; readonly message: string };

/** The result of one call. */
export type KernelOutcome =
  | {
      readonly ok: true;
      /** Flat and row-major; one number for a scalar. Empty for a string. */
      readonly output: Float32Array | Float64Array;
      /** The result of a kernel that gives a string. */
      readonly text?: string;
    }
  | { readonly ok: false; readonly failure: KernelFailure };

/** What really ran, for the receipt. */
export interface RanOn {
  readonly backend: BackendId;
  readonly device: string;
  readonly arithmetic: 'f32' | 'f64';
}

/** A kernel compiled for one backend and device, until it is closed. */
export interface OpenKernel {
  readonly ran: RanOn;
  /** Runs calls one after another; a failing call does not stop the rest. Calls of equal shape in a row are cheap. */
  readonly run: (calls: readonly KernelCall[]) => Promise<readonly KernelOutcome[]>;
  /** The same, synchronously, where the backend can; null if it cannot. */
  readonly runSync: ((call: KernelCall) => KernelOutcome) | null;
  readonly close: () => Promise<void>;
}

/** An open kernel, or why the program cannot run here. */
export type Opened =
  { readonly ok: true; readonly kernel: OpenKernel } | { readonly ok: false; readonly failure: KernelFailure };

/** A place where kernels run, with the format in which it computes. */
export interface Backend {
  readonly id: BackendId;
  readonly arithmetic: 'f32' | 'f64';
  /** `device` is for backends that have a choice of them. */
  readonly open: (program: KernelProgram, device?: DeviceChoice) => Promise<Opened>;
}
