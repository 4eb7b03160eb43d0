/** What the page shows of a file, decided without a DOM, by the same code as the command line. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { count } from '../../base/text.ts';
import { isProofFile } from '../../notes/proof-file.ts';
import { readAnyTrace } from '../any-trace.ts';
import { positionsOf } from '../format/entry.ts';
import { leafBytes } from '../format/leaves.ts';
import type { Leaf } from '../format/leaf.ts';
import type { Manifest, TraceFile } from '../format/trace.ts';
import { legacyProofWarnings, legacyProofs, readLegacyProof } from '../legacy/proof.ts';
import type { LegacyTrace } from '../legacy/trace.ts';
import { otherKind } from '../kind/other-kind.ts';
import { leafHash } from '../../merkle/hash.ts';
import { createMerkleTree, type MerkleTree } from '../../merkle/tree.ts';
import type { Tokenizer } from '../model/model.ts';
import { readTokenizer } from '../model/tokenizer.ts';
import type { Problem } from '../../base/problem.ts';
import { checkAnchor, type Anchor, type Standing } from '../verify/anchor.ts';
import { checkLegacyProof } from '../verify/check-legacy-proof.ts';
import { checkProof } from '../verify/check-proof.ts';
import { checkTokenizer } from '../verify/files.ts';
import { fail, leave, noFindings, pass, type Findings } from '../verify/check.ts';
import { nothingCovered } from '../verify/headline.ts';
import type { Verdict } from '../verify/verdict.ts';
import { tokenText, type TokenText } from './token-text.ts';
import { legacyTreePath, treePath, type TreePath } from './tree-path.ts';

/** One entry of a trace, as the table shows it. */
export interface Row {
  readonly position: number;
  /** Null in a gap. */
  readonly input: number | null;
  readonly output: number | null;
  /** Hexadecimal digits, or the text shown instead. */
  readonly logits: string;
}

/** The steps of a trace, made row by row: a trace may have a million. */
export interface Rows {
  readonly length: number;
  readonly at: (index: number) => Row;
  /** The tree is computed when the first path of it is requested. */
  readonly path: (index: number) => Promise<TreePath>;
}

/** The verdict on a file, and what the page draws of it. */
export interface Inspected extends Verdict {
  readonly what: 'proof' | 'proof of llama2-rs' | 'trace' | 'trace of llama2-rs' | 'file';
  /**
   * `verified` is said about proofs alone: a trace is `intact` when its leaves are those of a root that the reader
   * brought.
   */
  readonly verdict: 'verified' | 'intact' | 'unanchored' | 'undetermined' | 'failed';
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly path: TreePath | null;
  readonly rows: Rows | null;
  /** The text of the tokens; null if no tokenizer was given, or not the recorded one. */
  readonly text: TokenText | null;
}

/**
 * The verdict on a trace or a proof of either format, by what the bytes seem to be. `pause` is awaited before every
 * thousand entries of a long trace; `tokenizer` is the tokenizer file, if the reader has it.
 */
export async function inspect(
  bytes: Uint8Array,
  anchor: Anchor,
  pause: () => Promise<void>,
  tokenizer: Uint8Array | null = null,
): Promise<Inspected> {
  if (isProofFile(bytes)) return inspectProof(bytes, anchor);
  if (readLegacyProof(bytes).ok) return inspectLegacyProof(bytes, anchor);
  const other = otherKind(bytes, 'trace', 'proof');
  if (other !== null) return unreadable(other);
  const read = await readAnyTrace(bytes, pause);
  if (!read.ok) return unreadable(read.error);
  return read.value.format === 'v2'
    ? inspectTrace(read.value.trace, anchor, pause, tokenizer)
    : inspectLegacy(read.value.trace, anchor, tokenizer);
}

function unreadable(problem: Problem): Inspected {
  const findings = noFindings();
  fail(findings, problem);
  const nothing = {
    standing: 'nothing',
    signedBy: [],
    unbound: [],
    facts: [],
    path: null,
    rows: null,
    text: null,
  } as const;
  return { what: 'file', verdict: 'failed', covers: nothingCovered, ...findings, ...nothing };
}

async function inspectProof(bytes: Uint8Array, anchor: Anchor): Promise<Inspected> {
  const found = await checkProof(bytes, anchor);
  const { verdict, covers, checks, problems, standing, signedBy, unbound, claim, leaf } = found;
  const place: Inspected['facts'] =
    claim === null
      ? []
      : [
          ['leaf', `${claim.index} of ${claim.size}`],
          ['root', bytesToHex(claim.root)],
          ['origin', claim.origin],
        ];
  const path = claim !== null && problems.length === 0 ? treePath(claim) : null;
  const facts = [...(leaf === null ? [] : leafFacts(leaf)), ...place];
  const drawn = { facts, path, rows: null, text: null };
  return { what: 'proof', verdict, covers, checks, problems, standing, signedBy, unbound, ...drawn };
}

