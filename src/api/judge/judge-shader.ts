/** How a shader behaves: its calls are repeated on a fresh device, in another order, and what differs is named. */
import type { KernelOutcome, OpenKernel } from '../../backends/backend.ts';
import { loadBackend } from '../../backends/registry.ts';
import { racing, staleMemory } from '../../backends/wgsl/shader-kernel.ts';
import { failureMessage } from '../../methods/runs/execute.ts';
import { isSameOutcome } from '../../plan/same-outcome.ts';
import { nextUint32, streamAt, streamKey } from '../../numeric/xoshiro.ts';
import type { DeviceChoice } from '../../subject/gpu-device.ts';
import type { KernelCall, KernelProgram } from '../../subject/kernel.ts';
import { nothingFound, shuffled, type ConductFound } from './judge-conduct.ts';
import type { Cheat } from './judgement.ts';

interface ShaderRequest {
  readonly program: KernelProgram;
  readonly calls: readonly KernelCall[];
  readonly seed: number;
  readonly device: DeviceChoice;
}

/** Runs the calls in order, and then on another device each twice in another order. Says nothing where there is no device. */
export async function judgeShader({ program, calls, seed, device }: ShaderRequest): Promise<ConductFound> {
  const first = await onFreshDevice(program, device, (kernel) => kernel.run(calls));
  if (first === null) return nothingFound;
  const stopped = first.find(isStopped);
  if (stopped) return { ...nothingFound, hang: failureMessage(stopped.failure) };
  const order = shuffled(
    calls.flatMap((_, i) => [i, i]),
    streamAt(streamKey(seed, 'replays/order'), nextUint32(streamAt(streamKey(seed, 'replays'), 0))),
  );
  const again = await onFreshDevice(program, device, (kernel) => kernel.run(order.flatMap((at) => calls[at] ?? [])));
  const odd = again === null ? 0 : order.filter((at, i) => !isSameOutcome(first[at], again[i])).length;
  const cheats: Cheat[] = [...first, ...(again ?? [])].flatMap(cheatsOfOutcome);
  if (odd > 0 && cheats.length === 0)
    cheats.push({
      kind: 'depends-on-history',
      how: `its results depend on the calls before: ${odd} of ${order.length} differ`,
    });
  return {
    cheats,
    notes: [],
    hang: null,
    replayed: calls.length,
    conditions: ['on another device, each twice in another order, in memory filled with other bits'],
  };
}

/** Whether a shader was not run, since it had not ended on an earlier call or had lost its device. */
function isStopped(outcome: KernelOutcome): outcome is Extract<KernelOutcome, { readonly ok: false }> {
  return !outcome.ok && (outcome.failure.kind === 'unsupported' || outcome.failure.kind === 'device');
}

async function onFreshDevice(
  program: KernelProgram,
  device: DeviceChoice,
  run: (kernel: OpenKernel) => Promise<readonly KernelOutcome[]>,
): Promise<readonly KernelOutcome[] | null> {
  const opened = await (await loadBackend('webgpu')).open(program, device);
  if (!opened.ok) return null;
  const outcomes = await run(opened.kernel);
  await opened.kernel.close();
  return outcomes;
}

function cheatsOfOutcome(outcome: KernelOutcome): readonly Cheat[] {
  if (outcome.ok) return [];
  const { failure } = outcome;
  if (failure.kind === 'mutated-input')
    return [{ kind: 'changes-inputs', how: `it changes its input ${failure.parameter}` }];
  if (failure.kind !== 'threw') return [];
  if (failure.message === staleMemory) return [{ kind: 'depends-on-history', how: staleMemory }];
  return failure.message === racing ? [{ kind: 'depends-on-randomness', how: racing }] : [];
}
