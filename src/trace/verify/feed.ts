/**
 * What an engine computes for a trace when fed with the recorded tokens: in blocks, as far as these are known in advance.
 */
import type { Engine } from '../engine/engine.ts';
import { tokenProblem } from '../engine/range.ts';
import { firstNonFinite } from '../../tensors/float32-bytes.ts';
import type { Step } from '../format/trace.ts';
import type { Problem } from '../../base/problem.ts';

/** A position of a trace. */
export interface Place {
  readonly position: number;
  /** Null in a gap. */
  readonly step: Step | null;
  /** What the trace says about the token at the next position; null if it says nothing. */
  readonly claimed: number | null;
}

/** Logits hold until the next is requested. */
export interface FedPlace {
  readonly place: Place;
  readonly fed: Problem | { readonly logits: Float32Array };
}

/** A place, and the token that is fed in there. */
interface Known {
  readonly place: Place;
  readonly token: number;
}

/**
 * Feeds the `places`, which are consecutive from position 0, and yields each with its logits, or with the reason for their
 * absence: PV-8012 (the model has no such token or position), PV-8013 (not finite), PV-8068 (the token is unknown). The engine
 * may be ahead of what has been yielded. `following`, the token after the last yielded one, is called if neither a step nor the
 * prompt has it.
 */
export function* feedPlaces(
  engine: Engine,
  places: Iterable<Place>,
  prompt: readonly number[] | null,
  following: () => number | null,
): Generator<FedPlace, void, void> {
  const most = engine.block?.positions ?? 1;
  const known: Known[] = [];
  for (const place of places) {
    const { position, step } = place;
    const recorded = step?.inputToken ?? prompt?.[position] ?? null;
    if (recorded === null || known.length === most) yield* feedKnown(engine, known.splice(0));
    const token = recorded ?? following();
    const problem = token === null ? unbridgeable(position) : tokenProblem(engine.config, token, position);
    if (token !== null && problem === null) known.push({ place, token });
    else {
      yield* feedKnown(engine, known.splice(0));
      yield { place, fed: problem ?? unbridgeable(position) };
    }
  }
  yield* feedKnown(engine, known);
}

function* feedKnown({ block, forward }: Engine, known: readonly Known[]): Generator<FedPlace, void, void> {
  const [first] = known;
  if (first === undefined) return;
  const tokens = known.map(({ token }) => token);
  const together = block && known.length > 1 ? block.forward(tokens, first.place.position) : null;
  for (const [i, { place, token }] of known.entries()) {
    yield { place, fed: finite(together?.[i] ?? forward(token, place.position), place.position) };
  }
}

function finite(logits: Float32Array, position: number): FedPlace['fed'] {
  const bad = firstNonFinite(logits);
  if (bad < 0) return { logits };
  const message = `At position ${position} this engine computes ${logits[bad]} as the logit of token ${bad}: nothing can be compared with it.`;
  const details = { position, expected: 'a finite number', actual: String(logits[bad]) };
  return { code: 'PV-8013', check: 'finite logits', message, ...details };
}

const unbridgeable = (position: number): Problem => ({
  code: 'PV-8068',
  check: 'gap',
  message: `The token fed in at position ${position} was not recorded, and the sampler cannot be run again to find it: nothing after it can be replayed.`,
  position,
});
