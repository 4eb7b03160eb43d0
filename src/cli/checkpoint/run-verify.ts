/** `pv checkpoint verify`. */
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { count, listOf, visible } from '../../base/text.ts';
import { verifyCheckpoint, type Verification } from '../../checkpoint/seal/verify.ts';
import { print, type Cli } from '../cli.ts';
import { jsonText } from '../json-text.ts';
import { problemText, sayProblem } from '../problem-text.ts';
import { lackText } from './lack-text.ts';
import { readVerifierKeys } from '../trace/verifier-keys.ts';
import { isThere } from './open-at.ts';
import { sizeText } from './size-text.ts';

export type VerifyFlags = { readonly json: boolean; readonly key?: readonly string[] };

const codes = {
  verified: exitCodes.ok,
  incomplete: exitCodes.undetermined,
  failed: exitCodes.findings,
} as const;

export async function runVerify(cli: Cli, { json, key = [] }: VerifyFlags, path: string): Promise<ExitCode> {
  if (!(await isThere(cli, path))) return exitCodes.usage;
  const keys = await readVerifierKeys(cli, key);
  if (keys === null) return exitCodes.usage;
  const verified = await verifyCheckpoint(cli.host, path, keys);
  if (!verified.ok) {
    sayProblem(cli, verified.error, path);
    return exitCodes.findings;
  }
  print(cli, json ? jsonText({ checkpoint: path, ...verified.value }) : verificationText(path, verified.value));
  return codes[verified.value.verdict];
}

/** Problems beyond this many are counted. */
const mostShown = 20;

function verificationText(path: string, verification: Verification): string {
  const { format, problems, unchecked } = verification;
  const shown = problems.slice(0, mostShown).map((problem) => problemText(problem, null, null));
  const rest = problems.length > mostShown ? [`… and ${problems.length - mostShown} more (--json lists them)`] : [];
  const open = unchecked.length > 0 ? [`    nothing vouches for the bytes of ${listOf(unchecked, 8)}`] : [];
  const unknown =
    format === null && problems.length === 0
      ? ['    pv does not know its format, so its structure was not checked']
      : [];
  return `${[visible(`${head(verification)}: ${path} (${format ?? 'unknown format'}): ${summary(verification)}`), ...shown, ...rest, ...[...open, ...unknown].map(visible)].join('\n')}\n`;
}

const head = ({ verdict, isSealed }: Verification): string =>
  verdict === 'verified' ? 'VERIFIED' : verdict === 'failed' ? 'FAILED' : isSealed ? 'NOT FULLY CHECKED' : 'NOT SEALED';

/** Without a signature, a seal says nothing about who made it. */
function trustText(trust: Verification['trust']): string {
  if (trust.kind === 'signed') return `signed by ${listOf(trust.by)}`;
  return trust.kind === 'unsigned'
    ? 'not signed, so anyone who can write here could have sealed it'
    : 'its signatures were not checked: pass the public key with --key';
}

function summary({ verdict, lacks, isSealed, checked, files, bytes, problems, trust }: Verification): string {
  if (verdict === 'failed') return count(problems.length, 'problem');
  if (isSealed)
    return `${lackText(lacks)}${count(files, 'file')}, ${sizeText(bytes)}, every byte as it was sealed; ${trustText(trust)}`;
  return `${lackText(lacks)}${checked} of ${count(files, 'file')} checked, by checksums of their own; pv checkpoint seal records hashes`;
}
