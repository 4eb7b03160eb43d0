/**
 * A probe file: what a training run has in memory, as `python/pv_resume_probe.py` writes it at a save and after a resume. It comes from
 * the run, which may leave anything out: what is absent was not recorded, and what is null the run does not have.
 */
import { err, ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import {
  anyNumber,
  count,
  list,
  mapping,
  matching,
  nullable,
  oneOf,
  record,
  text,
  type Decoder,
} from '../../evidence/decoder.ts';

/** A parameter as the optimizer has it. */
interface ProbedParameter {
  /** Null if it is not a parameter of the model. */
  readonly name: string | null;
  readonly shape: readonly number[];
  readonly step: number | null;
  /** SHA-256 of each tensor of its state. */
  readonly state: Readonly<Record<string, string>>;
}

/** A weight or buffer of the model. */
interface ProbedWeight {
  /** As PyTorch names it: `float32`. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** SHA-256 of its bytes in row-major order. */
  readonly digest: string;
}

/** Norms of the gradient of a weight whose first rows must not be trained; null without a gradient. */
export interface ProbedRows {
  /** How many rows. */
  readonly frozen: number;
  readonly frozen_norm: number | null;
  readonly trained_norm: number | null;
}

/** SHA-256 of the state of each random generator; null if its library is not loaded. */
export interface ProbedRandom {
  readonly python: string | null;
  readonly numpy: string | null;
  readonly torch: string | null;
  /** One per device. */
  readonly cuda: readonly string[];
}

/** One probe file. The names are those of the file. */
export interface Probe {
  readonly format: 'pv-resume-probe/1';
  readonly rank: number;
  readonly world_size: number;
  readonly devices?: number | null;
  readonly step?: number | null;
  readonly epoch?: number | null;
  readonly batch_in_epoch?: number | null;
  /** Per device. */
  readonly batch_size?: number | null;
  /** Micro-batches since the last update, and micro-batches per update. */
  readonly accumulation?: { readonly done: number; readonly of: number } | null;
  readonly versions?: Readonly<Record<string, string | null>>;
  readonly random?: ProbedRandom;
  /** Of the modules without children: how many, and the names of those in evaluation mode. */
  readonly modules?: { readonly count: number; readonly training: boolean; readonly eval: readonly string[] };
  readonly weights?: Readonly<Record<string, ProbedWeight>>;
  /** Norms of the second factor of every low-rank adapter, which is zero before training. */
  readonly adapters?: Readonly<Record<string, number>>;
  readonly optimizer?: {
    readonly kind: string;
    readonly groups: readonly {
      /** Null where the optimizer sets its own. */
      readonly learning_rate: number | null;
      readonly parameters: readonly number[];
      /** Hyperparameters, and the members of lists as `betas.0`. */
      readonly settings?: Readonly<Record<string, string | number | boolean>>;
    }[];
    readonly parameters: readonly ProbedParameter[];
  };
  readonly scheduler?: {
    readonly learning_rates: readonly (number | null)[];
    /** The peaks that it starts from; empty if it has none. */
    readonly base_rates?: readonly (number | null)[];
    readonly last_epoch: number | null;
    /** Its own, such as `0.T_max`; those of further schedulers in a chain begin with `1.` and so on. */
    readonly settings?: Readonly<Record<string, string | number | boolean>>;
    /** Whether it steps the optimizer that was probed; null if unknown. */
    readonly drives_optimizer: boolean | null;
  };
  readonly loss_scale?: number | null;
  /** Steps since the scale was last changed. */
  readonly growth?: number | null;
  /** The largest difference between a float32 copy, rounded, and its weight. */
  readonly masters?: Readonly<Record<string, number>>;
  readonly embedding_rows?: number | null;
  readonly tokenizer?: { readonly path: string | null; readonly size: number; readonly digest: string };
  readonly ema?: { readonly step: number | null; readonly digest: string };
  /** Indexes of the samples that come next. */
  readonly next_samples?: readonly number[] | null;
  readonly dataset?: { readonly length: number; readonly digest: string };
  /** Of a few fixed batches, without an update between them. */
  readonly losses?: readonly number[];
  /** SHA-256 of each of these batches. */
  readonly batches?: readonly string[];
  /** Norms after a backward pass of the first batch; null without a gradient. */
  readonly gradients?: Readonly<Record<string, number | null>>;
  readonly rows?: Readonly<Record<string, ProbedRows>>;
  /** Anything else that a resume must restore, such as the counter of early stopping. */
  readonly other?: unknown;
}

const hash = matching(/^[0-9a-f]{64}$/u, 'a SHA-256 of 64 hexadecimal digits');
const truth: Decoder<boolean> = (value, at) =>
  typeof value === 'boolean' ? ok(value) : err(`${at} is not true or false`);
/** A hyperparameter; a number that is not finite is a text. */
const setting: Decoder<string | number | boolean> = (value, at) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? ok(value)
    : err(`${at} is not a text, a number, or true or false`);
const shape = list(count, 64);

const probe: Decoder<Probe> = record<Probe>(
  {
    format: oneOf('pv-resume-probe/1'),
    rank: count,
    world_size: count,
    devices: nullable(count),
    step: nullable(count),
    epoch: nullable(anyNumber),
    batch_in_epoch: nullable(count),
    batch_size: nullable(count),
    accumulation: nullable(record({ done: count, of: count })),
    versions: mapping(nullable(text)),
    random: record<ProbedRandom>({
      python: nullable(hash),
      numpy: nullable(hash),
      torch: nullable(hash),
      cuda: list(hash),
    }),
    modules: record({ count, training: truth, eval: list(text) }),
    weights: mapping(record<ProbedWeight>({ dtype: text, shape, digest: hash })),
    adapters: mapping(anyNumber),
    optimizer: record({
      kind: text,
      groups: list(
        record<NonNullable<Probe['optimizer']>['groups'][number]>(
          { learning_rate: nullable(anyNumber), parameters: list(count), settings: mapping(setting) },
          ['settings'],
        ),
      ),
      parameters: list(
        record<ProbedParameter>({ name: nullable(text), shape, step: nullable(count), state: mapping(hash) }),
      ),
    }),
    scheduler: record<NonNullable<Probe['scheduler']>>(
      {
        learning_rates: list(nullable(anyNumber)),
        base_rates: list(nullable(anyNumber)),
        last_epoch: nullable(count),
        settings: mapping(setting),
        drives_optimizer: nullable(truth),
      },
      ['base_rates', 'settings'],
    ),
    loss_scale: nullable(anyNumber),
    growth: nullable(count),
    masters: mapping(anyNumber),
    embedding_rows: nullable(count),
    tokenizer: record({ path: nullable(text), size: count, digest: hash }),
    ema: record({ step: nullable(count), digest: hash }),
    next_samples: nullable(list(count)),
    dataset: record({ length: count, digest: hash }),
    losses: list(anyNumber),
    batches: list(hash),
    gradients: mapping(nullable(anyNumber)),
    rows: mapping(
      record<ProbedRows>({ frozen: count, frozen_norm: nullable(anyNumber), trained_norm: nullable(anyNumber) }),
    ),
    other: (value) => ok(value),
  },
  [
    'devices',
    'step',
    'epoch',
    'batch_in_epoch',
    'batch_size',
    'accumulation',
    'versions',
    'random',
    'modules',
    'weights',
    'adapters',
    'optimizer',
    'scheduler',
    'loss_scale',
    'growth',
    'masters',
    'embedding_rows',
    'tokenizer',
    'ema',
    'next_samples',
    'dataset',
    'losses',
    'batches',
    'gradients',
    'rows',
    'other',
  ],
);

/** A model has some thousand parameters, and each is a key. */
const mostKeys = 1_000_000;

/** PV-8570 if the text is not a probe. `file` names it. */
export function parseProbe(content: string, file: string): Result<Probe, Problem> {
  const json = parseStrictJson(content, 'probe', mostKeys);
  const decoded = json.ok ? probe(json.value, 'probe') : json;
  return decoded.ok
    ? decoded
    : wrong(
        'PV-8570',
        'probe',
        `${file} is not a probe file: ${decoded.error.replace(/\.$/u, '')}. Write it with python/pv_resume_probe.py.`,
      );
}
