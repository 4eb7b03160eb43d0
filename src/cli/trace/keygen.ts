import { visible } from '../../base/text.ts';
import { generateSigner } from '../../notes/signer.ts';
import { print, say, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { forceFlag, targetOf, writeOutput } from './output-file.ts';
import { sayProblem } from '../problem-text.ts';

type Flags = {
  readonly out?: string;
  readonly cosigner: boolean;
  readonly force: boolean;
};

/** `pv trace keygen NAME`: an Ed25519 key in two files, the secret one for its owner alone. */
export const keygen = defineCommand<Flags, readonly [string]>({
  description:
    'Makes an Ed25519 key for signed notes (C2SP signed-note): FILE.key is secret and only its owner may read it (mode 0600),\n' +
    'FILE.pub is for everybody who verifies. NAME is part of the key and of each signature: a domain that you own, with a path,\n' +
    'such as example.org/alice, is no one else’s.',
  examples: [
    ['pv trace keygen example.org/alice', 'alice.key and alice.pub'],
    ['pv trace keygen example.org/witness --cosigner', 'A key whose signatures state a time: for witnesses'],
  ],
  flags: {
    out: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      brief: 'Path of both files without .key and .pub; the last part of NAME when absent',
      optional: true,
    },
    cosigner: {
      kind: 'boolean',
      brief: 'A key for timestamped cosignatures (C2SP cosignature/v1)',
      default: false,
      withNegated: false,
    },
    force: forceFlag,
  },
  positional: {
    kind: 'tuple',
    parameters: [{ brief: 'Whom signatures name', placeholder: 'name', parse: String }],
  },
  run: makeKey,
});

async function makeKey(cli: Cli, { out, cosigner, force }: Flags, name: string): Promise<ExitCode> {
  const made = generateSigner(name, cosigner ? 'cosignature/v1' : 'ed25519');
  if (!made.ok) {
    sayProblem(cli, made.error);
    return exitCodes.usage;
  }
  const stem = out ?? lastPart(name);
  const secret = await targetOf(cli, `${stem}.key`, force);
  const open = secret === null ? null : await targetOf(cli, `${stem}.pub`, force);
  if (secret === null || open === null) return exitCodes.usage;
  const kept = await writeOutput(cli, secret, `${made.value.signerKey}\n`, { secret: true });
  if (kept !== exitCodes.ok) return kept;
  // Printed first: the secret key has a file, but the public key is only printed.
  print(cli, made.value.verifierKey);
  const told = await writeOutput(cli, open, `${made.value.verifierKey}\n`);
  if (told !== exitCodes.ok) return told;
  say(cli, `wrote ${secret.name} (secret: who has it signs as ${visible(name)}) and ${open.name}`);
  return exitCodes.ok;
}

/** `alice` of `example.org/alice`, without characters that are special in file systems. */
function lastPart(name: string): string {
  const part = name.split('/').findLast((one) => one !== '') ?? '';
  return part.replace(/[^\p{L}\p{N}._-]/gu, '-').replace(/^\.+/, '') || 'trace-key';
}
