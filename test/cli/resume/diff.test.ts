/** `pv resume diff`. Holds src/checkpoint/compare.ts, src/checkpoint/whole-file.ts, src/cli/resume/run-diff.ts, src/cli/resume/diff-text.ts. */
import { concatBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { writeSafetensors } from '../../../src/tensors/safetensors.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';
import { torchFile } from '../../support/torch-file.ts';
import { trainerFolder } from '../../support/trainer-folder.ts';

type Files = ReadonlyMap<string, Uint8Array>;

async function diff(before: Files, after: Files, ...args: readonly string[]): Promise<Ran> {
  const host = createMemoryHost();
  for (const [folder, files] of [
    ['a', before],
    ['b', after],
  ] as const)
    for (const [name, bytes] of files) host.files.set(`/project/${folder}/${name}`, bytes);
  return runPv(['resume', 'diff', 'a', 'b', ...args], { host });
}

/** The weights of a folder: a table that trains, and a bias. */
const weights = (table: number, bias: number): Uint8Array =>
  concatBytes(
    ...writeSafetensors([
      { name: 'embed.weight', shape: [3, 2], data: new Float32Array(6).fill(table) },
      { name: 'head.bias', shape: [2], data: new Float32Array(2).fill(bias) },
    ]),
  );

/** Step 50 after step 25: the table moved, the bias is frozen. */
const later = (options: object = {}): Map<string, Uint8Array> =>
  new Map([...trainerFolder({ globalStep: 50, ...options }), ['model.safetensors', weights(0.75, 0.5)]]);

const first = ({ stdout }: Ran): string => stdout.split('\n')[0] ?? '';

describe('two checkpoints of one run', () => {
  it('moved: step, rate, weights by their norms; a frozen weight is only named', async () => {
    const ran = await diff(trainerFolder(), later({ secondMoments: Float32Array.of(0.02, 0.02) }));
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(first(ran)).toBe('DIFFERENT: a → b');
    expect(ran.stdout).toContain('  step: 25 → 50\n');
    expect(ran.stdout).toContain('  steps of the scheduler: 25 → 50\n');
    expect(ran.stdout).toContain('  learning rate: 0.0008333333333333334 → 0.0005555555555555556\n');
    // √6 · 0.25 and √6 · 0.5
    expect(ran.stdout).toContain(
      'weights: 1 of 2 changed, the most changed first\n  embed.weight  changed by 0.612, where its norm was 1.22\n',
    );
    expect(ran.stdout).toContain('  unchanged (1): head.bias\n');
    expect(ran.stdout).toContain('state[1].exp_avg_sq  changed by 0.0141, where its norm was 0.0141\n');
  });

  it('are the same if nothing differs, as far as pv reads', async () => {
    const ran = await diff(trainerFolder(), trainerFolder());
    expect(ran.code).toBe(0);
    expect(first(ran)).toBe('NO DIFFERENCE in what pv reads: a → b');
  });

  it('are reported to programs', async () => {
    const ran = await diff(trainerFolder(), later({ settings: [['seed', 43]] }), '--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({
      settings: [{ name: 'seed', before: null, after: 43 }],
      weights: { both: [{ name: 'embed.weight', change: { isEqual: false } }, { name: 'head.bias' }] },
      missing: [],
    });
  });
});

describe('what a resume would lose', () => {
  it.each<[string, Files, string]>([
    [
      'weights that never moved',
      new Map([...later(), ['model.safetensors', weights(0.5, 0.5)]]),
      'stale: no weight changed in 25 steps',
    ],
    ['moments that never moved', later(), 'stale: no state of the optimizer changed in 25 steps'],
    ['an optimizer of the step before', later({ adamSteps: [25, 25] }), 'stale: the optimizer is still at step 25'],
    ['a scheduler of the step before', later({ schedulerSteps: 25 }), 'stale: the scheduler is still at step 25'],
    ['no optimizer', later({ without: ['optimizer.pt'] }), 'missing: the optimizer'],
    ['no scheduler', later({ without: ['scheduler.pt'] }), 'missing: the scheduler'],
    ['no random state', later({ without: ['rng_state.pth'] }), 'missing: the random states'],
    ['one state less', later({ states: [0] }), 'missing: 2 tensors of the optimizer, such as state[1].exp_avg'],
  ])('%s', async (_, after, found) => {
    const ran = await diff(trainerFolder(), after);
    expect(ran.code).toBe(1);
    expect(first(ran)).toMatch(/^(STALE|INCOMPLETE|STALE AND INCOMPLETE): a → b$/u);
    expect(ran.stdout).toContain(`  ${found}`);
  });

  it('random states that lack a generator', async () => {
    const without = new Map([...later(), ['rng_state.pth', torchFile(new Map())]]);
    const ran = await diff(trainerFolder(), without);
    expect([ran.code, first(ran)]).toEqual([1, 'STALE AND INCOMPLETE: a → b']);
    expect(ran.stdout).toContain('  missing: 1 random states, such as cpu');
  });

  it('is not stale where the step is the same', async () => {
    expect((await diff(trainerFolder(), trainerFolder())).stdout).toMatch(/^NO DIFFERENCE/u);
  });
});

