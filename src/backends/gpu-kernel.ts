/**
 * Kernels on a graphics device, through gpu.js: the same text as on every other backend, checked on what really ran.
 */
import { invariant } from '../base/invariant.ts';
import type { DeviceChoice } from '../subject/gpu-device.ts';
import { arithmeticOf, type GpuBackendId } from '../subject/kernel.ts';
import type { Backend, KernelCall, KernelFailure, KernelOutcome, KernelProgram, Opened } from './backend.ts';
import { elementsOf, misfit, unsupported } from './check-call.ts';
import { cutLoop } from './gpujs.ts';
import type { Connect } from './gpu-link.ts';
import type { SessionCall, SessionOutcome, SessionReply } from './gpu-session.ts';
import { sessionsOf, type Join, type SharedSession } from './gpu-sessions.ts';
import { lostDevice, troubleOf } from './gpu-trouble.ts';
import { openShaderKernel } from './wgsl/shader-kernel.ts';

/** A backend whose devices `connect` finds. */
export function gpuBackend(id: GpuBackendId, connect: Connect): Backend {
  const join = sessionsOf(id, connect);
  return { id, arithmetic: arithmeticOf[id], open: (program, choice) => openGpu(id, join, program, choice ?? 'any') };
}

let nextKernel = 1;

async function openGpu(id: GpuBackendId, join: Join, program: KernelProgram, choice: DeviceChoice): Promise<Opened> {
  if (program.language === 'wgsl') return openShaderKernel(id, join, program, choice);
  if (program.language !== 'gpu.js')
    return { ok: false, failure: unsupported(`${program.name} is a plain function, which runs on no device`) };
  const joined = await join(choice);
  if (!joined.ok) return { ok: false, failure: { kind: 'device', trouble: joined.trouble } };
  const { session } = joined;
  const kernel = nextKernel++;
  const reply = await session.ask({
    kind: 'open',
    kernel,
    source: program.source,
    loopMaxIterations: program.loopMaxIterations,
  });
  if (reply.kind !== 'opened') {
    session.release();
    return { ok: false, failure: failureOf(id, reply) };
  }
  return {
    ok: true,
    kernel: {
      ran: { backend: id, device: session.device, arithmetic: arithmeticOf[id] },
      runSync: null,
      run: (calls) => runAll({ id, session, kernel, program }, calls),
      close: async () => {
        await session.ask({ kind: 'close', kernel });
        session.release();
      },
    },
  };
}

interface Running {
  readonly id: GpuBackendId;
  readonly session: SharedSession;
  readonly kernel: number;
  readonly program: KernelProgram;
}

/** All calls in one message: a round trip to a browser costs as much as dozens of small kernels. */
async function runAll(
  { id, session, kernel, program }: Running,
  calls: readonly KernelCall[],
): Promise<readonly KernelOutcome[]> {
  const refused = calls.map((call): KernelOutcome | null => {
    const failure = misfit(program, call) ?? cutLoop(program, call);
    if (failure) return { ok: false, failure };
    return elementsOf(call.outputShape) === 0 ? { ok: true, output: new Float32Array(0) } : null;
  });
  const wanted = calls.filter((_, i) => refused[i] === null);
  if (wanted.length === 0) return refused.filter((outcome) => outcome !== null);
  const reply = await session.ask({ kind: 'run', kernel, calls: wanted.map(toSession) });
  if (reply.kind !== 'outcomes') {
    const failure = failureOf(id, reply);
    return refused.map((outcome) => outcome ?? { ok: false, failure });
  }
  let at = 0;
  return calls.map((call, i) => refused[i] ?? outcomeOf(reply.outcomes[at++], call));
}

/** gpu.js expects the fastest axis first; a scalar output is one thread. */
function toSession({ arguments: values, shapes, outputShape }: KernelCall): SessionCall {
  return {
    output: outputShape.length === 0 ? [1] : outputShape.toReversed(),
    values: values.map((value, i) => {
      if (typeof value === 'number') return value;
      invariant(typeof value === 'object', 'a call that gives a gpu.js kernel a string is a misfit');
      const data = value instanceof Float32Array ? value : Float32Array.from(value);
      return { data, size: (shapes[i] ?? []).toReversed() };
    }),
  };
}

function outcomeOf(outcome: SessionOutcome | undefined, { outputShape }: KernelCall): KernelOutcome {
  if (!outcome) return { ok: false, failure: { kind: 'threw', message: 'the device gave no answer to this call' } };
  if (outcome.ok) return { ok: true, output: outcome.output };
  if (outcome.kind === 'threw') return { ok: false, failure: { kind: 'threw', message: outcome.message } };
  return { ok: false, failure: { kind: 'wrong-shape', expected: outputShape, actual: outcome.actual } };
}

function failureOf(id: GpuBackendId, reply: SessionReply): KernelFailure {
  switch (reply.kind) {
    case 'problem':
      return { kind: 'device', trouble: troubleOf(id, reply.problem) };
    case 'refused':
      return { kind: 'threw', message: reply.message };
    default:
      return { kind: 'device', trouble: lostDevice(id, `it answered with ${reply.kind}`) };
  }
}
