import { mustBeOneOf } from './must-be-one-of.ts';
import { levels, type Level } from '../evidence/verdict.ts';
import type { Check } from '../plan/check.ts';
import { deviceChoices, type DeviceChoice } from '../subject/gpu-device.ts';
import { backendIds, type BackendId } from '../subject/kernel.ts';

/** What decides the verdicts, beside the contracts and the evidence. */
export interface StatusOptions {
  /** The file that binds equations to kernels; absent, `binding.yaml` beside the contracts or above them. */
  readonly binding?: string;
  /** The least level at which a contract passes the gate; L0 when absent. */
  readonly minLevel?: Level;
  /** Whether the gate passes claims that the binding waives; false when absent. */
  readonly allowWaived?: boolean;
  /** Seed of every generated case, a 32-bit integer; 1 when absent. */
  readonly seed?: number;
  /** Generated cases per obligation, in place of the contract's number; fewer than 10,000 stay below L3. */
  readonly cases?: number;
  /** Where kernels run when their binding does not say; `gpujs-webasm` when absent. */
  readonly backend?: BackendId;
  /** Graphics devices for `webgl2` and `webgpu`; `any` when absent. */
  readonly device?: readonly DeviceChoice[];
}

/** What decides which checks are run, and for how long. */
export interface RunOptions {
  /** Only this obligation, falsification test or statement. */
  readonly claim?: string;
  /** Checks that run at the same time; one per processor when absent. */
  readonly jobs?: number;
  /** Seconds after which no further check begins; no limit when absent. */
  readonly budget?: number;
  /** Seconds that one check may take; 120 when absent. */
  readonly timeout?: number;
  /** Runs every check again, whatever evidence is stored. */
  readonly fresh?: boolean;
  /** Hears how many of the checks are done, and which one just ended or is under way. */
  readonly onProgress?: (done: number, total: number, check: Check | null, part?: string) => void;
  /** Receives what the code under test prints. */
  readonly onPrinted?: (text: string) => void;
}

/** The least and the greatest value of each numeric option. */
export const ranges = {
  seed: [0, 2 ** 32 - 1],
  cases: [1, 100_000_000],
  jobs: [1, 256],
  // Runs of more than a day are mistakes.
  budget: [1, 86_400],
  timeout: [1, 86_400],
} as const;

/** Throws a RangeError that names the first option with a value that it cannot have: a program may not have been type-checked. */
export function checkOptions(options: StatusOptions & RunOptions): void {
  for (const [name, [least, greatest]] of Object.entries(ranges)) {
    const value = options[name as keyof typeof ranges];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < least || value > greatest)
      throw new RangeError(`${name} is ${value}; a whole number from ${least} to ${greatest} is expected`);
  }
  const { minLevel = 'L0', backend = 'ref32', device = [] } = options;
  mustBeOneOf('minLevel', minLevel, levels);
  mustBeOneOf('backend', backend, backendIds);
  for (const each of device) mustBeOneOf('device', each, deviceChoices);
}
