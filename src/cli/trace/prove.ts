import { count, visible } from '../../base/text.ts';
import { leafIndexAt } from '../../trace/format/leaves.ts';
import { legacyProof, legacyProofWarnings, writeLegacyProof } from '../../trace/legacy/proof.ts';
import { makeProof } from '../../trace/verify/make-proof.ts';
import { say, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { integerBetween } from '../number-parsers.ts';
import type { AnyTrace } from '../../trace/any-trace.ts';
import { readTextOf } from './input.ts';
import { openTrace } from './open-trace.ts';
import { deliver, forceFlag, targetOf, proofFlag } from './output-file.ts';
import { sayProblem } from '../problem-text.ts';

type Flags = {
  readonly iteration?: number;
  readonly manifest: boolean;
  readonly checkpoint?: string;
  readonly out?: string;
  readonly force: boolean;
};

/** `pv trace prove TRACE --iteration N`: selective disclosure. */
export const prove = defineCommand<Flags, readonly [string]>({
  description:
    'Writes the proof of one step (C2SP tlog-proof): the step itself and the hashes on its way to the root, and nothing of any\n' +
    'other step. Of a trace of llama2-rs it writes the MerkleProof of llama2-rs, byte for byte.',
  examples: [
    ['pv trace prove run.trace --iteration 50 --out step50.proof', 'Step 50, for someone else'],
    ['pv trace prove run.trace --manifest --out manifest.proof', 'Model, prompt and sampler, without any step'],
    ['pv trace prove run.trace --iteration 50 --checkpoint run.checkpoint --out step50.proof', 'Under a signed root'],
  ],
  flags: {
    iteration: {
      kind: 'parsed',
      parse: integerBetween(0),
      placeholder: 'n',
      brief: 'The position of the step, from 0 on',
      optional: true,
    },
    manifest: {
      kind: 'boolean',
      brief: 'Prove the manifest: what model, prompt and sampler the trace is of',
      default: false,
      withNegated: false,
    },
    checkpoint: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      brief: 'The checkpoint to prove under; that of the trace itself when absent',
      optional: true,
    },
    out: proofFlag,
    force: forceFlag,
  },
  aliases: { o: 'out' },
  positional: { kind: 'tuple', parameters: [{ brief: 'A trace', placeholder: 'trace', parse: String }] },
  run: proveOne,
});

async function proveOne(cli: Cli, flags: Flags, path: string): Promise<ExitCode> {
  const { iteration, manifest, out, force } = flags;
  if ((iteration === undefined) === !manifest) {
    say(cli, 'pv: give either --iteration, the position of a step, or --manifest');
    return exitCodes.usage;
  }
  const inputs = flags.checkpoint === undefined ? [path] : [path, flags.checkpoint];
  const target = out === undefined ? null : await targetOf(cli, out, force, inputs);
  if (out !== undefined && target === null) return exitCodes.usage;
  const checkpoint = flags.checkpoint === undefined ? null : await readTextOf(cli, flags.checkpoint, 'checkpoint');
  if (typeof checkpoint === 'number') return checkpoint;
  const read = await openTrace(cli, path);
  if (typeof read === 'number') return read;
  const content = contentOf(cli, path, read, iteration ?? null, checkpoint, flags.checkpoint ?? path);
  return typeof content === 'number' ? content : deliver(cli, target, content);
}

/** The proof as its file has it, or the exit code after saying why there is none. */
function contentOf(
  cli: Cli,
  path: string,
  read: AnyTrace,
  iteration: number | null,
  checkpoint: string | null,
  checkpointPath: string,
): string | Uint8Array | ExitCode {
  if (read.format === 'legacy') {
    const { entries } = read.trace;
    if (checkpoint !== null || iteration === null) {
      say(
        cli,
        'pv: a trace of llama2-rs has no manifest leaf and knows no checkpoints: pv trace convert makes a v2 trace of it',
      );
      return exitCodes.usage;
    }
    if (iteration >= entries.length) return outside(cli, path, iteration, entries.length);
    for (const warning of legacyProofWarnings) say(cli, `warning: ${warning}`);
    return writeLegacyProof(legacyProof(read.trace, iteration));
  }
  const { trace } = read;
  if (!trace.complete) say(cli, `warning: ${visible(path)} is incomplete: it ends without its footer`);
  const index = iteration === null ? 0 : leafIndexAt(trace, iteration);
  if (index === null) return outside(cli, path, iteration ?? 0, trace.entries.length);
  const proof = makeProof(trace, index, checkpoint ?? trace.checkpoint);
  if (proof.ok) return proof.value;
  // A tree that differs from the trace's is a finding about both; an unreadable one is about the checkpoint.
  sayProblem(cli, proof.error, proof.error.code === 'PV-8059' ? path : checkpointPath);
  return exitCodes.findings;
}

function outside(cli: Cli, path: string, iteration: number, entries: number): ExitCode {
  say(cli, `pv: ${visible(path)} has no position ${iteration}: it holds ${count(entries, 'entry', 'entries')}`);
  return exitCodes.findings;
}
