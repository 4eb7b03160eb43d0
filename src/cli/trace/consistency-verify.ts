import { bytesToHex } from '@noble/hashes/utils.js';
import type { JsonValue } from '../../base/canonical-json.ts';
import { err } from '../../base/result.ts';
import { count, visible } from '../../base/text.ts';
import { otherKind } from '../../trace/kind/other-kind.ts';
import { verifyConsistency } from '../../trace/merkle/verify.ts';
import type { SignedBy } from '../../trace/notes/open.ts';
import { checkAnchor, type Anchor, type Standing } from '../../trace/verify/anchor.ts';
import { fail, noFindings, pass, type Findings } from '../../trace/verify/check.ts';
import { headline, markedHeadline, nothingCovered, type Coverage } from '../../trace/verify/headline.ts';
import { verdictJson } from '../../trace/verify/verdict-json.ts';
import { print, type Cli } from '../cli.ts';
import { diagnosticPalette } from '../color.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { integerBetween } from '../number-parsers.ts';
import { anchorFlags, parseRoot, readAnchor } from './anchor-flags.ts';
import { readConsistency } from './consistency-file.ts';
import { readInput } from './input.ts';
import { jsonFlag } from './json-flag.ts';
import { checkLines, jsonText, problemTexts, standingText } from './verdict-text.ts';

type Flags = {
  readonly fromRoot?: Uint8Array;
  readonly toRoot?: Uint8Array;
  readonly fromSize?: number;
  readonly toSize?: number;
  readonly fromCheckpoint?: string;
  readonly toCheckpoint?: string;
  readonly key?: readonly string[];
  readonly threshold?: number;
  readonly json: boolean;
};

const root = { kind: 'parsed', parse: parseRoot, placeholder: 'hash', optional: true } as const;
const size = { kind: 'parsed', parse: integerBetween(1), placeholder: 'leaves', optional: true } as const;
const checkpoint = { kind: 'parsed', parse: String, placeholder: 'file', optional: true } as const;

/** `pv trace consistency verify PROOF`. */
export const consistencyVerify = defineCommand<Flags, readonly [string]>({
  description:
    'Checks that the proof leads from the smaller tree to the larger, and that both are the trees you know: by their roots, or\n' +
    'by checkpoints (signed, where --key is given). Without knowing both, the exit code is 1.',
  examples: [
    [
      'pv trace consistency verify grown.proof --from-root 5f9a… --from-size 20 --to-root a24d… --to-size 61',
      'By roots',
    ],
    [
      'pv trace consistency verify grown.proof --from-checkpoint old.checkpoint --to-checkpoint new.checkpoint --key alice.pub',
      'By checkpoints that Alice signed',
    ],
  ],
  flags: {
    fromRoot: { ...root, brief: 'The root of the smaller tree' },
    toRoot: { ...root, brief: 'The root of the larger tree' },
    fromSize: { ...size, brief: 'Beside --from-root: how many leaves the smaller tree has' },
    toSize: { ...size, brief: 'Beside --to-root: how many leaves the larger tree has' },
    fromCheckpoint: { ...checkpoint, brief: 'The checkpoint of the smaller tree' },
    toCheckpoint: { ...checkpoint, brief: 'The checkpoint of the larger tree' },
    key: anchorFlags.key,
    threshold: anchorFlags.threshold,
    json: jsonFlag,
  },
  positional: { kind: 'tuple', parameters: [{ brief: 'A consistency proof', placeholder: 'proof', parse: String }] },
  run: verifyGrowth,
});

async function verifyGrowth(cli: Cli, flags: Flags, path: string): Promise<ExitCode> {
  const { key, threshold } = flags;
  const policy = { ...(key && { key }), ...(threshold !== undefined && { threshold }) };
  const given = (root?: Uint8Array, size?: number, checkpoint?: string): Promise<Anchor | ExitCode> =>
    readAnchor(cli, {
      ...policy,
      ...(root && { root }),
      ...(size !== undefined && { size }),
      ...(checkpoint !== undefined && { checkpoint }),
    });
  const from = await given(flags.fromRoot, flags.fromSize, flags.fromCheckpoint);
  if (typeof from === 'number') return from;
  const to = await given(flags.toRoot, flags.toSize, flags.toCheckpoint);
  if (typeof to === 'number') return to;
  const bytes = await readInput(cli, path);
  if (bytes === null) return exitCodes.usage;
  const findings = noFindings();
  const found = await check(bytes, from, to, findings);
  const anchored = found !== null && found.from !== 'nothing' && found.to !== 'nothing';
  const verdict = findings.problems.length > 0 ? 'failed' : anchored ? 'verified' : 'unanchored';
  print(cli, flags.json ? jsonOf(path, verdict, found, findings) : textOf(cli, path, verdict, found, findings));
  return verdict === 'verified' ? exitCodes.ok : exitCodes.findings;
}

