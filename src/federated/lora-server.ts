/** The step of the server's optimizer at the end of a round, and its state as a file that every node computes to the same bytes. */
import { present } from '../base/invariant.ts';
import { err, ok, type Result } from '../base/result.ts';
import { firstNonFinite } from '../tensors/float32-bytes.ts';
import { readAdapter, writeAdapter } from './adapter/adapter-file.ts';
import type { StateDict } from './adapter/layout.ts';
import { serverStep, type ServerRule, type ServerState } from './aggregate/server-step.ts';
import type { RoundManifest } from './manifest.ts';

/**
 * The optimizer of a manifest; null for none. Momentum 0.9; for FedAdam β₁ = 0.9, β₂ = 0.99 and τ = 10⁻³, which the paper recommends.
 *
 * Source: Reddi et al. (2021), arXiv:2003.00295, section 5 and appendix D.2.
 */
function ruleOf({ serverOptimizer, serverLearningRate: rate }: RoundManifest): ServerRule | null {
  switch (serverOptimizer) {
    case 'none':
      return null;
    case 'fedavgm':
      return { name: 'fedavgm', rate, momentum: 0.9 };
    case 'fedadam':
      return { name: 'fedadam', rate, beta1: 0.9, beta2: 0.99, epsilon: 1e-3 };
  }
}

/** What a round ends with. */
interface Stepped {
  readonly adapter: StateDict;
  /** Absent without an optimizer. */
  readonly serverState?: Uint8Array;
}

/**
 * The adapter after the server's step from `start` towards `average`, or the average itself without an optimizer. `before` are the bytes
 * of the state that the manifest names. An error, without its full stop, if they are another state's, or the step is not finite.
 */
export function stepServer(
  manifest: RoundManifest,
  start: StateDict,
  average: StateDict,
  before: Uint8Array | null,
): Result<Stepped, string> {
  const rule = ruleOf(manifest);
  if (rule === null) return ok({ adapter: average });
  const state = before === null ? ok(null) : readState(before, start);
  if (!state.ok) return state;
  const { adapter, state: next } = serverStep(rule, start, average, state.value);
  const written = new Map([...prefixed('momentum', next.momentum), ...prefixed('second', next.second)]);
  const isFinite = [...adapter.values(), ...written.values()].every(({ data }) => firstNonFinite(data) < 0);
  return isFinite
    ? ok({ adapter, serverState: writeAdapter(written) })
    : err("the step of the server's optimizer is not finite");
}

const prefixed = (moment: keyof ServerState, tensors: StateDict): StateDict =>
  new Map([...tensors].map(([name, tensor]) => [`${moment}.${name}`, tensor]));

/** Reads a state whose tensors are those of `start`, twice. */
function readState(bytes: Uint8Array, start: StateDict): Result<ServerState, string> {
  const read = readAdapter(bytes);
  if (!read.ok) return read;
  const of = (moment: keyof ServerState): StateDict | null => {
    const tensors = [...start].map(([name, { shape }]) => {
      const tensor = read.value.get(`${moment}.${name}`);
      return tensor?.shape.join() === shape.join() ? ([name, tensor] as const) : null;
    });
    return tensors.includes(null) ? null : new Map(tensors.map((one) => present(one, 'all are there')));
  };
  const [momentum, second] = [of('momentum'), of('second')];
  return momentum === null || second === null || read.value.size !== 2 * start.size
    ? err("the state of the server's optimizer has other tensors than the round")
    : ok({ momentum, second });
}
