import type { JsonObject } from '../../base/canonical-json.ts';
import { quoted } from '../../base/text.ts';
import { hasControls, printable, type Parameters } from '../parameters.ts';
import { wholeFrom } from '../settings.ts';
import { trainingError } from '../training-error.ts';
import type { Attempt, Invariant, Measurement, ProposedLayer } from './invariant.ts';
import { tierOf, tierOfComplexity } from './tiers.ts';

/** Options that all custom invariants share. */
interface CustomBase {
  /** Its name in logs and certificates; must differ from the names of pv's own invariants. */
  readonly name: string;
  /** A whole number ≥ 0. Below 10, it is checked at every step; from 10, with the deep checks. */
  readonly complexity: number;
  /** The parameters of the function, recorded in the certified configuration; `{}` by default. */
  readonly settings?: JsonObject;
}

/**
 * Options of {@link custom}. The function is called at the given phase and returns one or more comparisons. It must depend only on
 * its arguments, or the run cannot be replayed.
 */
export type CustomOptions = CustomBase &
  (
    | {
        /** Before an update is computed: loss, gradients and the weights before the step. */
        readonly phase: 'before';
        readonly check: (attempt: Attempt) => readonly Measurement[];
      }
    | {
        /** For each layer, with its proposed weights. */
        readonly phase: 'layer';
        readonly check: (proposed: ProposedLayer, attempt: Attempt) => readonly Measurement[];
      }
    | {
        /** All proposed weights. */
        readonly phase: 'after';
        readonly check: (proposed: Parameters, attempt: Attempt) => readonly Measurement[];
      }
  );

/** An invariant decided by the caller's function. The certificate marks its measurements as external evidence. */
export function custom(options: CustomOptions): Invariant {
  const { name, complexity, phase, settings = {} } = options;
  wholeFrom(0, 'complexity', complexity);
  if (hasControls(name))
    throw trainingError({
      code: 'PV-8403',
      check: 'settings',
      message: `name is ${printable(name)}; it must not contain control or invisible formatting characters.`,
    });
  if (name === '' || name === 'Finite' || Object.hasOwn(tierOf, name))
    throw trainingError({
      code: 'PV-8403',
      check: 'settings',
      message: `name is ${quoted(name)}; it must not be empty or the name of one of pv's own invariants.`,
    });
  return {
    name,
    settings: { kind: 'Custom', complexity, phase, ...settings },
    tier: tierOfComplexity(complexity),
    evidence: { class: 'external' },
    start() {
      if (options.phase === 'before') return { before: (attempt) => some(name, options.check(copyOf(attempt))) };
      if (options.phase === 'layer')
        return {
          layer: ({ layer, weights }, attempt) =>
            some(name, options.check({ layer, weights: weights.map((one) => one.slice()) }, copyOf(attempt))),
        };
      return { model: (proposed, attempt) => some(name, options.check(copiesOf(proposed), copyOf(attempt))) };
    },
  };
}

const copiesOf = (parameters: Parameters): Parameters =>
  parameters.map((parameter) => ({ ...parameter, data: parameter.data.slice() }));

/** What the caller's function gets: it may write to its copies, and no step depends on them. */
const copyOf = (attempt: Attempt): Attempt => ({
  ...attempt,
  gradients: attempt.gradients.map((gradient) => gradient.slice()),
  parameters: copiesOf(attempt.parameters),
});

/** Whether a value from JavaScript is a comparison: `is: 'At most'` would be read as `at least`. */
function isMeasurement(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { what, value: measured, is, bound }: Readonly<Record<string, unknown>> = { ...value };
  if (typeof what !== 'string' || (is !== 'at most' && is !== 'at least')) return false;
  return typeof measured === 'number' && typeof bound === 'number' && Number.isFinite(bound);
}

/** Without this, a function that compares nothing would count as a check that passed. */
function some(name: string, measured: readonly Measurement[]): readonly Measurement[] {
  if (!Array.isArray(measured) || !measured.every(isMeasurement)) {
    const message = `${quoted(name)} returned something other than comparisons { what, value, is: 'at most' | 'at least', bound } with finite bounds.`;
    throw trainingError({ code: 'PV-8403', check: 'custom invariant', message });
  }
  return measured.length > 0 ? measured : [{ what: `${name} compared nothing`, value: NaN, is: 'at least', bound: 0 }];
}
