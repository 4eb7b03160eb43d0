/** A round on a terminal while it runs: lines that stay, and under them the state of the round, drawn anew in place. */
import { visible } from '../../base/text.ts';
import { phaseOf, submissionsOf, type RoundState } from '../../federated/round/state.ts';
import { print, type Cli } from '../cli.ts';
import { refusalText, shortId, type ShownRefusal } from './refusal-text.ts';

/** The view of one round. Without a terminal, and in CI, it is a plain log of lines. */
export interface RoundView {
  /** Prints a line that stays. */
  readonly line: (text: string) => void;
  /** Draws the round as it is at `now`, in milliseconds since 1970, with the last of what was refused. */
  readonly show: (state: RoundState, now: number, refusals?: readonly ShownRefusal[]) => void;
  /** Leaves the last state on the screen. */
  readonly end: () => void;
}

/** A view on standard output. */
export function createRoundView(cli: Cli): RoundView {
  const { stdout, env } = cli.process;
  const line = (text: string): void => print(cli, text);
  if (!stdout.isTerminal || env['CI'] || env['TERM'] === 'dumb')
    return { line, show: () => undefined, end: () => undefined };
  let drawn: readonly string[] = [];
  const erase = (): void => {
    if (drawn.length > 0) stdout.write(`\u001B[${drawn.length}A\u001B[J`);
  };
  const draw = (rows: readonly string[]): void => {
    // A row as wide as the terminal would wrap, and the next drawing would leave part of it behind.
    drawn = rows.map((row) => row.slice(0, Math.max(0, stdout.columns - 1)));
    for (const row of drawn) print(cli, `${row}\n`);
  };
  return {
    line: (text) => {
      erase();
      print(cli, text);
      draw(drawn);
    },
    show: (state, now, refusals = []) => {
      erase();
      draw([...rowsOf(state, now), ...refusals.slice(-mostRefusals).map((one) => `  refused ${refusalText(one)}`)]);
    },
    end: () => {
      drawn = [];
    },
  };
}

const barWidth = 20;

/** What is drawn in place must fit on a screen. */
const mostMembers = 12;
const mostRefusals = 4;

function rowsOf(state: RoundState, now: number): readonly string[] {
  const { manifest, members, result } = state;
  const [submitted, most] = [submissionsOf(state).length, manifest.maxParticipants];
  const left = Math.max(0, Math.ceil((manifest.deadline - now) / 1000));
  const filled = Math.round((barWidth * submitted) / most);
  const needed = submitted < manifest.minParticipants ? `, ${manifest.minParticipants} are needed` : '';
  return [
    '',
    `  ${phaseOf(state)}  ${visible(manifest.topic)}, ${left > 0 ? `${Math.floor(left / 60)} min ${left % 60} s left` : 'the deadline has passed'}`,
    `  [${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${submitted} of at most ${most} submissions${needed}`,
    ...[...members].slice(0, mostMembers).map(([node, { phase }]) => `  ${phase.padEnd(10)} ${shortId(node)}`),
    ...(members.size > mostMembers ? [`  … and ${members.size - mostMembers} more`] : []),
    ...(result === null ? [] : [`  adapter ${result.aggregatedDeltaSha}`]),
  ];
}
