import type { JsonObject } from '../../base/canonical-json.ts';
import { quoted } from '../../base/text.ts';
import type { Parameters } from '../parameters.ts';
import { wholeFrom } from '../settings.ts';
import { trainingError } from '../training-error.ts';
import type { Attempt, Invariant, Measurement, ProposedLayer } from './invariant.ts';
import { tierOf, tierOfComplexity } from './tiers.ts';

/** What all custom invariants have. */
interface CustomBase {
  /** What logs and certificates call it; not the name of an invariant of pv. */
  readonly name: string;
  /** A whole number ≥ 0: below 10 it is checked at every step, from 10 as the deep checks are. */
  readonly complexity: number;
  /** Whatever the function depends on, so that it becomes part of the certified configuration; `{}` by default. */
  readonly settings?: JsonObject;
}

/**
 * Options of {@link custom}. The function is called at the phase that it names, and returns its comparisons, at least one. It
 * must depend on nothing but its arguments, or the run cannot be replayed.
 */
export type CustomOptions = CustomBase &
  (
    | {
        /** Before an update is computed: loss, gradients and the weights before the step. */
        readonly phase: 'before';
        readonly check: (attempt: Attempt) => readonly Measurement[];
      }
    | {
        /** For each layer as the step would leave it. */
        readonly phase: 'layer';
        readonly check: (proposed: ProposedLayer, attempt: Attempt) => readonly Measurement[];
      }
    | {
        /** All weights as the step would leave them. */
        readonly phase: 'after';
        readonly check: (proposed: Parameters, attempt: Attempt) => readonly Measurement[];
      }
  );

/** An invariant that a function of the caller's decides: the certificate says so of every number that it measures. */
export function custom(options: CustomOptions): Invariant {
  const { name, complexity, phase, settings = {} } = options;
  wholeFrom(0, 'complexity', complexity);
  if (name === '' || name === 'Finite' || Object.hasOwn(tierOf, name))
    throw trainingError({
      code: 'PV-8403',
      check: 'settings',
      message: `name is ${quoted(name)}; it must be a name that no invariant of pv has.`,
    });
  return {
    name,
    settings: { kind: 'Custom', complexity, phase, ...settings },
    tier: tierOfComplexity(complexity),
    evidence: { class: 'external' },
    start() {
      if (options.phase === 'before') return { before: (attempt) => some(name, options.check(attempt)) };
      if (options.phase === 'layer')
        return { layer: (proposed, attempt) => some(name, options.check(proposed, attempt)) };
      return { model: (proposed, attempt) => some(name, options.check(proposed, attempt)) };
    },
  };
}

/** A function that compares nothing would count as a check that held. */
function some(name: string, measured: readonly Measurement[]): readonly Measurement[] {
  return measured.length > 0 ? measured : [{ what: `${name} compared nothing`, value: NaN, is: 'at least', bound: 0 }];
}
