/** What a ledger must say for its certificate to be true, as far as that shows without the data. */
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
import { checkBounds } from './check-bounds.ts';

/**
 * Root, counts, violations and the composed attestation are those of the certificate; the weights of each step are those that the
 * step before left; each verdict follows from its comparisons; their bounds are those of the configuration.
 *
 * PV-8410 names what differs, and the step where there is one.
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
  const told = toldBy(certificate, ledger);
  for (const [name, expected] of Object.entries(told)) {
    const found: unknown = Object.entries(certificate).find(([key]) => key === name)?.[1];
    // Both sides are JSON: one was read from it, the other is made for it.
    if (canonicalJson(found as JsonValue) !== canonicalJson(expected))
      return differs(
        `The certificate's ${name} is not that of its ledger.`,
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

function checkChain({ weights }: TrainingCertificate, { initial, records }: LedgerFile): Result<null, Problem> {
  let now = initial;
  for (const { step, verdict, before, after } of records) {
    if (before !== now)
      return differs(`Step ${step} begins with other weights than the step before left.`, now, before, step);
    if (verdict === 'refused' && after !== before)
      return differs(`Step ${step} was refused, and its weights changed all the same.`, before, after, step);
    now = after;
  }
  return now === weights.sha256
    ? ok(null)
    : differs('The last step does not leave the weights of the certificate.', weights.sha256, now);
}

/** A step with a failed comparison is refused, overridden where the configuration allows it, or one of the warm-up. */
function checkVerdict({ config }: TrainingCertificate, record: StepRecord): Result<null, Problem> {
  const { step, verdict, warmup, measured } = record;
  const failed = measured.some((one) => !holds(one));
  const notFinite = measured.some((one) => one.invariant === 'Finite' && !holds(one));
  const inWarmup = step <= Number(config['warmup_steps']);
  const tolerated = inWarmup ? 'committed' : config['allow_override'] === true ? 'overridden' : 'refused';
  const expected = !failed ? 'committed' : notFinite ? 'refused' : tolerated;
  if (verdict !== expected)
    return differs(`The comparisons of step ${step} do not lead to its verdict.`, expected, verdict, step);
  return warmup === (failed && verdict === 'committed')
    ? ok(null)
    : differs(`Step ${step} says wrongly whether it failed during the warm-up.`, String(!warmup), String(warmup), step);
}

/** The invariants are those of the configuration, and how often each was checked, held and was overridden. */
function checkStats(
  { config, invariantStats }: TrainingCertificate,
  records: readonly StepRecord[],
): Result<null, Problem> {
  const configured = canonicalJson(config['invariants'] ?? null);
  const listed = canonicalJson(invariantStats.map(({ name, settings }) => ({ name, settings })));
  if (listed !== configured)
    return differs('The certificate lists other invariants than its configuration.', configured, listed);
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
        `The certificate's counts of ${name} are not those of its ledger.`,
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
