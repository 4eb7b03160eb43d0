/**
 * What the device did, as PyTorch's profiler writes it: a step per micro-batch, kernels on stream 7 with their launches,
 * copies on a stream of their own that waits for nothing, synchronisations. Times are a model's, in microseconds.
 */

type TraceEvent = Readonly<Record<string, unknown>>;

const LAUNCH = 4;
const KERNEL = 25;
const COPY = 12;
const [KERNEL_STREAM, COPY_STREAM] = [7, 9];

/** Records the first `limit` steps: what comes before them sets up, and later ones look the same. */
export function createProfile(limit = 4) {
  const events: TraceEvent[] = [];
  let now = 0;
  let busyUntil = 0;
  let correlation = 0;
  let step = -1;
  let began = 0;

  const note = (event: TraceEvent): void => {
    if (step >= 0 && step < limit) events.push({ ph: 'X', ...event });
  };
  const onHost = (name: string, ts: number, dur: number): void =>
    note({ cat: 'cuda_runtime', name, pid: 1, tid: 1, ts, dur, args: { correlation } });
  const endStep = (): void => {
    if (step >= 0)
      note({ cat: 'user_annotation', name: `ProfilerStep#${step}`, pid: 1, tid: 1, ts: began, dur: now - began });
  };

  return {
    step: (): void => {
      endStep();
      step += 1;
      began = now;
    },
    kernel: (name: string): void => {
      correlation += 1;
      onHost('cudaLaunchKernel', now, LAUNCH);
      now += LAUNCH;
      const ts = Math.max(now, busyUntil);
      const args = { device: 0, stream: KERNEL_STREAM, correlation };
      note({ cat: 'kernel', name, pid: 0, tid: KERNEL_STREAM, ts, dur: KERNEL, args });
      busyUntil = ts + KERNEL;
    },
    copy: (direction: 'HtoD' | 'DtoH', length: number): void => {
      correlation += 1;
      onHost('cudaMemcpyAsync', now, COPY + 4);
      const way = direction === 'HtoD' ? 'Pinned -> Device' : 'Device -> Pinned';
      const args = { device: 0, stream: COPY_STREAM, correlation, bytes: 4 * length };
      const place = { pid: 0, tid: COPY_STREAM, ts: now + 2, dur: COPY };
      note({ cat: 'gpu_memcpy', name: `Memcpy ${direction} (${way})`, ...place, args });
      now += COPY + 4;
    },
    synchronize: (): void => {
      correlation += 1;
      const wait = Math.max(1, busyUntil - now + 1);
      onHost('cudaStreamSynchronize', now, wait);
      now += wait;
    },
    json: (): string => {
      endStep();
      return `${JSON.stringify({ schemaVersion: 1, traceEvents: events }, null, 1)}\n`;
    },
  };
}
