/** Replays a whole run, and compares its ledger, if there is one, line by line and its certificate key by key. */
import type { JsonValue } from '../../base/canonical-json.ts';
import { jsonDifferences } from '../../base/json-differences.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { TrainingCertificate } from '../certificate/certificate.ts';
import type { CompactedLedger } from '../ledger/compact.ts';
import { divergenceOf } from '../ledger/divergence.ts';
import { readLedger, recordOfLine, type LedgerFile } from '../ledger/read-ledger.ts';
import type { Run } from '../run/run-file.ts';
import { train } from '../run/train.ts';
import { divergingStep } from './diverging-step.ts';

/**
 * The number of steps replayed bit for bit; PV-8412 names the first step, or the key of the certificate, that differs. Only the
 * version of pv is not compared.
 */
export async function trainAgain(
  run: Run,
  certificate: TrainingCertificate,
  ledger: LedgerFile | CompactedLedger,
): Promise<Result<number, Problem>> {
  const total = certificate.totalSteps;
  const whole = 'records' in ledger ? ledger : null;
  // Whatever a compacted ledger lacks must be compared at the end.
  const replayed: string[] = [];
  let taken = -1;
  let divergence: { readonly step: number; readonly line: string } | null = null;
  const again = await train(run, {
    ledger(line) {
      taken += 1;
      if (whole === null) replayed.push(line);
      else if (divergence === null && `${whole.lines[taken]}\n` !== line) divergence = { step: taken, line };
    },
    checkpoint: () => Promise.resolve(),
    progress: ({ step }) => Promise.resolve(divergence !== null || step >= total),
  });
  // The compiler does not see that the sink assigns it.
  const found: { readonly step: number; readonly line: string } | null = divergence;
  if (found !== null) return diverges(found, whole?.lines ?? []);
  if (!('records' in ledger)) {
    const parted = partedFromCompacted(replayed, ledger);
    if (parted !== null) return parted;
  }
  if (taken < total)
    return wrong('PV-8412', 'replay', `The replay ends after step ${taken}, but the certificate has ${total} steps.`);
  return compareCertificates(certificate, again.certificate, total);
}

/** Where a replay parts from a compacted ledger, as narrowly as the proofs in it allow; null if it does not. */
function partedFromCompacted(replayed: readonly string[], ledger: CompactedLedger): Result<never, Problem> | null {
  const again = readLedger(replayed.join(''));
  if (!again.ok) return again;
  const divergence = divergenceOf(ledger, again.value);
  if (divergence === null) return null;
  const { same, differs } = divergence;
  const where =
    same === 0
      ? `a step up to step ${differs}`
      : `the first ${same - 1} steps are the same, and one of the steps ${same} to ${differs} differs`;
  const message = `Replaying gives a ledger that differs from the compacted one: ${where}; the lines between were compacted away.`;
  return wrong('PV-8412', 'replay', message, { position: differs });
}

function diverges(
  { step, line }: { readonly step: number; readonly line: string },
  lines: readonly string[],
): Result<never, Problem> {
  const recorded = lines[step] ?? '';
  if (step === 0)
    return wrong('PV-8412', 'replay', 'The initial weights or the configuration differ from the ledger.', {
      position: 0,
      expected: recorded,
      actual: line.trimEnd(),
    });
  const [ours, theirs] = [recordOfLine(line.trimEnd()), recordOfLine(recorded)];
  return theirs === null || ours === null
    ? wrong('PV-8412', 'replay', `Replaying gives a step ${step} that the ledger does not have.`, { position: step })
    : divergingStep(theirs, ours, 'the first step that does');
}

function compareCertificates(
  said: TrainingCertificate,
  made: TrainingCertificate,
  total: number,
): Result<number, Problem> {
  const version = said.code?.version ?? '';
  const code = made.code === null ? null : { ...made.code, version };
  const [difference] = jsonDifferences('certificate', jsonOf({ ...made, code }), jsonOf(said));
  if (difference !== undefined)
    return wrong('PV-8412', 'replay', `Replaying the run gives another ${difference.what}.`, {
      expected: difference.a ?? 'nothing',
      actual: difference.b ?? 'nothing',
    });
  return ok(total);
}

const jsonOf = (certificate: TrainingCertificate): JsonValue => JSON.parse(JSON.stringify(certificate)) as JsonValue;
