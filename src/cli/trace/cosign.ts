import { parseNote } from '../../trace/notes/note.ts';
import { parseCheckpoint } from '../../trace/notes/checkpoint.ts';
import { signNote } from '../../trace/notes/signer.ts';
import { checkAnchor } from '../../trace/verify/anchor.ts';
import { noFindings } from '../../trace/verify/check.ts';
import { say, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { readInputOf } from './input.ts';
import { openV2Trace } from './open-trace.ts';
import { targetOf } from './output-file.ts';
import { sayProblem } from './problem-text.ts';
import { keepNote, readSigners, signerFlag } from './signing.ts';

type Flags = {
  readonly key: readonly string[];
  readonly trace?: string;
  readonly out?: string;
};

/** `pv trace cosign CHECKPOINT`: one more signature. */
export const cosign = defineCommand<Flags, readonly [string]>({
  description:
    'Adds signatures to a signed checkpoint and leaves those that it has. With --trace, size and root are first compared with\n' +
    'those of the trace, hashed anew; without it you sign what you have not seen. Keys of keygen --cosigner state the time.',
  examples: [
    ['pv trace cosign run.checkpoint --key bob.key --trace run.trace', 'Bob has hashed the trace himself'],
    ['pv trace cosign run.checkpoint --key witness.key --out witnessed.checkpoint', 'To another file'],
  ],
  flags: {
    key: signerFlag,
    trace: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      brief: 'The trace that the checkpoint is to be of',
      optional: true,
    },
    out: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      brief: 'The checkpoint to write; the same file when absent',
      optional: true,
    },
  },
  aliases: { o: 'out' },
  positional: {
    kind: 'tuple',
    parameters: [{ brief: 'A signed checkpoint', placeholder: 'checkpoint', parse: String }],
  },
  run: addSignatures,
});

async function addSignatures(cli: Cli, { key, trace, out }: Flags, path: string): Promise<ExitCode> {
  const same = out === undefined || out === path;
  const target = await targetOf(cli, out ?? path, same);
  if (target === null) return exitCodes.usage;
  const signers = await readSigners(cli, key);
  if (typeof signers === 'number') return signers;
  const bytes = await readInputOf(cli, path, 'checkpoint');
  if (typeof bytes === 'number') return bytes;
  const note = parseNote(bytes);
  const checkpoint = note.ok ? parseCheckpoint(note.value.text) : note;
  if (!note.ok || !checkpoint.ok) {
    if (!checkpoint.ok) sayProblem(cli, checkpoint.error, path);
    return exitCodes.findings;
  }
  if (trace === undefined) say(cli, 'warning: no --trace was given, so nobody compared the checkpoint with anything');
  else {
    const compared = await compareWith(cli, trace, new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
    if (compared !== exitCodes.ok) return compared;
  }
  const signed = signNote(note.value, signers, cli.host.posixSeconds());
  if (signed.ok) return keepNote(cli, target, signed.value);
  sayProblem(cli, signed.error, path);
  return exitCodes.findings;
}

/** Whether the checkpoint is of this trace; says why not. */
async function compareWith(cli: Cli, path: string, checkpoint: string): Promise<ExitCode> {
  const none = 'a llama2-rs trace has no checkpoints: pv trace convert makes a v2 trace of it';
  const trace = await openV2Trace(cli, path, none);
  if (typeof trace === 'number') return trace;
  const findings = noFindings();
  const { size, root } = trace;
  await checkAnchor({ size, root, checkpoint: null }, { checkpoint }, findings);
  for (const problem of findings.problems) sayProblem(cli, problem, path);
  return findings.problems.length === 0 ? exitCodes.ok : exitCodes.findings;
}
