/** Checks a certificate against its ledger, without replaying any step. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonValue } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { encodeBase64 } from '../../notes/base64.ts';
import type { TrainingCertificate } from '../certificate/certificate.ts';
import { holds } from '../invariants/invariant.ts';
import { composeAttestation } from '../ledger/attestation.ts';
import type { LedgerFile } from '../ledger/read-ledger.ts';
import type { StepRecord } from '../ledger/step-record.ts';
import { createTally } from '../ledger/tally.ts';
import { isObject } from '../run/model-and-data.ts';
import { checkBounds } from './check-bounds.ts';

/**
 * Checks that root, counts, violations and the composed attestation match the certificate, that each step starts from the weights
 * that the previous step left, that each verdict follows from its comparisons, and that their bounds match the configuration.
 *
 * PV-8410 names what differs, and the step if there is one.
 */
export function checkLedger(certificate: TrainingCertificate, ledger: LedgerFile): Result<null, Problem> {
  const { records } = ledger;
  const chain = checkChain(certificate, ledger);
  if (!chain.ok) return chain;
  for (const record of records) {
    const verdict = checkVerdict(certificate, record);
    if (!verdict.ok) return verdict;
  }
  const bounds = checkBounds(certificate.config, records);
  if (!bounds.ok) return bounds;
  const asked = isObject(certificate.config['run']) ? certificate.config['run']['steps'] : null;
  if (certificate.origin === 'replayable' && !(Number(asked) >= records.length))
    return differs(
      'The ledger has more steps than the run file asks for.',
      canonicalJson(asked ?? null),
      String(records.length),
    );
  const told = toldBy(certificate, ledger);
  for (const [name, expected] of Object.entries(told)) {
    const found: unknown = Object.entries(certificate).find(([key]) => key === name)?.[1];
    // Both sides are JSON values: one was read from JSON, the other will be written to it.
    if (canonicalJson(found as JsonValue) !== canonicalJson(expected))
      return differs(
        `The certificate's ${name} does not match its ledger.`,
        canonicalJson(expected),
        canonicalJson(found as JsonValue),
      );
  }
  return checkStats(certificate, records);
}

/** The parts of a certificate that its ledger determines. */
function toldBy(certificate: TrainingCertificate, ledger: LedgerFile): Readonly<Record<string, JsonValue>> {
  const { records, root, last, config } = ledger;
  const tally = createTally();
  for (const record of records) tally.add(record);
  const leaves = records.length + 1;
  const attestation = composeAttestation({ root, leaves, last, config, comparisons: tally.comparisons() });
  return {
    ledger: { leaves, root: bytesToHex(root) },
    totalSteps: records.length,
    ...tally.counts(),
    violationList: tally.violations().map((violation) => ({ ...violation })),
    finalLoss: tally.finalLoss(),
    finalCoherence: tally.finalCoherence(),
    initialWeights: ledger.initial,
    attestation: encodeBase64(attestation),
    configDigest: { ...certificate.configDigest, blake3: bytesToHex(config) },
  };
}

function checkChain({ weights, origin }: TrainingCertificate, { initial, records }: LedgerFile): Result<null, Problem> {
  let now: string | null = initial;
  const text = (digest: string | null): string => digest ?? 'no digest';
  for (const { step, verdict, before, after } of records) {
    if (before !== now)
      return differs(
        `Step ${step} does not start from the weights that the previous step left.`,
        text(now),
        text(before),
        step,
      );
    if (after === null && origin !== 'recorded')
      return differs(`Step ${step} has no digest of its weights.`, 'a digest', text(after), step);
    if (verdict === 'refused' && after !== before)
      return differs(`Step ${step} was refused, but its weights changed.`, text(before), text(after), step);
    now = after;
  }
  return now === weights.sha256
    ? ok(null)
    : differs('The weights after the last step do not match the certificate.', weights.sha256, text(now));
}

/**
 * A step with a failed comparison must be refused, overridden if the configuration allows it, or in the warm-up. A trainer outside pv
 * may refuse a step where pv would have allowed it.
 */
function checkVerdict({ config, origin }: TrainingCertificate, record: StepRecord): Result<null, Problem> {
  const { step, verdict, warmup, measured } = record;
  const failed = measured.some((one) => !holds(one));
  const notFinite = measured.some((one) => one.invariant === 'Finite' && !holds(one));
  const inWarmup = step <= Number(config['warmup_steps']);
  const tolerated = inWarmup ? 'committed' : config['allow_override'] === true ? 'overridden' : 'refused';
  const mustRefuse = notFinite || (origin === 'recorded' && verdict === 'refused');
  const expected = !failed ? 'committed' : mustRefuse ? 'refused' : tolerated;
  if (verdict !== expected)
    return differs(`The verdict of step ${step} does not follow from its comparisons.`, expected, verdict, step);
  return warmup === (failed && verdict === 'committed')
    ? ok(null)
    : differs(`The warm-up flag of step ${step} is wrong.`, String(!warmup), String(warmup), step);
}

/** Checks the list of invariants against the configuration, and the counts of each against the ledger. */
function checkStats(
  { config, invariantStats }: TrainingCertificate,
  records: readonly StepRecord[],
): Result<null, Problem> {
  const configured = canonicalJson(config['invariants'] ?? null);
  const listed = canonicalJson(invariantStats.map(({ name, settings }) => ({ name, settings })));
  if (listed !== configured)
    return differs('The invariants in the certificate do not match its configuration.', configured, listed);
  for (const { name, checks, satisfied, overridden, tierDistribution } of invariantStats) {
    const found = { checks: 0, satisfied: 0, overridden: 0 };
    for (const { verdict, measured } of records) {
      const own = measured.filter((one) => one.invariant === name);
      if (own.length === 0) continue;
      const held = own.every(holds);
      found.checks += 1;
      found.satisfied += held ? 1 : 0;
      found.overridden += !held && verdict !== 'refused' ? 1 : 0;
    }
    const said = { checks, satisfied, overridden };
    if (canonicalJson(said) !== canonicalJson(found))
      return differs(
        `The certificate's counts of ${name} do not match its ledger.`,
        canonicalJson(found),
        canonicalJson(said),
      );
    if (tierDistribution.reduce((sum, n) => sum + n, 0) !== checks)
      return differs(`The tiers of ${name} do not add up to its checks.`, String(checks), tierDistribution.join(' + '));
  }
  return ok(null);
}

function differs(message: string, expected: string, actual: string, position?: number): Result<never, Problem> {
  return wrong('PV-8410', 'ledger', message, { expected, actual, ...(position === undefined ? {} : { position }) });
}
