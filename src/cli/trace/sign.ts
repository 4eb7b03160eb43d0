import { visible } from '../../base/text.ts';
import { leafHash } from '../../merkle/hash.ts';
import { leafBytes } from '../../trace/format/leaves.ts';
import { traceOrigin } from '../../notes/checkpoint.ts';
import { signTreeHead } from '../../notes/tree-head.ts';
import { say, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { openV2Trace } from './open-trace.ts';
import { forceFlag, targetOf } from './output-file.ts';
import { sayProblem } from '../problem-text.ts';
import { keepNote, readSigners, signerFlag } from './signing.ts';

type Flags = {
  readonly key: readonly string[];
  readonly origin?: string;
  readonly out: string;
  readonly force: boolean;
};

/** `pv trace sign TRACE`: size and root, signed. */
export const sign = defineCommand<Flags, readonly [string]>({
  description:
    'Writes a checkpoint (C2SP tlog-checkpoint) over the size and the root of a trace, signed with Ed25519. Whoever trusts a key\n' +
    'checks any step against it: pv trace check PROOF --checkpoint FILE --key PUB. The entries are hashed anew first.',
  examples: [
    ['pv trace sign run.trace --key alice.key --out run.checkpoint', 'Alice vouches for this trace'],
    ['pv trace sign run.trace --key alice.key --key bob.key --out run.checkpoint', 'Both do'],
  ],
  flags: {
    key: signerFlag,
    origin: {
      kind: 'parsed',
      parse: String,
      placeholder: 'name',
      brief: "The checkpoint's first line; NAME OF THE FIRST KEY/trace/HASH OF THE MANIFEST when absent",
      optional: true,
    },
    out: { kind: 'parsed', parse: String, placeholder: 'file', brief: 'The checkpoint to write' },
    force: forceFlag,
  },
  aliases: { o: 'out' },
  positional: { kind: 'tuple', parameters: [{ brief: 'A v2 trace', placeholder: 'trace', parse: String }] },
  run: signTrace,
});

async function signTrace(cli: Cli, { key, origin, out, force }: Flags, path: string): Promise<ExitCode> {
  const target = await targetOf(cli, out, force, [path, ...key]);
  if (target === null) return exitCodes.usage;
  const signers = await readSigners(cli, key);
  if (typeof signers === 'number') return signers;
  const noSize = 'the root of a llama2-rs trace does not say how many entries it has';
  const trace = await openV2Trace(cli, path, `${noSize}: sign the v2 trace of pv trace convert`);
  if (typeof trace === 'number') return trace;
  if (!trace.complete)
    say(cli, `warning: ${visible(path)} is incomplete: the checkpoint is of its first ${trace.size} leaves`);
  const own = traceOrigin(signers[0]?.key.name ?? '', leafHash(leafBytes(trace, 0)));
  const note = signTreeHead(trace, origin ?? own, signers, cli.host.posixSeconds());
  if (note.ok) return keepNote(cli, target, note.value);
  sayProblem(cli, note.error, path);
  return exitCodes.usage;
}
