/**
 * Whether a device computes float32 at all. Some claim to but keep only half of it (mediump), some return zeros; a failure
 * there is not the kernel's fault.
 */
import type { GpuBackendId } from '../subject/kernel.ts';
import type { GpuLink } from './gpu-link.ts';
import { miscomputes, troubleOf, type DeviceTrouble } from './gpu-trouble.ts';

/** No name of a kernel: those count from 1. */
const kernel = 0;
const source = 'function selfTest(x, y) { return x[this.thread.x] * y[this.thread.x]; }';

/** All 24 bits, both ends of the normal range, a fraction without end, and 0; times 1, which rounds nothing. */
const values = Float32Array.of(1 + 2 ** -23, -3e38, 2 ** -126, 0.1, 16_777_215, 0);

/** What is wrong with a device; null if it multiplies each of the values by 1. */
export async function selfTest(backend: GpuBackendId, { ask }: GpuLink): Promise<DeviceTrouble | null> {
  const opened = await ask({ kind: 'open', kernel, source, loopMaxIterations: 1 });
  if (opened.kind === 'problem') return troubleOf(backend, opened.problem);
  if (opened.kind !== 'opened') return miscomputes(backend, `it does not compile x · y: ${opened.kind}`);
  const size = [values.length];
  const ones = new Float32Array(values.length).fill(1);
  const call = {
    values: [
      { data: values, size },
      { data: ones, size },
    ],
    output: size,
  };
  const reply = await ask({ kind: 'run', kernel, calls: [call] });
  await ask({ kind: 'close', kernel });
  if (reply.kind === 'problem') return troubleOf(backend, reply.problem);
  const outcome = reply.kind === 'outcomes' ? reply.outcomes[0] : undefined;
  if (!outcome?.ok) return miscomputes(backend, 'it gives no answer to x · y');
  const at = values.findIndex((value, i) => outcome.output[i] !== value);
  return at < 0 ? null : miscomputes(backend, `${values[at]} · 1 is ${outcome.output[at]} on it`);
}
