/** Reads the files of a run, verifies them, and reports the level reached. */
import { randomInt } from 'node:crypto';
import { listOf, visible } from '../../base/text.ts';
import type { RunFiles, CertificateVerdict, Level } from '../../training/verify/verify.ts';
import { verifyCertificate } from '../../training/verify/verify.ts';
import { print, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { parseVerifierKey, type VerifierKey } from '../../notes/key.ts';
import { isKey } from '../trace/anchor-flags.ts';
import { readTextOf } from '../trace/input.ts';
import { problemText, sayProblem } from '../problem-text.ts';
import { inFolder, maxRunBytes, runFiles, sayFile } from './run-folder.ts';
import { version } from '../../base/version.ts';
import {
  invariantsText,
  onlySaid,
  robustnessText,
  sourcesText,
  toleratedText,
  stepsText,
  violationText,
} from './summary.ts';

/** Flags of `pv certificate verify`. */
export type VerifyFlags = Readonly<{
  level: Level;
  segments: number;
  key?: readonly string[];
  json: boolean;
}>;

/** Exits with 0 only if it reaches the requested level. */
export async function runVerify(
  cli: Cli,
  { level, segments, key: names = [], json }: VerifyFlags,
  folder: string,
): Promise<ExitCode> {
  const keys = await readKeys(cli, names);
  if (keys === null) return exitCodes.usage;
  const read = async (name: string): Promise<Uint8Array | null> => {
    const bytes = await cli.host.readBytes(inFolder(folder, name), { maxBytes: maxRunBytes });
    if (bytes.ok) return bytes.value;
    sayFile(cli, bytes.error);
    return null;
  };
  const [certificate, weights] = [await read(runFiles.certificate), await read(runFiles.weights)];
  if (certificate === null || weights === null) return exitCodes.usage;
  const isThere = async (name: string): Promise<boolean> => (await cli.host.kindOf(inFolder(folder, name))) === 'file';
  const isCompacted = !(await isThere(runFiles.ledger)) && (await isThere(runFiles.compacted));
  const ledger = level === 'files' || isCompacted ? null : await read(runFiles.ledger);
  if (ledger === null && level !== 'files' && !isCompacted) return exitCodes.usage;
  const compacted = isCompacted ? await read(runFiles.compacted) : null;
  const envelope = keys.length > 0 && (await isThere(runFiles.envelope)) ? await read(runFiles.envelope) : null;
  const files: RunFiles = {
    certificate,
    weights,
    envelope,
    ledger,
    compacted,
    text: async () => ((await isThere(runFiles.text)) ? read(runFiles.text) : null),
    checkpoint: (step) => read(runFiles.checkpoint(step)),
  };
  const verdict = await verifyCertificate(files, { level, segments, keys, names: runFiles, pick: (n) => randomInt(n) });
  print(cli, json ? `${JSON.stringify(verdictJson(verdict, level), null, 2)}\n` : verdictText(verdict, level, folder));
  return verdict.reached === level ? exitCodes.ok : exitCodes.findings;
}

const levelsInWords: Readonly<Record<Level, string>> = {
  files: 'the certificate, the weights and the configuration match; no step was checked',
  ledger: 'counts, verdicts and bounds follow from the ledger; no step was replayed, and its numbers may be invented',
  spot: 'were replayed, bit for bit; any other steps rest on the ledger',
  full: 'all steps were replayed, bit for bit',
};

/** The keys given by `--key`, as files or inline; null after reporting a faulty one. */
async function readKeys(cli: Cli, names: readonly string[]): Promise<readonly VerifierKey[] | null> {
  const keys: VerifierKey[] = [];
  for (const name of names) {
    const text = isKey(name) ? name : await readTextOf(cli, name, 'verifier key');
    if (typeof text === 'number') return null;
    const key = parseVerifierKey(text.trim());
    if (!key.ok) {
      sayProblem(cli, key.error, name);
      return null;
    }
    keys.push(key.value);
  }
  return keys;
}

function verdictText(
  { certificate, reached, problem, signedBy, replayed }: CertificateVerdict,
  asked: Level,
  folder: string,
): string {
  const lines = [
    reached === asked
      ? `VERIFIED (${asked}): ${asked === 'spot' ? `${replayed} of ${certificate?.totalSteps ?? 0} steps ` : ''}${levelsInWords[asked]}`
      : `NOT VERIFIED (requested ${asked}, reached ${reached ?? 'nothing'})`,
  ];
  if (problem !== null) lines.push(problemText(problem, folder, null));
  if (certificate !== null && reached !== null) {
    lines.push(
      `  ${stepsText(certificate)}; ${signedBy.length === 0 ? 'signatures were not checked' : `signed by ${listOf(signedBy.map(visible))}`}`,
    );
    lines.push(...invariantsText(certificate), ...toleratedText(certificate), ...robustnessText(certificate));
    lines.push(
      `  only the certificate says: ${visible(onlySaid(certificate, reached).join('; '))}`,
      `  verified by pv ${version}`,
    );
    lines.push(
      ...certificate.violationList
        .slice(0, 5)
        .map((one) => `  step ${one.step} ${one.outcome}: ${visible(violationText(one))}`),
    );
    lines.push(...sourcesText(certificate));
  }
  return `${lines.join('\n')}\n`;
}

function verdictJson({ certificate, reached, problem, signedBy, replayed }: CertificateVerdict, asked: Level) {
  return {
    verified: reached === asked,
    asked,
    reached,
    signedBy,
    replayed,
    onlySaid: certificate === null ? [] : onlySaid(certificate, reached),
    steps: certificate?.totalSteps ?? null,
    problem,
  };
}
