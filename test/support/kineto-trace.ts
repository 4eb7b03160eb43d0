/**
 * Events of a profile as PyTorch's profiler writes them: per step the three transfers of a training step, kernels with
 * their launches, operators with call stacks, and one synchronisation.
 */

export type TraceEvent = Readonly<Record<string, unknown>>;

const STEP = 10_000;

export interface KernelSpec {
  readonly launch: number;
  readonly start: number;
  readonly duration: number;
  readonly stream?: number;
  readonly name?: string;
  readonly correlation: number;
}

export function kernel({
  launch,
  start,
  duration,
  stream = 7,
  name = 'gemm',
  correlation,
}: KernelSpec): readonly TraceEvent[] {
  return [
    {
      ph: 'X',
      cat: 'cuda_runtime',
      name: 'cudaLaunchKernel',
      pid: 1,
      tid: 1,
      ts: launch,
      dur: 4,
      args: { correlation },
    },
    {
      ph: 'X',
      cat: 'kernel',
      name,
      pid: 0,
      tid: stream,
      ts: start,
      dur: duration,
      args: { device: 0, stream, correlation, grid: [1, 1, 1] },
    },
  ];
}

export interface CopySpec {
  readonly call: number;
  readonly start: number;
  readonly duration: number;
  readonly direction: 'HtoD' | 'DtoH' | 'DtoD';
  readonly bytes: number;
  readonly stream?: number;
  readonly pageable?: boolean;
  readonly correlation: number;
}

export function copy({
  call,
  start,
  duration,
  direction,
  bytes,
  stream = 7,
  pageable = true,
  correlation,
}: CopySpec): readonly TraceEvent[] {
  const memory = pageable ? 'Pageable' : 'Pinned';
  const way =
    direction === 'HtoD' ? `${memory} -> Device` : direction === 'DtoH' ? `Device -> ${memory}` : 'Device -> Device';
  const callEnd = pageable ? start + duration + 2 : call + 5;
  return [
    {
      ph: 'X',
      cat: 'cuda_runtime',
      name: 'cudaMemcpyAsync',
      pid: 1,
      tid: 1,
      ts: call,
      dur: callEnd - call,
      args: { correlation },
    },
    {
      ph: 'X',
      cat: 'gpu_memcpy',
      name: `Memcpy ${direction} (${way})`,
      pid: 0,
      tid: stream,
      ts: start,
      dur: duration,
      args: { device: 0, stream, correlation, bytes },
    },
  ];
}

export function sync(start: number, end: number, name: string = 'cudaStreamSynchronize'): TraceEvent {
  return { ph: 'X', cat: 'cuda_runtime', name, pid: 1, tid: 1, ts: start, dur: end - start, args: { correlation: 0 } };
}

export function step(index: number, start: number, duration: number = STEP): TraceEvent {
  return {
    ph: 'X',
    cat: 'user_annotation',
    name: `ProfilerStep#${index}`,
    pid: 1,
    tid: 1,
    ts: start,
    dur: duration,
    args: {},
  };
}

/** One step of `kernels` kernels, each under an operator with a stack, between the three transfers of a training step. */
export function kinetoEvents(index: number, kernels: number): readonly TraceEvent[] {
  const at = index * STEP;
  const correlate = index * (kernels + 10);
  const gap = (STEP - 3000) / kernels;
  const events: TraceEvent[] = [step(index, at)];
  events.push(
    ...copy({
      call: at + 10,
      start: at + 20,
      duration: 30,
      direction: 'HtoD',
      bytes: 8_388_608,
      correlation: correlate + 1,
    }),
  );
  for (let i = 0; i < kernels; i++) {
    const launch = at + 500 + i * gap;
    events.push({
      ph: 'X',
      cat: 'cpu_op',
      name: 'aten::linear',
      pid: 1,
      tid: 1,
      ts: launch - 5,
      dur: 12,
      args: {
        'External id': i,
        'Call stack': 'train.py(12): <module>;model.py(88): forward;torch/nn/modules/linear.py(116): forward',
        'Input Dims': [[8, 1024, 768], [768, 768], []],
      },
    });
    events.push(
      ...kernel({
        launch,
        start: launch + 20,
        duration: gap / 2,
        name: `gemm_${i % 7}`,
        correlation: correlate + 5 + i,
      }),
    );
  }
  const end = at + STEP - 2000;
  events.push(
    ...copy({
      call: end,
      start: end + 300,
      duration: 400,
      direction: 'DtoH',
      bytes: 134_217_728,
      correlation: correlate + 2,
    }),
  );
  events.push(
    ...copy({
      call: end + 900,
      start: end + 920,
      duration: 400,
      direction: 'HtoD',
      bytes: 134_217_728,
      correlation: correlate + 3,
    }),
  );
  events.push(sync(end + 1400, end + 1500));
  return events;
}
