/** Wrong kernels derived from correct ones: what all saboteurs share. */
import type { KernelCall, KernelOutcome, OpenKernel } from '../../backends/backend.ts';

/** A way to make a wrong kernel out of any correct one. */
export interface Saboteur {
  /** `saboteur:zero`. */
  readonly id: string;
  /** What it does, in words. */
  readonly description: string;
  /** The two parameters (by position) that it exchanges if their shapes are equal; null for every other saboteur. */
  readonly exchanges: readonly [number, number] | null;
  /** The spoiled kernel; closing it leaves the correct one open. */
  readonly wrap: (kernel: OpenKernel) => OpenKernel;
}

/** Closing a saboteur leaves the kernel that it wraps open. */
export const nothing = (): Promise<void> => Promise.resolve();
export const saboteur = (id: string, description: string, wrap: Saboteur['wrap']): Saboteur => ({
  id: `saboteur:${id}`,
  description,
  exchanges: null,
  wrap,
});

/** A kernel whose correct outcome is passed through `spoiled`. */
export function spoiling(
  id: string,
  description: string,
  spoiled: (outcome: KernelOutcome | undefined, call: KernelCall) => KernelOutcome,
): Saboteur {
  return saboteur(id, description, ({ ran, run, runSync }) => ({
    ran,
    runSync: runSync && ((call) => spoiled(runSync(call), call)),
    run: async (calls) => {
      const outcomes = await run(calls);
      return calls.map((call, i) => spoiled(outcomes[i], call));
    },
    close: nothing,
  }));
}
