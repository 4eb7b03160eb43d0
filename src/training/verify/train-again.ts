/** Replays a whole run, and compares its ledger, if there is one, line by line and its certificate key by key. */
import { canonicalJson, type JsonValue } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { TrainingCertificate } from '../certificate/certificate.ts';
import type { LedgerFile } from '../ledger/read-ledger.ts';
import type { Run } from '../run/run-file.ts';
import { train } from '../run/train.ts';

/**
 * The number of steps replayed bit for bit; PV-8412 names the first step, or the key of the certificate, that differs. Only the
 * version of pv is not compared.
 */
export async function trainAgain(
  run: Run,
  certificate: TrainingCertificate,
  ledger: LedgerFile | null,
): Promise<Result<number, Problem>> {
  const total = certificate.totalSteps;
  if (total === 0) return ok(0);
  let taken = -1;
  let divergence: { readonly step: number; readonly line: string } | null = null;
  const again = await train(run, {
    ledger(line) {
      taken += 1;
      if (ledger !== null && divergence === null && `${ledger.lines[taken]}\n` !== line)
        divergence = { step: taken, line };
    },
    checkpoint: () => Promise.resolve(),
    progress: ({ step }) => Promise.resolve(divergence !== null || step >= total),
  });
  // The compiler does not see that the sink assigns it.
  const found: { readonly step: number; readonly line: string } | null = divergence;
  if (found !== null) return diverges(found, ledger?.lines ?? []);
  if (taken < total)
    return wrong('PV-8412', 'replay', `The replay ends after step ${taken}, but the certificate has ${total} steps.`);
  return compareCertificates(certificate, again.certificate, total);
}

function diverges(
  { step, line }: { readonly step: number; readonly line: string },
  lines: readonly string[],
): Result<never, Problem> {
  const message =
    step === 0
      ? 'The initial weights or the configuration differ from the ledger.'
      : `Replaying step ${step} gives a record that differs from the ledger.`;
  return wrong('PV-8412', 'replay', message, {
    position: step,
    expected: lines[step] ?? 'no step',
    actual: line.trimEnd(),
  });
}

function compareCertificates(
  said: TrainingCertificate,
  made: TrainingCertificate,
  total: number,
): Result<number, Problem> {
  const version = said.code?.version ?? '';
  const expected = { ...made, code: made.code === null ? null : { ...made.code, version } };
  const saidJson = new Map(Object.entries(said).map(([key, value]) => [key, text(value)]));
  for (const [key, value] of Object.entries(expected)) {
    const actual = saidJson.get(key) ?? 'nothing';
    if (actual !== text(value))
      return wrong('PV-8412', 'replay', `Replaying the run gives a different ${key} than the certificate.`, {
        expected: text(value),
        actual,
      });
  }
  return ok(total);
}

function text(value: unknown): string {
  const json: JsonValue = JSON.parse(JSON.stringify(value));
  return canonicalJson(json);
}