function leafFacts(leaf: Leaf): Inspected['facts'] {
  if (leaf.kind === 'manifest') return manifestFacts(leaf.manifest);
  if (leaf.kind === 'gap') return [['gap', `${count(leaf.count, 'position')} from ${leaf.position} on`]];
  const { position, inputToken, outputToken, logitsHash } = leaf;
  return [
    ['position', String(position)],
    ['input token', String(inputToken)],
    ['output token', outputToken === null ? 'not recorded' : String(outputToken)],
    ['logits (SHA-256)', bytesToHex(logitsHash)],
  ];
}

function manifestFacts({ model, tokenizer, prompt, sampler, profile, tool }: Manifest): Inspected['facts'] {
  const file = ({ name, digest }: Manifest['model']): string => `${name}, ${digest ?? 'of unknown digest'}`;
  return [
    ['model', file(model)],
    ['tokenizer', file(tokenizer)],
    ['prompt', prompt.text ?? 'not disclosed as text'],
    ['prompt tokens', prompt.tokens === null ? 'not kept' : String(prompt.tokens.length)],
    [
      'sampler',
      Object.entries(sampler)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    ],
    ['numeric profile', profile],
    ['recorded by', `${tool.name} ${tool.version}`],
  ];
}

/** Against a given root alone: the format knows nothing else, so that all else that was given is a check that fails. */
function inspectLegacyProof(bytes: Uint8Array, anchor: Anchor): Inspected {
  const { proof, ...found } = checkLegacyProof(bytes, anchor.root);
  const findings = { checks: [...found.checks], problems: [...found.problems] };
  refuseMore(anchor, findings);
  const verdict = findings.problems.length > 0 ? 'failed' : found.verdict;
  const facts: Inspected['facts'] =
    proof === null
      ? []
      : [
          ['leaf', `${proof.index}, by the proof’s own word`],
          ['leaf hash', bytesToHex(proof.leafHash)],
          ['root', bytesToHex(proof.root)],
        ];
  const path = proof !== null && verdict !== 'failed' ? legacyTreePath(proof.leafHash, proof.siblings) : null;
  const covers = verdict === 'failed' ? nothingCovered : found.covers;
  return { what: 'proof of llama2-rs', ...found, ...findings, verdict, covers, facts, path, rows: null, text: null };
}

function refuseMore({ size, checkpoint, policy, origin }: Anchor, findings: ReturnType<typeof noFindings>): void {
  if ([size, checkpoint, policy, origin].every((one) => one === undefined)) return;
  const message = 'The format of llama2-rs knows no sizes, checkpoints and signatures: it can be held to a root alone.';
  fail(findings, { code: 'PV-8057', check: 'anchor', message });
}

const notReplayed = 'that the model computes these logits: nothing was replayed here, and pv trace verify does that';

async function inspectTrace(
  trace: TraceFile,
  anchor: Anchor,
  pause: () => Promise<void>,
  tokenizer: Uint8Array | null,
): Promise<Inspected> {
  const findings = noFindings();
  const { root, size, checkpoint, complete, droppedBytes, entries, manifest } = trace;
  const hex = bytesToHex(root);
  pass(findings, 'file', `${count(size, 'leaf', 'leaves')} were read and checked one by one; their root is ${hex}.`);
  const cut = `The file ends without its footer; ${count(droppedBytes, 'byte')} after its last whole entry were ignored.`;
  if (!complete) fail(findings, { code: 'PV-8032', check: 'completeness', message: cut });
  const { standing, opened } = await checkAnchor({ size, root, checkpoint }, anchor, findings);
  const text = readText(trace, tokenizer, findings);
  leave(findings, 'replay', 'A page has no model: nothing was replayed.');
  let tree: Promise<MerkleTree> | null = null;
  return {
    what: 'trace',
    ...verdictOf(findings.problems, standing),
    ...findings,
    standing,
    signedBy: opened?.signedBy ?? [],
    unbound: [...selfDeclared(standing), notReplayed],
    facts: [['root', hex], ['leaves', String(size)], ...manifestFacts(manifest)],
    path: null,
    text,
    rows: {
      length: entries.length,
      at(index) {
        const entry = entries[index];
        if (entry?.kind !== 'step') {
          const gap = `${count(entry?.count ?? 0, 'position')} not recorded`;
          return { position: entry?.position ?? 0, input: null, output: null, logits: gap };
        }
        const { position, inputToken: input, outputToken: output, logitsHash } = entry;
        return { position, input, output, logits: bytesToHex(logitsHash) };
      },
      async path(index) {
        const leaf = index + 1;
        const { inclusionPath } = await (tree ??= treeWithPauses(trace, pause));
        return treePath({ index: leaf, size, leafHash: leafHash(leafBytes(trace, leaf)), path: inclusionPath(leaf) });
      },
    },
  };
}

