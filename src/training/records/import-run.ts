/**
 * Makes a ledger and a certificate from the step records of another trainer. The steps were taken, so none can be refused: a step
 * that broke an invariant is `overridden`, or `refused` if the trainer itself left the weights unchanged.
 */
import { blake3 } from '@noble/hashes/blake3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonObject } from '../../base/canonical-json.ts';
import { present } from '../../base/invariant.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { sha256 } from '../../merkle/sha256.ts';
import type { TrainingCertificate } from '../certificate/certificate.ts';
import { digestsOf, sealRun } from '../certificate/seal.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { createLedger } from '../ledger/ledger.ts';
import { createTally } from '../ledger/tally.ts';
import { layersByPrefix } from '../parameters.ts';
import { createGate } from '../trainer/gate.ts';
import { checkRecords } from './check-records.ts';
import { readFinalWeights } from './final-weights.ts';
import { createJudge } from './judge.ts';
import { readRecords, type StepRecords } from './read-records.ts';

/** The files and settings of an import. */
export interface ImportInput {
  readonly records: Uint8Array;
  /** A safetensors file with the final weights. */
  readonly weights: Uint8Array;
  readonly invariants: readonly Invariant[];
  /** Number of initial steps in which failed comparisons count as tolerated. */
  readonly warmupSteps: number;
}

/** An imported run. */
export interface ImportedRun {
  readonly certificate: TrainingCertificate;
  /** The lines of the ledger, each with its newline. */
  readonly ledger: readonly string[];
}

/** Reads, checks and judges the records; PV-8330 to PV-8341 say why there can be no certificate. */
export function importRun(input: ImportInput): Result<ImportedRun, Problem> {
  const { invariants } = input;
  const gate = createGate(invariants, 1, { anchorNorms: () => [], taskOf: () => 0 });
  const blind = gate.checks.find(({ checks }) => checks.recorded === undefined);
  if (blind !== undefined)
    return wrong(
      'PV-8341',
      'invariants',
      `Step records cannot show ${blind.name}: they have no weights to measure, and no step can be slowed down. Use LossStabilityBound, WeightNormBound, or EnergyGate with rate_factor 1.`,
    );
  const read = readRecords(input.records);
  if (!read.ok) return read;
  const records = read.value;
  const final = readFinalWeights(input.weights, records);
  if (!final.ok) return final;
  const checked = checkRecords(records, final.value);
  if (!checked.ok) return checked;

  const config = configOf(records, input);
  const configDigest = blake3(utf8ToBytes(canonicalJson(config)));
  const lines: string[] = [];
  const ledger = createLedger({ config: configDigest, initial: records.header.digest }, (line) => lines.push(line));
  const tally = createTally();
  const judge = createJudge({ records, final: final.value, gate, warmupSteps: input.warmupSteps });
  for (const step of records.steps) {
    const record = judge(step);
    if (!record.ok) return record;
    ledger.append(record.value);
    tally.add(record.value);
  }
  const [name = '', version = ''] = records.header.trainer;
  const certificate = sealRun(
    {
      config,
      configDigest,
      tally,
      ledger,
      initial: records.header.digest,
      weights: digestsOf(input.weights),
      stats: gate.stats(),
      invariants,
      origin: 'recorded',
    },
    { code: { name, version, digest: null } },
  );
  return ok({ certificate, ledger: lines });
}

/** The certified configuration. The digest of the records lets anyone who has them repeat the import and compare every byte. */
function configOf({ header }: StepRecords, { records, invariants, warmupSteps }: ImportInput): JsonObject {
  const { parameters, shapes } = header;
  return {
    invariants: invariants.map(({ name, settings }) => ({ name, settings })),
    expensive_check_interval: 1,
    warmup_steps: warmupSteps,
    allow_override: true,
    parameters: Object.fromEntries(parameters.map((name, i) => [name, [...present(shapes[i], 'a shape per name')]])),
    layers: Object.fromEntries(
      layersByPrefix(parameters.map((name) => ({ name }))).map(({ name, members }) => [
        name,
        members.map((i) => present(parameters[i], 'a member is a parameter')),
      ]),
    ),
    run: { records: bytesToHex(sha256(records)) },
  };
}
