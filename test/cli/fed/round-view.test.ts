import { describe, expect, it } from 'vitest';
import { createRoundView } from '../../../src/cli/fed/round-view.ts';
import { present } from '../../../src/base/invariant.ts';
import { memoryCli, type RunOptions } from '../../support/memory-cli.ts';
import { createWorld, draftOf, good, minute, start, startNode } from '../../federated/nodes.ts';

/** What a terminal shows after these codes: cursor up, erase below. */
function screen(written: string): readonly string[] {
  const lines = [''];
  for (const part of written.split(/(\u001B\[\d*[AJ]|\n)/)) {
    const up = /^\u001B\[(\d+)A$/.exec(part);
    if (up !== null) lines.splice(lines.length - 1 - Number(up[1]), lines.length, '');
    else if (part === '\n') lines.push('');
    else if (part !== '\u001B[J') lines[lines.length - 1] = `${lines.at(-1)}${part}`;
  }
  return lines;
}

async function viewed(options: RunOptions): Promise<string> {
  const { cli, written } = memoryCli(options);
  const view = createRoundView(cli);
  const ada = await startNode(createWorld(['ada']), 'ada');
  const id = good(await ada.coordinator.announceRound(draftOf({ topic: '\u001B[2Jtopic' })));
  const state = () => present(ada.node.replica.rounds.get(id), 'announced');
  view.line('first');
  view.show(state(), start);
  view.line('second');
  good(await ada.participant.join(id, true));
  const refusal = { capability: 'experimental.fedlearn.round.join', code: 'round_full', sender: '\u001B[2J', count: 1 };
  view.show(state(), start + 9.5 * minute, [refusal]);
  view.line('third');
  view.end();
  view.line('last');
  return written.stdout;
}

describe('the view of a round', () => {
  it('keeps the lines, and draws the state of the round under them, in place', async () => {
    expect(screen(await viewed({ terminal: true }))).toEqual([
      'first',
      'second',
      'third',
      '',
      '  JOINED  ␛[2Jtopic, 0 min 30 s left',
      '  [....................] 0 of at most 8 submissions, 3 are needed',
      expect.stringMatching(/^ {2}JOINED {5}ada\+\w{8}$/),
      '  refused round_full: round.join by \uFFFD\uFFFD2J',
      'last',
      '',
    ]);
  });

  it.each<readonly [string, RunOptions]>([
    ['without a terminal', {}],
    ['in CI', { terminal: true, env: { CI: 'true' } }],
  ])('is a plain log %s', async (_, options) => {
    expect(await viewed(options)).toBe('first\nsecond\nthird\nlast\n');
  });
});