function inspectLegacy(trace: LegacyTrace, anchor: Anchor, tokenizerBytes: Uint8Array | null): Inspected {
  const findings = noFindings();
  const { root, entries, metadata } = trace;
  const hex = bytesToHex(root);
  pass(
    findings,
    'file',
    `${count(entries.length, 'entry', 'entries')} hash to their leaves, and these to the root ${hex}.`,
  );
  refuseMore(anchor, findings);
  if (anchor.root !== undefined) {
    const expected = bytesToHex(anchor.root);
    const message = `The root is not the given one: ${expected} was expected, and the file leads to ${hex}.`;
    if (expected === hex) pass(findings, 'root', `It is the given one, ${hex}.`);
    else fail(findings, { code: 'PV-8060', check: 'root', message, expected, actual: hex });
  }
  const tokenizer = readGiven(tokenizerBytes, undefined, findings);
  leave(findings, 'replay', 'A page has no model: nothing was replayed.');
  const standing = anchor.root === undefined ? 'nothing' : 'given root';
  const proofOf = legacyProofs(trace);
  return {
    what: 'trace of llama2-rs',
    ...verdictOf(findings.problems, standing),
    ...findings,
    standing,
    signedBy: [],
    unbound: [
      ...selfDeclared(standing),
      'model path, prompt, number of steps and texts: no hash covers them, and anyone with the file can change them',
      ...legacyProofWarnings,
      notReplayed,
    ],
    facts: [
      ['root', hex],
      ['model path', metadata.modelPath],
      ['prompt', metadata.prompt],
      ['steps', `${metadata.steps} at most`],
    ],
    path: null,
    // No hash covers its prompt, so how much of the text it forced is unknown.
    text: tokenizer === null ? null : tokenText((at) => entries[at]?.token ?? null, entries.length, 0, tokenizer),
    rows: {
      length: entries.length,
      at(index) {
        const { position = 0, token = null, logitsHash } = entries[index] ?? {};
        const logits = logitsHash === undefined ? '' : bytesToHex(logitsHash);
        return { position, input: token, output: entries[index + 1]?.token ?? null, logits };
      },
      path(index) {
        const { leafHash: leaf, siblings } = proofOf(index);
        return Promise.resolve(legacyTreePath(leaf, siblings));
      },
    },
  };
}

/** The tokenizer that the reader gave; a failed check (PV-8010, PV-8011) if it cannot be read. */
function readGiven(bytes: Uint8Array | null, vocabSize: number | undefined, findings: Findings): Tokenizer | null {
  if (bytes === null) return null;
  const read = readTokenizer(bytes, vocabSize);
  if (read.ok) return read.value;
  fail(findings, read.error);
  return null;
}

/** The text of a trace by the recorded tokenizer; another tokenizer would give another text. */
function readText({ manifest, entries }: TraceFile, bytes: Uint8Array | null, findings: Findings): TokenText | null {
  const tokenizer = readGiven(bytes, manifest.vocabSize ?? undefined, findings);
  if (tokenizer === null) return null;
  const before = findings.problems.length;
  checkTokenizer(manifest, tokenizer, findings);
  if (findings.problems.length > before) return null;
  const forced = manifest.prompt.tokens ?? [];
  const known = new Map(forced.entries());
  for (const entry of entries) {
    if (entry.kind === 'gap') continue;
    known.set(entry.position, entry.inputToken);
    if (entry.outputToken !== null) known.set(entry.position + 1, entry.outputToken);
  }
  const last = entries.at(-1);
  const end = last === undefined ? 0 : last.position + positionsOf(last);
  const length = known.has(end) ? end + 1 : end;
  return tokenText((position) => known.get(position) ?? null, length, Math.min(forced.length, length), tokenizer);
}

async function treeWithPauses(trace: TraceFile, pause: () => Promise<void>): Promise<MerkleTree> {
  const tree = createMerkleTree();
  for (let leaf = 0; leaf < trace.size; leaf++) {
    if (leaf % 1024 === 0) await pause();
    tree.append(leafHash(leafBytes(trace, leaf)));
  }
  return tree;
}

const selfDeclared = (standing: Standing): readonly string[] =>
  standing === 'nothing' ? ['who vouches for the root: only the file itself states it'] : [];

function verdictOf(problems: readonly Problem[], standing: Standing): Pick<Inspected, 'verdict' | 'covers'> {
  if (problems.length > 0) return { verdict: 'failed', covers: nothingCovered };
  if (standing === 'nothing') {
    return { verdict: 'unanchored', covers: { shown: [], open: ['intact, root self-declared', 'nothing replayed'] } };
  }
  const size = standing === 'given root' ? ['size not bound'] : [];
  return { verdict: 'intact', covers: { shown: ['leaves', 'tree'], open: [...size, 'nothing replayed'] } };
}
