import { inputKinds, type Input, type Inputs } from '../host/inputs/input.ts';
import type { Result } from '../base/result.ts';
import {
  anyNumber,
  count,
  finite,
  list,
  mapping,
  matching,
  nullable,
  oneOf,
  record,
  text,
  type Decoder,
} from './decoder.ts';
import type {
  AssumedRecord,
  CasesBeyond,
  CombinationsRun,
  Counterexample,
  KernelThere,
  OverReals,
  LargeRun,
  MethodId,
  MostAllowed,
  MutantOutcome,
  ProofRecord,
  Receipt,
  RecordedInput,
  StatisticRecord,
  WorstCase,
} from './receipt.ts';
import { verdicts } from './verdict.ts';

const digest = matching(/^sha256:[0-9a-f]{64}$/, 'a sha256 digest');
const methods: readonly MethodId[] = [
  'types',
  'falsify',
  'property',
  'statistical',
  'reals',
  'controls',
  'soundness',
  'adequacy',
  'bounded',
];

/** The format and its bytes in hexadecimal, as `valueHex` of the runtime writes them; no bytes for an empty tensor. */
const hex = matching(/^(?:f32|f64|i32|number|utf8):(?:[0-9a-f]{2})*$/, 'a format and hexadecimal');

/** Decodes the input of a failing case. */
export const recordedInput: Decoder<RecordedInput> = record<RecordedInput>({
  sizes: mapping(finite),
  values: mapping(record({ hex, text })),
});

const worstCase = record<WorstCase>({ error: anyNumber, allowed: anyNumber, ratio: anyNumber, input: recordedInput });

const counterexample = record<Counterexample>(
  {
    input: recordedInput,
    explanation: text,
    shrinks: count,
    outputs: list(text),
    kernel: nullable(record<KernelThere>({ outputs: list(text), broken: nullable(text) })),
    overReals: record<OverReals>({
      verdict: oneOf('false', 'true', 'open'),
      why: nullable(text),
      largest: nullable(
        record<NonNullable<OverReals['largest']>>({ of: oneOf('tolerance', 'exact'), error: anyNumber }),
      ),
    }),
  },
  ['kernel', 'overReals'],
);

const statistic = record<StatisticRecord>({
  comparison: text,
  statistic: oneOf('mean', 'variance', 'probability'),
  relation: oneOf('≈', '≤', '≥'),
  intervals: count,
  within: count,
  outside: count,
  worst: record<StatisticRecord['worst']>({
    estimate: anyNumber,
    low: anyNumber,
    high: anyNumber,
    target: anyNumber,
    allowed: nullable(anyNumber),
    element: count,
    alpha: finite,
    input: recordedInput,
  }),
});

const separatingOutputs = record<NonNullable<MutantOutcome['separatingOutputs']>>(
  { right: nullable(text), wrong: text, kernel: text },
  ['kernel'],
);

const mutantOutcome = record<MutantOutcome>({
  mutant: text,
  killedBy: list(text),
  killedByOrdinary: list(text),
  equivalent: nullable(text),
  separatingInput: nullable(recordedInput),
  separatingOutputs: nullable(separatingOutputs),
});

const proof = record<ProofRecord>(
  {
    harness: text,
    strategy: text,
    about: oneOf('float32 code', 'code over the reals', 'formula'),
    bound: count,
    scope: text,
    inPart: nullable(text),
    instances: count,
    statements: count,
    proved: count,
    conditions: count,
    safe: count,
    engines: list(record<ProofRecord['engines'][number]>({ engine: text, version: text, proved: count })),
    axioms: list(text),
    witness: nullable(recordedInput),
    refuted: nullable(record<NonNullable<ProofRecord['refuted']>>({ mutant: text, input: recordedInput })),
    open: list(text),
    assumed: list(record<AssumedRecord>({ goal: text, harness: text, check: digest, scope: text })),
  },
  ['assumed'],
);

/** What a check's functions read. */
export const inputs = record<Inputs>({
  closed: list(record<Input>({ kind: oneOf(...inputKinds), name: text, answer: text })),
  open: list(text),
});

const receipt = record<Receipt>(
  {
    schema: oneOf('pv.receipt/1'),
    check: digest,
    goal: text,
    goalDigest: text,
    method: oneOf(...methods),
    subject: record<Receipt['subject']>({ kind: oneOf('kernel', 'equation', 'contract'), name: text, hash: text }),
    backend: record<Receipt['backend']>({ id: text, device: text, arithmetic: oneOf('f32', 'f64', 'decimal') }),
    generator: record<Receipt['generator']>({ name: text, version: count, seed: finite }),
    declaredCases: count,
    cases: count,
    filtered: count,
    premiseHits: count,
    verdict: oneOf(...verdicts),
    worst: nullable(worstCase),
    counterexample: nullable(counterexample),
    statistics: nullable(list(statistic)),
    mutants: nullable(list(mutantOutcome)),
    proof: nullable(proof),
    reason: nullable(text),
    restsOn: mapping(digest),
    tool: record<Receipt['tool']>({ name: oneOf('pv'), version: text, node: text }),
    timing: record<Receipt['timing']>({ elapsedMs: finite }),
    inputs,
    beyond: record<CasesBeyond>({ cases: count, open: count }),
    combinations: record<CombinationsRun>({ run: count, all: nullable(count) }),
    boundaries: count,
    literals: count,
    large: list(record<LargeRun>({ sizes: mapping(count), cases: count })),
    equalTo: count,
    mostAllowed: list(record<MostAllowed>({ goal: text, sizes: mapping(finite), caught: nullable(text) })),
  },
  ['inputs', 'beyond', 'combinations', 'boundaries', 'literals', 'large', 'equalTo', 'mostAllowed'],
);

/** The receipt that `value` (parsed JSON) holds, or the first fault in it. */
export function decodeReceipt(value: unknown): Result<Receipt, string> {
  return receipt(value, 'receipt');
}
