/** The page and the text of several rounds. Holds src/cli/fed/round-timeline.ts, src/cli/fed/rounds-text.ts. */
import { beforeAll, describe, expect, it } from 'vitest';
import { roundsPage } from '../../../src/cli/fed/rounds-page.ts';
import { roundsJson, roundsText, type VerifiedFolders } from '../../../src/cli/fed/rounds-text.ts';
import { ok } from '../../../src/base/result.ts';
import { readNodeFolder } from '../../../src/federated/verify/verify-round.ts';
import { gaussianEpsilon } from '../../../src/federated/privacy/gaussian.ts';
import { good, idOf } from '../../federated/nodes.ts';
import { severalRounds, type SeveralRounds } from '../../federated/several-rounds.ts';

let scene: SeveralRounds;
beforeAll(async () => {
  scene = await severalRounds();
});

async function verified(...names: readonly string[]): Promise<VerifiedFolders> {
  const folders = [];
  for (const name of names) folders.push(good(await readNodeFolder(scene.host, name)));
  return { folders, verdicts: await scene.verify(...names), scope: 'signed by <friends>' };
}

describe('the page of rounds', () => {
  it('shows events with their signers, norms, refusals, ε, and a folder that does not verify', async () => {
    const page = roundsPage(await verified('ada', 'bernd'));
    expect(page).toContain('<span class="mark v-falsified">FAILED</span>');
    expect(page).toContain('bernd: PV-8604: The delta');
    expect(page).toMatch(/consent signed by bernd\+\w{8} <code>[\w+/]{16}…<\/code>; token signed by ada\+/);
    expect(page.match(/<svg viewBox/g)).toHaveLength(6);
    expect(page.match(/<code>consent_required<\/code> × 1: round\.join, round \w{26}</g)).toHaveLength(2);
    expect(page).toContain('revokes its consent');
    expect(page).toContain(`ε = ${gaussianEpsilon(Math.sqrt(2) / 2, 1e-5)} at δ = 0.00001`);
    expect(page).toContain('no bound (a submission without noise)');
  });

  it('has no script, no request and no markup of others', async () => {
    const page = roundsPage(await verified('ada'));
    expect(page).not.toMatch(/<script|<img|https?:|\u001b|\u202e|NaN|undefined|\[object/u);
    expect(page).toContain('&lt;img src=x');
    expect(page).toContain('signed by &lt;friends&gt;');
    expect(page).toContain('<span class="mark v-unbound">NO RESULT</span>');
  });
});

describe('the text of rounds', () => {
  it('adds up ε for each participant', async () => {
    const { verdicts, scope } = await verified('ada', 'bernd');
    const text = roundsText(verdicts, scope);
    expect(text).toContain('PRIVACY over 3 rounds');
    expect(text).toContain(
      `ε = ${gaussianEpsilon(Math.sqrt(2) / 2, 1e-5)} at δ = 0.00001 after 2 submissions of ${idOf('ada')}`,
    );
    expect(text.match(/^ada: VERIFIED/gm)).toHaveLength(2);
    expect(text.match(/^bernd: FAILED/gm)).toHaveLength(1);
    expect(text.match(/adapter {6}/g)).toHaveLength(2);
  });

  it('counts in its first line what the manifest lets count, and says what the round continues from', async () => {
    const { verdicts, scope } = await verified('ada');
    const reputations = ['bernd', 'clara'].map((name) => ({ participant: idOf(name), factor: 0 }));
    const asked = { reputations, previousAggregateSha: 'a'.repeat(64), serverOptimizer: 'fedavgm' } as const;
    const [first] = verdicts.map((verdict) => {
      if (!verdict.verified.ok) return verdict;
      const { state, ...rest } = verdict.verified.value;
      const manifest = { ...state.manifest, ...asked, serverLearningRate: 1000 };
      return { ...verdict, verified: ok({ ...rest, state: { ...state, manifest } }) };
    });
    const shown = first === undefined ? [] : [first];
    const text = roundsText(shown, scope);
    expect(text).toMatch(/^VERIFIED: round \w{26}: 1 of 3 submissions aggregated again to the same adapter;/);
    expect(text.match(/left out: reputation 0/g)).toHaveLength(2);
    expect(text).toContain('with the coordinator’s reputations of 2 nodes, then a step of 1000 by fedavgm');
    expect(text).toMatch(/continues {4}a{64}, which the manifest names and this round does not vouch for/);
    expect(JSON.parse(roundsJson(shown, true))).toMatchObject({
      rounds: [{ submissions: [{ leftOut: false }, { leftOut: true }, { leftOut: true }] }],
    });
  });

  it('is JSON for programs, with null where nothing bounds ε', async () => {
    const { verdicts } = await verified('ada');
    expect(JSON.parse(roundsJson(verdicts, true))).toMatchObject({
      rounds: [{ verdict: 'verified', identitiesChecked: true }, { verdict: 'verified' }, { verdict: 'no result' }],
      clients: expect.arrayContaining([{ participant: idOf('bernd'), releases: 3, epsilon: null, delta: 1e-5 }]),
    });
  });
});
