import { bytesToHex } from '@noble/hashes/utils.js';
import { err } from '../../base/result.ts';
import { parseConsistency } from '../../trace/format/consistency-file.ts';
import { treeOf } from '../../trace/format/leaves.ts';
import type { TraceFile } from '../../trace/format/trace.ts';
import { verifyConsistency } from '../../merkle/verify.ts';
import { formatCheckpoint, parseCheckpoint, type Checkpoint } from '../../notes/checkpoint.ts';
import { parseNote } from '../../notes/note.ts';
import { signNote } from '../../notes/signer.ts';
import type { Problem } from '../../base/problem.ts';
import { checkAnchor } from '../../trace/verify/anchor.ts';
import { noFindings } from '../../trace/verify/check.ts';
import { say, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { readInputOf } from './input.ts';
import { openV2Trace } from './open-trace.ts';
import { targetOf } from './output-file.ts';
import { sayProblem } from '../problem-text.ts';
import { headOf, keepSignedHead, withSignedHeads, type SignedHead, type SignedHeads } from './signed-heads.ts';
import { keepNote, readSigners, signerFlag } from './signing.ts';

type Flags = {
  readonly key: readonly string[];
  readonly trace?: string;
  readonly consistency?: string;
  readonly blind: boolean;
  readonly out?: string;
};

/** `pv trace cosign CHECKPOINT`: one more signature. */
export const cosign = defineCommand<Flags, readonly [string]>({
  description:
    'Adds signatures to a signed checkpoint and keeps those that it has. Size and root are first compared with those of the\n' +
    'trace, hashed anew (--trace), or shown to continue the last head of this origin that the key signed (--consistency), which\n' +
    'is stored next to the key (bob.key.heads). A head that does not continue it is not signed. Keys of keygen --cosigner state\n' +
    'the time.',
  examples: [
    ['pv trace cosign run.checkpoint --key bob.key --trace run.trace', 'Bob has hashed the trace himself'],
    [
      'pv trace cosign run.checkpoint --key bob.key --consistency grown.proof --out witnessed.checkpoint',
      'A trace that grew since Bob signed it, to another file',
    ],
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
    consistency: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      brief: 'A proof by pv trace consistency prove, from the head that was signed last to this one',
      optional: true,
    },
    blind: {
      kind: 'boolean',
      brief: 'Sign without a comparison, and store nothing',
      default: false,
      withNegated: false,
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

async function addSignatures(cli: Cli, { key, out, ...compared }: Flags, path: string): Promise<ExitCode> {
  const { trace, consistency, blind } = compared;
  if ([trace !== undefined, consistency !== undefined, blind].filter(Boolean).length > 1) {
    say(cli, 'pv: give one of --trace, --consistency and --blind');
    return exitCodes.usage;
  }
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
  const sign = async (known: readonly SignedHeads[]): Promise<ExitCode> => {
    const refused = await refusalOf(cli, compared, checkpoint.value, known);
    if (typeof refused === 'number') return refused;
    const signed = refused === null ? signNote(note.value, signers, cli.host.posixSeconds()) : err(refused);
    if (!signed.ok) {
      sayProblem(cli, signed.error, path);
      return exitCodes.findings;
    }
    const kept = await keepSignedHead(cli, known, headOf(checkpoint.value));
    return kept === exitCodes.ok ? keepNote(cli, target, signed.value) : kept;
  };
  return blind ? sign([]) : withSignedHeads(cli, key, sign);
}

type Compared = Pick<Flags, 'trace' | 'consistency' | 'blind'>;

/** Why the checkpoint is not signed; null if it is; an exit code if a file could not be read, which is reported here. */
async function refusalOf(
  cli: Cli,
  { trace: tracePath, consistency: proofPath, blind }: Compared,
  checkpoint: Checkpoint,
  known: readonly SignedHeads[],
): Promise<Problem | ExitCode | null> {
  if (blind) {
    say(cli, 'warning: the checkpoint was not compared with anything');
    return null;
  }
  const earlier = known.map(({ heads }) => heads.find(({ origin }) => origin === checkpoint.origin) ?? null);
  if (tracePath !== undefined) {
    const trace = await openV2Trace(cli, tracePath, noCheckpoints);
    return typeof trace === 'number' ? trace : notOfTrace(trace, checkpoint, earlier);
  }
  if (proofPath !== undefined) {
    const bytes = await readInputOf(cli, proofPath, 'consistency');
    return typeof bytes === 'number' ? bytes : notContinuing(bytes, checkpoint, earlier);
  }
  const again = headOf(checkpoint);
  return earlier.length > 0 && earlier.every((head) => head !== null && sameHead(head, again)) ? null : uncompared;
}

const noCheckpoints = 'a llama2-rs trace has no checkpoints: pv trace convert makes a v2 trace of it';

const uncompared: Problem = {
  code: 'PV-8094',
  check: 'checkpoint',
  message:
    'Nothing shows that such a tree exists: give the trace (--trace), or a proof that it continues the head that was signed last (--consistency). --blind signs without a comparison.',
};

/** PV-8059 if the checkpoint belongs to another trace, PV-8095 if the trace does not continue what was signed. */
async function notOfTrace(
  trace: TraceFile,
  checkpoint: Checkpoint,
  earlier: readonly (SignedHead | null)[],
): Promise<Problem | null> {
  const findings = noFindings();
  const text = formatCheckpoint(checkpoint);
  if (!text.ok) return text.error;
  const { size, root } = trace;
  await checkAnchor({ size, root, checkpoint: null }, { checkpoint: text.value }, findings);
  const [problem] = findings.problems;
  if (problem !== undefined) return problem;
  const tree = treeOf(trace);
  const fork = earlier.find(
    (head) => head !== null && !(head.size <= size && bytesToHex(tree.root(head.size)) === head.root),
  );
  return fork === undefined || fork === null ? null : doesNotContinue(fork, checkpoint);
}

/** PV-8094 if the key has signed nothing of this origin, PV-8095 if the checkpoint does not continue what was signed. */
function notContinuing(
  bytes: Uint8Array,
  checkpoint: Checkpoint,
  earlier: readonly (SignedHead | null)[],
): Problem | null {
  const proof = parseConsistency(bytes);
  if (!proof.ok) return proof.error;
  const { size1, root1, size2, root2 } = proof.value;
  const [from, to] = [
    { size: size1, root: bytesToHex(root1) },
    { size: size2, root: bytesToHex(root2) },
  ];
  if (earlier.length === 0) return uncompared;
  for (const head of earlier) {
    if (head === null) return uncompared;
    if (!sameHead(head, from) || !sameHead(headOf(checkpoint), to)) return doesNotContinue(head, checkpoint);
  }
  const verified = verifyConsistency(proof.value);
  return verified.ok ? null : verified.error;
}

type Head = Pick<SignedHead, 'size' | 'root'>;

const sameHead = (one: Head, other: Head): boolean => one.size === other.size && one.root === other.root;

const doesNotContinue = (head: SignedHead, { size, root }: Checkpoint): Problem => ({
  code: 'PV-8095',
  check: 'signed heads',
  message: 'Nothing shows that the checkpoint continues the head of its origin that this key signed last.',
  expected: `a tree that continues ${head.size} leaves with the root ${head.root}`,
  actual: `${size} leaves with the root ${bytesToHex(root)}`,
});
