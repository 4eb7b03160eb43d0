/** The invariants by which an import judges recorded steps: a file like the run files of `pv train`, without model and data. */
import type { JsonObject } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { list, oneOf, record, type Decoder } from '../../evidence/decoder.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { whole } from '../run/fields.ts';
import { invariant, type MakeInvariant } from '../run/parts.ts';
import type { Task } from '../run/task.ts';
import { isTrainingError } from '../training-error.ts';

const invariantsFormat = 'pv-training-invariants/1';

interface InvariantsFile {
  readonly format: typeof invariantsFormat;
  readonly invariants: readonly MakeInvariant[];
  readonly warmup_steps?: number;
}

const file: Decoder<InvariantsFile> = record<InvariantsFile>(
  {
    format: oneOf(invariantsFormat),
    invariants: list(invariant, 100),
    warmup_steps: whole(0, Number.MAX_SAFE_INTEGER),
  },
  ['warmup_steps'],
);

/** Stands for the model, which invariants of run files may ask for. The import refuses those that do, since no record shows them. */
const nothing = { loss: NaN, gradients: {} };
const noModel: Task = {
  initial: () => ({}),
  lossAndGradients: () => nothing,
  equivariance: { nodes: 1, forward: () => new Float32Array() },
  samples: { count: 0, at: () => [], lossAndGradients: () => nothing },
  sequence: [],
  certifyRobustness: null,
  manifest: new Uint8Array(),
};

/** What the file asks for. */
export interface Judgement {
  readonly invariants: readonly Invariant[];
  readonly warmupSteps: number;
}

/** Reads an invariants file; the message of PV-8342 begins with the key at fault, such as `file.invariants[0]`. */
export function readInvariants(document: JsonObject): Result<Judgement, Problem> {
  try {
    const decoded = file(document, 'file');
    if (!decoded.ok) return wrong('PV-8342', 'invariants file', `${decoded.error}.`);
    const { invariants, warmup_steps: warmupSteps = 0 } = decoded.value;
    const made = invariants.map((make) => make(noModel));
    const names = made.map(({ name }) => name);
    const twice = names.findIndex((name, i) => names.indexOf(name) < i);
    if (twice >= 0) return wrong('PV-8342', 'invariants file', `file.invariants[${twice}] repeats ${names[twice]}.`);
    return ok({ invariants: made, warmupSteps });
  } catch (error) {
    if (isTrainingError(error)) return wrong(error.problem.code, error.problem.check, error.problem.message);
    throw error;
  }
}
