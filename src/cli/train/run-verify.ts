/** Reads the files of a run, verifies them, and reports the level reached. */
import { randomInt } from 'node:crypto';
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { listOf, visible } from '../../base/text.ts';
import type { RunFiles, CertificateVerdict, Level } from '../../training/verify/verify.ts';
import { verifyCertificate } from '../../training/verify/verify.ts';
import { print, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { entriesBelow } from './folder-entries.ts';
import { verifyModel, type ModelKey } from './model-signature.ts';
import { modelKeyOf } from './run-sign.ts';
import { readVerifierKeys } from '../trace/verifier-keys.ts';
import { problemText } from '../problem-text.ts';
import { inFolder, maxRunBytes, runFiles, sayFile } from './run-folder.ts';
import { version } from '../../base/version.ts';
import {
  exceptionsOf,
  invariantsText,
  onlySaid,
  robustnessText,
  sourcesText,
  toleratedText,
  stepsText,
  violationText,
} from './summary.ts';
import { jsonText } from '../json-text.ts';

/** Flags of `pv certificate verify`. */
export type VerifyFlags = Readonly<{
  level: Level;
  segments: number;
  key?: readonly string[];
  modelKey?: string;
  json: boolean;
}>;

/** Exits with 0 only if it reaches the requested level. */
export async function runVerify(
  cli: Cli,
  { level, segments, key: names = [], modelKey, json }: VerifyFlags,
  folder: string,
): Promise<ExitCode> {
  const keys = await readVerifierKeys(cli, names);
  const model = modelKey === undefined ? null : await modelKeyOf(cli, modelKey, 'public');
  if (keys === null || typeof model === 'number') return exitCodes.usage;
  const read = async (name: string): Promise<Uint8Array | null> => {
    const bytes = await cli.host.readBytes(inFolder(folder, name), { maxBytes: maxRunBytes });
    if (bytes.ok) return bytes.value;
    sayFile(cli, bytes.error);
    return null;
  };
  const files = await filesOf(cli, folder, read, { level, isSigned: keys.length > 0 });
  if (files === null) return exitCodes.usage;
  const signed = model === null ? ok(null) : await verifySignedModel(cli, folder, model, read);
  const unchecked = await uncheckedSignatures(cli, folder, { key: keys.length > 0, modelKey: model !== null });
  const options = { level, segments, keys, names: runFiles, pick: (n: number) => randomInt(n) };
  const verdict = signed.ok ? withModel(await verifyCertificate(files, options), signed.value) : unsigned(signed.error);
  print(
    cli,
    json
      ? jsonText({ ...verdictJson(verdict, level), uncheckedSignatures: unchecked })
      : verdictText(verdict, level, folder) + uncheckedText(unchecked),
  );
  return verdict.reached === level ? exitCodes.ok : exitCodes.findings;
}

/** The files that a level needs; null after reporting that one is missing. */
async function filesOf(
  cli: Cli,
  folder: string,
  read: (name: string) => Promise<Uint8Array | null>,
  { level, isSigned }: { readonly level: Level; readonly isSigned: boolean },
): Promise<RunFiles | null> {
  const [certificate, weights] = [await read(runFiles.certificate), await read(runFiles.weights)];
  if (certificate === null || weights === null) return null;
  const isThere = async (name: string): Promise<boolean> => (await cli.host.kindOf(inFolder(folder, name))) === 'file';
  const isCompacted = !(await isThere(runFiles.ledger)) && (await isThere(runFiles.compacted));
  const ledger = level === 'files' || isCompacted ? null : await read(runFiles.ledger);
  if (ledger === null && level !== 'files' && !isCompacted) return null;
  return {
    certificate,
    weights,
    envelope: isSigned && (await isThere(runFiles.envelope)) ? await read(runFiles.envelope) : null,
    ledger,
    compacted: isCompacted ? await read(runFiles.compacted) : null,
    text: async () => ((await isThere(runFiles.text)) ? read(runFiles.text) : null),
    checkpoint: (step) => read(runFiles.checkpoint(step)),
  };
}

/** The files with signatures that no flag asks to check. */
async function uncheckedSignatures(
  cli: Cli,
  folder: string,
  asked: { readonly key: boolean; readonly modelKey: boolean },
): Promise<readonly string[]> {
  const files = [...(asked.key ? [] : [runFiles.envelope]), ...(asked.modelKey ? [] : [runFiles.modelSignature])];
  const kinds = await Promise.all(files.map((name) => cli.host.kindOf(inFolder(folder, name))));
  return files.filter((_, i) => kinds[i] !== 'missing');
}

/** Verifies model.sig, which may be missing, against everything in the folder. */
async function verifySignedModel(
  cli: Cli,
  folder: string,
  key: ModelKey,
  read: (name: string) => Promise<Uint8Array | null>,
): Promise<Result<string, Problem>> {
  const isMissing = (await cli.host.kindOf(inFolder(folder, runFiles.modelSignature))) === 'missing';
  return verifyModel(isMissing ? null : await read(runFiles.modelSignature), key, {
    read,
    entries: async (ignored) => {
      const listed = await entriesBelow(cli.host, folder, ignored);
      return listed.ok ? listed : wrong('PV-8345', 'model files', `${listed.error.path}: ${listed.error.message}.`);
    },
  });
}

const withModel = (verdict: CertificateVerdict, signer: string | null): CertificateVerdict => ({
  ...verdict,
  signedBy: [...verdict.signedBy, ...(signer === null ? [] : [signer])],
});

/** A signature that no key was given for proves nothing. */
const uncheckedText = (files: readonly string[]): string =>
  files
    .map((file) => {
      const flag = file === runFiles.envelope ? '--key' : '--model-key';
      return `  ${file} has signatures that were not checked: pass the public key with ${flag}\n`;
    })
    .join('');

/** The verdict on files whose required bundle does not hold. */
const unsigned = (problem: Problem): CertificateVerdict => ({
  certificate: null,
  reached: null,
  problem,
  signedBy: [],
  replayed: 0,
});

const levelsInWords: Readonly<Record<Level, string>> = {
  files: 'the certificate, the weights and the configuration match; no step was checked',
  ledger: 'counts, verdicts and bounds follow from the ledger; no step was replayed, and its numbers may be invented',
  spot: 'were replayed, bit for bit; any other steps rest on the ledger',
  full: 'all steps were replayed, bit for bit',
};

function verdictText(
  { certificate, reached, problem, signedBy, replayed }: CertificateVerdict,
  asked: Level,
  folder: string,
): string {
  const lines = [
    reached === asked
      ? `VERIFIED (${asked}): ${asked === 'spot' ? `${replayed} of ${certificate?.totalSteps ?? 0} steps ` : ''}${levelsInWords[asked]}${
          certificate === null
            ? ''
            : exceptionsOf(certificate)
                .map((one) => `; ${one}`)
                .join('')
        }`
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
    exceptions: certificate === null ? [] : exceptionsOf(certificate),
    onlySaid: certificate === null ? [] : onlySaid(certificate, reached),
    steps: certificate?.totalSteps ?? null,
    problem,
  };
}
