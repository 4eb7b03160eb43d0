import { count, visible } from '../../base/text.ts';
import type { Anchor } from '../../trace/verify/anchor.ts';
import { checkConsistency, type ConsistencyVerdict } from '../../trace/verify/check-consistency.ts';
import { markedFirstLine } from '../../trace/verify/first-line.ts';
import { consistencyJson } from '../../trace/verify/verdict-json.ts';
import { print, type Cli } from '../cli.ts';
import { diagnosticPalette } from '../color.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { integerBetween } from '../number-parsers.ts';
import { anchorFlags, parseRoot, readAnchor } from './anchor-flags.ts';
import { readInput } from './input.ts';
import { jsonFlag } from './json-flag.ts';
import { jsonText } from '../json-text.ts';
import { boundText, checkLines, problemTexts, exitOf } from './verdict-text.ts';

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
    fromSize: { ...size, brief: 'With --from-root: how many leaves the smaller tree has' },
    toSize: { ...size, brief: 'With --to-root: how many leaves the larger tree has' },
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
  const found = await checkConsistency(bytes, from, to);
  print(cli, flags.json ? jsonText(consistencyJson(path, found)) : textOf(cli, path, found));
  return exitOf(found);
}

function textOf(cli: Cli, path: string, found: ConsistencyVerdict): string {
  const { verdict, checks, problems, unbound, claim } = found;
  const palette = diagnosticPalette(cli.process.stdout.color);
  const facts =
    claim === null
      ? []
      : [
          `    from       ${count(claim.size1, 'leaf', 'leaves')}, root ${claim.root1}`,
          `    bound      ${boundText({ standing: claim.from, verdict }, '--from-root or --from-checkpoint')}`,
          `    to         ${count(claim.size2, 'leaf', 'leaves')}, root ${claim.root2}`,
          `    bound      ${boundText({ standing: claim.to, verdict }, '--to-root or --to-checkpoint')}`,
        ];
  return [
    `${visible(path)}: ${markedFirstLine(found)}`,
    ...checkLines(checks, palette),
    ...facts,
    ...unbound.map((one) => `    not shown  ${one}`),
    ...problemTexts(problems, palette),
  ].join('\n');
}
