import { mustBeOneOf } from './must-be-one-of.ts';
import { accuracyClasses, type AccuracyClass } from '../contract/accuracy.ts';
import type { Receipt } from '../evidence/receipt.ts';
import { levels, type Level } from '../evidence/verdict.ts';
import type { Check } from '../plan/check.ts';
import { deviceChoices, type DeviceChoice } from '../subject/gpu-device.ts';
import { backendIds, type BackendId } from '../subject/kernel.ts';

/** What decides the verdicts, besides the contracts and the evidence. */
export interface StatusOptions {
  /** The file that binds equations to kernels; by default, `binding.yaml` next to the contracts or above them. */
  readonly binding?: string;
  /** The lowest level at which a contract passes the gate; L0 by default. */
  readonly minLevel?: Level;
  /** Whether the gate passes claims that the binding waives; false by default. */
  readonly allowWaived?: boolean;
  /** How accurate kernels are meant to be, in place of what the binding file says; `library` if neither does. */
  readonly accuracy?: AccuracyClass;
  /** Seed of every generated case, a 32-bit integer; 1 by default. */
  readonly seed?: number;
  /** Generated cases per obligation, overriding the contract's number; fewer than 10,000 stay below L3. */
  readonly cases?: number;
  /** Where kernels run if their binding does not say; `gpujs-webasm` by default. */
  readonly backend?: BackendId;
  /** Graphics devices for `webgl2` and `webgpu`; `any` by default. */
  readonly device?: readonly DeviceChoice[];
}

/** Which checks are run, and for how long. */
export interface RunOptions {
  /** Only this obligation, falsification test or statement. */
  readonly claim?: string;
  /** Checks that run at the same time; one per processor by default. */
  readonly jobs?: number;
  /** Seconds after which no further check begins; no limit by default. */
  readonly budget?: number;
  /** Seconds that one check may take; 120 by default. */
  readonly timeout?: number;
  /** Runs every check again, whatever evidence is stored. */
  readonly fresh?: boolean;
  /** Called with the number of finished checks, and the one that just ended or is running. */
  readonly onProgress?: (done: number, total: number, check: Check | null, part?: string) => void;
  /** Called when the last check of a contract has ended: with the receipts of this run. */
  readonly onContract?: (contract: string, receipts: readonly Receipt[]) => void;
  /** Receives the output of the code under test. */
  readonly onPrinted?: (text: string) => void;
}

/** The smallest and the largest value of each numeric option. */
export const ranges = {
  seed: [0, 2 ** 32 - 1],
  cases: [1, 100_000_000],
  jobs: [1, 256],
  // Runs of more than a day are mistakes.
  budget: [1, 86_400],
  timeout: [1, 86_400],
} as const;

/** Throws a RangeError for the first option with an invalid value, since a program may not have been type-checked. */
export function checkOptions(options: StatusOptions & RunOptions): void {
  for (const [name, [least, greatest]] of Object.entries(ranges)) {
    const value = options[name as keyof typeof ranges];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < least || value > greatest)
      throw new RangeError(`${name} is ${value}; a whole number from ${least} to ${greatest} is expected`);
  }
  const { minLevel = 'L0', accuracy = 'library', backend = 'ref32', device = [] } = options;
  mustBeOneOf('minLevel', minLevel, levels);
  mustBeOneOf('accuracy', accuracy, accuracyClasses);
  mustBeOneOf('backend', backend, backendIds);
  for (const each of device) mustBeOneOf('device', each, deviceChoices);
}