describe('what no training does', () => {
  const moved = (): Map<string, Uint8Array> => later({ secondMoments: Float32Array.of(0.02, 0.02) });

  it.each<[string, Files, string]>([
    [
      'a weight that became zero',
      new Map([...moved(), ['model.safetensors', weights(0, 0.5)]]),
      'all numbers became zero in embed.weight',
    ],
    [
      'a weight that diverged',
      new Map([...moved(), ['model.safetensors', weights(NaN, 0.5)]]),
      'numbers are no longer finite in embed.weight',
    ],
    [
      'a weight that overflowed',
      new Map([...moved(), ['model.safetensors', weights(0.7, -Infinity)]]),
      'numbers are no longer finite in head.bias',
    ],
  ])('%s', async (_, after, found) => {
    const ran = await diff(trainerFolder(), after);
    expect([ran.code, first(ran)]).toEqual([1, 'WRONG: a → b']);
    expect(ran.stdout).toContain(`  wrong: ${found}`);
  });

  it('a step that goes back', async () => {
    const ran = await diff(moved(), trainerFolder());
    expect([ran.code, first(ran)]).toEqual([1, 'WRONG: a → b']);
    expect(ran.stdout).toContain(
      '  wrong: the step goes back from 50 to 25: the first checkpoint must be the earlier one',
    );
  });

  it('the same random states are suspicious, since a run may draw no random numbers', async () => {
    const [earlier, after] = [trainerFolder(), moved()];
    after.set('rng_state.pth', earlier.get('rng_state.pth') ?? new Uint8Array());
    const ran = await diff(earlier, after);
    expect([ran.code, first(ran)]).toEqual([0, 'SUSPICIOUS: a → b']);
    expect(ran.stdout).toContain('  suspicious: the random states are the same after 25 steps, which is right only if');
  });

  it('a bit that was flipped after the seal', async () => {
    const host = createMemoryHost();
    for (const [name, bytes] of trainerFolder()) host.files.set(`/project/a/${name}`, bytes);
    for (const [name, bytes] of moved()) host.files.set(`/project/b/${name}`, bytes);
    for (const folder of ['a', 'b']) await runPv(['checkpoint', 'seal', folder], { host });
    expect(await runPv(['resume', 'diff', 'a', 'b'], { host })).toMatchObject({ code: 0 });
    const file = host.files.get('/project/b/model.safetensors')?.slice() ?? new Uint8Array();
    file[file.length - 3] = (file.at(-3) ?? 0) ^ 1;
    host.files.set('/project/b/model.safetensors', file);
    const ran = await runPv(['resume', 'diff', 'a', 'b'], { host });
    expect([ran.code, first(ran)]).toEqual([1, 'DAMAGED: a → b']);
    expect(ran.stdout).toContain('  damaged: in the later: model.safetensors is not as pv-seal.json has it');
  });
});

describe('checkpoints of strangers', () => {
  it('may have weights of other shapes, of whole numbers, and that are not finite', async () => {
    const [one, other] = [1, 2].map(
      (n) =>
        new Map([
          ...trainerFolder({ globalStep: 25 * n }),
          [
            'model.safetensors',
            concatBytes(
              ...writeSafetensors([
                { name: 'grown', shape: [n], data: new Float32Array(n) },
                { name: 'diverged', shape: [1], data: Float32Array.of(n === 1 ? 1 : NaN) },
              ]),
            ),
          ],
        ]),
    );
    const { stdout } = await diff(one ?? new Map(), other ?? new Map());
    expect(stdout).toContain('of another form (1): grown F32 [1] → F32 [2]');
    expect(stdout).toContain('diverged  changed, with numbers that are not finite');
  });

  it('are named where they are missing or malformed', async () => {
    const cut = later();
    cut.set('model.safetensors', weights(1, 1).slice(0, 5));
    const malformed = await diff(trainerFolder(), cut);
    expect(malformed.code).toBe(1);
    expect(malformed.stderr).toContain('error[PV-');
    expect(malformed.stderr).toContain('b');
    const missing = await diff(trainerFolder(), new Map());
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('b: there is no such folder or file');
  });
});