interface Found {
  readonly size1: number;
  readonly size2: number;
  readonly root1: string;
  readonly root2: string;
  readonly from: Standing;
  readonly to: Standing;
  readonly fromSignedBy: readonly SignedBy[];
  readonly toSignedBy: readonly SignedBy[];
}

async function check(bytes: Uint8Array, from: Anchor, to: Anchor, findings: Findings): Promise<Found | null> {
  const other = otherKind(bytes, 'consistency');
  const proof = other === null ? readConsistency(bytes) : err(other);
  if (!proof.ok) {
    fail(findings, proof.error);
    return null;
  }
  const { size1, size2, root1, root2, path } = proof.value;
  const verified = verifyConsistency(proof.value);
  if (verified.ok) {
    const hashes = count(path.length, 'hash', 'hashes');
    pass(
      findings,
      'consistency path',
      `The tree of ${count(size1, 'leaf', 'leaves')} is the beginning of that of ${size2}, by ${hashes}.`,
    );
  } else fail(findings, verified.error);
  const smaller = await checkAnchor({ size: size1, root: root1, checkpoint: null }, from, findings);
  const larger = await checkAnchor({ size: size2, root: root2, checkpoint: null }, to, findings);
  const roots = { root1: bytesToHex(root1), root2: bytesToHex(root2) };
  return {
    size1,
    size2,
    ...roots,
    from: smaller.standing,
    to: larger.standing,
    fromSignedBy: smaller.opened?.signedBy ?? [],
    toSignedBy: larger.opened?.signedBy ?? [],
  };
}

const fromWeakest: readonly Standing[] = [
  'nothing',
  'given root',
  'given root and size',
  'given checkpoint',
  'signatures',
];

const weaker = (one: Standing, other: Standing): Standing =>
  fromWeakest.indexOf(one) < fromWeakest.indexOf(other) ? one : other;

/** Between two roots more than one pair of sizes may fit a path. */
const sizesUnbound = ({ from, to }: Found): boolean => [from, to].includes('given root');

const unboundOf = (found: Found): readonly string[] =>
  sizesUnbound(found) ? ['the sizes: a root alone does not bind them, and they are the word of the proof'] : [];

/** Who vouches for both trees, and so for the growth; of cosigners with the time of the larger. */
const signersOfBoth = ({ fromSignedBy, toSignedBy }: Found): readonly SignedBy[] =>
  toSignedBy.filter(({ name, keyId }) => fromSignedBy.some((one) => one.name === name && one.keyId === keyId));

type Verdict = 'verified' | 'unanchored' | 'failed';

function coverageOf(verdict: Verdict, found: Found | null): Coverage {
  if (verdict !== 'verified' || found === null) return nothingCovered;
  const growth = `growth from ${found.size1} to ${count(found.size2, 'leaf', 'leaves')}`;
  return { shown: [growth], open: sizesUnbound(found) ? ['sizes not bound'] : [] };
}

function textOf(cli: Cli, path: string, verdict: Verdict, found: Found | null, findings: Findings): string {
  const palette = diagnosticPalette(cli.process.stdout.color);
  const head = markedHeadline(verdict, headline(verdict, coverageOf(verdict, found)));
  const facts =
    found === null
      ? []
      : [
          `    from       ${count(found.size1, 'leaf', 'leaves')}, root ${found.root1}`,
          `    bound      ${standingText(found.from, '--from-root or --from-checkpoint')}`,
          `    to         ${count(found.size2, 'leaf', 'leaves')}, root ${found.root2}`,
          `    bound      ${standingText(found.to, '--to-root or --to-checkpoint')}`,
          ...unboundOf(found).map((one) => `    not shown  ${one}`),
        ];
  const { checks, problems } = findings;
  return [
    `${visible(path)}: ${head}`,
    ...checkLines(checks, palette),
    ...facts,
    ...problemTexts(problems, palette),
  ].join('\n');
}

function jsonOf(path: string, verdict: Verdict, found: Found | null, { checks, problems }: Findings): string {
  const told =
    found === null
      ? { standing: 'nothing' as const, signedBy: [], unbound: [] }
      : { standing: weaker(found.from, found.to), signedBy: signersOfBoth(found), unbound: unboundOf(found) };
  const facts = { verdict, covers: coverageOf(verdict, found), checks, problems, ...told };
  // It is JSON by its type; the compiler gives interfaces no index signature.
  return jsonText(verdictJson('consistency', path, facts, { claim: found as unknown as JsonValue }));
}
