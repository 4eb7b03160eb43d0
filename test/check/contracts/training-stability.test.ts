import { describe, expect, it } from 'vitest';
import { checkTexts, idsOf, obligationOf, shippedContract } from './shipped.ts';

const contract = await shippedContract('training-stability-v1');

/** A loss curve of a power law with noise that repeats exactly. */
function curve(rows: number, stride: number, from: number, noise: number): readonly (readonly [number, number])[] {
  let state = 12345;
  const random = (): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648 - 0.5;
  };
  return Array.from({ length: rows }, (_, i) => {
    const step = (i + 1) * stride;
    return [step, from * (1 + step / 200) ** -0.2 + noise * (random() + random() + random())] as const;
  });
}

const jsonLines = (rows: readonly (readonly [number, number])[], change: (i: number, loss: number) => string): string =>
  rows
    .map(([step, loss], i) => `{"step": ${step}, "loss": ${change(i, loss)}, "grad_norm": 1.5, "lr": 0.0003}`)
    .join('\n');
const same = (_: number, loss: number): string => loss.toFixed(4);

describe('a healthy run violates nothing', () => {
  it.each([
    ['in JSON Lines, every step', { 'run.jsonl': jsonLines(curve(2000, 1, 10.8, 0.1), same) }],
    ['every tenth step, noisy, as a fine-tuning run', { 'run.jsonl': jsonLines(curve(300, 10, 1.1, 0.25), same) }],
    [
      'of Hugging Face, with evaluations between and a sum at the end',
      {
        'trainer_state.json': JSON.stringify({
          global_step: 1000,
          log_history: [
            ...curve(100, 10, 2.4, 0.1).flatMap(([step, loss]) => [
              { step, epoch: step / 500, loss, grad_norm: 0.8, learning_rate: 2e-5 },
              ...(step % 200 === 0 ? [{ step, epoch: step / 500, eval_loss: loss + 0.1, eval_runtime: 3 }] : []),
            ]),
            { step: 1000, epoch: 2, train_loss: 1.9, train_runtime: 1000, total_flos: 1e15 },
          ],
        }),
      },
    ],
    [
      'of nanoGPT, in text',
      {
        'log.txt': curve(800, 1, 10.9, 0.1)
          .flatMap(([step, loss]) => [
            ...(step % 250 === 0 ? [`step ${step}: train loss ${loss.toFixed(4)}, val loss ${loss.toFixed(4)}`] : []),
            `iter ${step}: loss ${loss.toFixed(4)}, time 135.24ms, mfu 41.30%`,
          ])
          .join('\n'),
      },
    ],
    [
      'that goes on from step 40000, on its plateau',
      {
        'run.jsonl': jsonLines(
          curve(700, 1, 3, 0.05).map(([step]) => [40000 + step, 2.31 + (step % 7) / 100]),
          same,
        ),
      },
    ],
  ])('%s', async (_, files) => {
    const found = await checkTexts(contract, files);
    expect(found.problems).toEqual([]);
    expect(idsOf(found, 'violated')).toEqual([]);
    expect(idsOf(found, 'satisfied')).toEqual(
      expect.arrayContaining(['STABLE-001', 'STABLE-003', 'STABLE-004', 'STABLE-005']),
    );
  });
});

describe('a broken run', () => {
  const healthy = curve(1500, 1, 10.8, 0.1);
  const violatedBy = async (
    text: string,
    settings = {},
  ): Promise<readonly [readonly string[], readonly (number | undefined)[]]> => {
    const found = await checkTexts(contract, { 'run.jsonl': text }, settings);
    const violated = idsOf(found, 'violated');
    return [violated, violated.map((id) => obligationOf(found, id).places[0]?.at)];
  };

  it('that diverges is found at the line of its first loss that is not a number, and nowhere else', async () => {
    expect(await violatedBy(jsonLines(healthy, (i, loss) => (i >= 700 ? 'NaN' : loss.toFixed(4))))).toEqual([
      ['STABLE-001'],
      [701],
    ]);
  });

  it('that spikes is found at the line of the spike', async () => {
    expect(await violatedBy(jsonLines(healthy, (i, loss) => (i === 900 ? '41.5' : loss.toFixed(4))))).toEqual([
      ['STABLE-005'],
      [901],
    ]);
  });

  it('whose loss rises by a tenth and stays is found where five hundred steps show it', async () => {
    const [violated, lines] = await violatedBy(
      jsonLines(healthy, (i, loss) => (loss * (i < 800 ? 1 : 1 + Math.min(0.25, (i - 800) / 1000))).toFixed(4)),
    );
    expect(violated).toEqual(['STABLE-004']);
    expect(lines[0]).toBeGreaterThan(900);
    expect(lines[0]).toBeLessThan(1300);
  });

  it('that stays where it started learned nothing', async () => {
    const flat = healthy.map(([step], i) => [step, 10.39 + (i % 3) / 500] as const);
    expect((await violatedBy(jsonLines(flat.slice(0, 43), same)))[0]).toEqual(['STABLE-007']);
    expect((await violatedBy(jsonLines(flat.slice(0, 30), same)))[0]).toEqual([]);
  });

  it('that was started again from an earlier step is found at the row that goes back', async () => {
    const again = [...healthy.slice(0, 600), ...healthy.slice(499)];
    expect(await violatedBy(jsonLines(again, same))).toEqual([['STABLE-003'], [601]]);
    const twice = [...healthy.slice(0, 600), ...healthy.slice(599)];
    expect(await violatedBy(jsonLines(twice, same))).toEqual([['STABLE-003'], [601]]);
  });

  it('whose gradients explode is found, and the norm is shown', async () => {
    const text = jsonLines(healthy, same).replace('"step": 2, "loss"', '"step": 2, "loss"').split('\n');
    text[1] = (text[1] ?? '').replace('"grad_norm": 1.5', '"grad_norm": 3.28e35');
    const found = await checkTexts(contract, { 'run.jsonl': text.join('\n') });
    expect(idsOf(found, 'violated')).toEqual(['STABLE-006']);
    expect(obligationOf(found, 'STABLE-006').numbers[0]).toContain('3.28e+35 ≤ 1000000 is false');
  });
});

it('asks nothing of a short log that the log has', async () => {
  const text =
    "{'loss': 0.9, 'grad_norm': 0.1, 'learning_rate': 2e-5, 'epoch': 0.5}\n{'loss': 0.8, 'grad_norm': 0.1, 'learning_rate': 1e-5, 'epoch': 1.0}\n";
  const found = await checkTexts(contract, { 'log.txt': text });
  expect([idsOf(found, 'violated'), idsOf(found, 'undetermined')]).toEqual([[], []]);
});

describe('losses whose neighbours are alike', () => {
  /** Uniform noise that repeats exactly. */
  const noise = (seed: number): (() => number) => {
    let state = seed * 7919 + 1;
    return () => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return Math.sqrt(12) * (state / 2147483648 - 0.5);
    };
  };
  /** Noise of a standard deviation of 1, each value of which is `rho` of the one before and the rest its own. */
  const alike = (rows: number, rho: number, seed: number): readonly number[] => {
    const next = noise(seed);
    let value = next();
    return Array.from({ length: rows }, () => (value = rho * value + Math.sqrt(1 - rho * rho) * next()));
  };
  const rises = async (rows: number, stride: number, loss: (i: number) => number): Promise<boolean> => {
    const text = Array.from({ length: rows }, (_, i) => `{"step": ${(i + 1) * stride}, "loss": ${loss(i).toFixed(5)}}`);
    const found = await checkTexts(contract, { 'run.jsonl': text.join('\n') });
    return idsOf(found, 'violated').includes('STABLE-004');
  };
  const alarms = async (rows: number, stride: number, rho: number, sd: number): Promise<number> => {
    let count = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const values = alike(rows, rho, seed);
      if (await rises(rows, stride, (i) => 3 * (1 + sd * (values[i] ?? 0)))) count += 1;
    }
    return count;
  };

  it.each([
    [60, 50, 0.9],
    [200, 10, 0.5],
    [200, 10, 0.9],
    [600, 10, 0.95],
    [600, 10, 0.98],
    [900, 1, 0.98],
    [150, 100, 0.5],
  ])('%i rows, one per %i steps, alike by %d: a plateau is no rise', async (rows, stride, rho) => {
    expect(await alarms(rows, stride, rho, 0.05)).toBe(0);
    expect(await alarms(rows, stride, rho, 0.2)).toBeLessThanOrEqual(2);
  });

  it.each([
    ['by two thirds over a half of the run', (i: number) => 3 + 2 * Math.max(0, (i - 100) / 100)],
    ['by a half, at once', (i: number) => (i < 120 ? 3 : 4.5)],
    ['ever faster, at the end', (i: number) => 3 + 4 * Math.exp((i - 200) / 20)],
    ['after it fell', (i: number) => 3 + 5 * Math.exp(-i / 14) + (i < 100 ? 0 : 3 * ((i - 100) / 100) ** 2)],
  ])('a loss that rises %s is found', async (_, curveOf) => {
    for (const [rho, sd] of [
      [0, 0.05],
      [0.9, 0.02],
    ] as const) {
      const values = alike(200, rho, 3);
      expect(await rises(200, 10, (i) => curveOf(i) + 3 * sd * (values[i] ?? 0))).toBe(true);
    }
  });
});

it('a few rows of a noisy start do not show that nothing is learned', async () => {
  const rows = (losses: readonly number[]): string =>
    losses.map((loss, i) => `{"step": ${20 * (i + 1)}, "loss": ${loss}}`).join('\n');
  const violated = async (losses: readonly number[]): Promise<readonly string[]> =>
    idsOf(await checkTexts(contract, { 'run.jsonl': rows(losses) }), 'violated');
  expect(await violated([1.16, 1.33, 1.23])).toEqual([]);
  expect(await violated([1.16, 1.33, 1.23, 1.05, 1.31, 1.2, 1.25])).toEqual([]);
  expect(await violated([2.313, 2.312, 2.313, 2.312, 2.313, 2.313, 2.312])).toEqual(['STABLE-007']);
});

describe('norms that overflow at the start', () => {
  const rows = (overflowing: number, all: number, more: (i: number) => string = () => ''): string =>
    Array.from(
      { length: all },
      (_, i) =>
        `{"step": ${i + 1}, "loss": ${8 - 0.05 * i}, "grad_norm": ${i < overflowing ? 'NaN' : '1.5'}${more(i)}}`,
    ).join('\n');
  const scales = (last: number) => (i: number) => `, "loss_scale": ${Math.max(last, 2 ** (16 - i))}`;

  it.each([
    ['as the search for a loss scale takes them', 16, 60, undefined, '', 'satisfied'],
    ['for as long as a search from 2^32 takes', 33, 80, undefined, '', 'satisfied'],
    ['for one step more', 34, 80, undefined, '', 'violated'],
    ['in all rows but one', 59, 60, undefined, '', 'violated'],
    ['in most rows of a short log', 20, 30, undefined, '', 'undetermined'],
    ['with fp16 in the config', 16, 60, undefined, 'fp16: true', 'satisfied'],
    ['with bf16 in the config', 16, 60, undefined, 'bf16: true', 'violated'],
    ['while the log shows that the scale falls', 16, 60, scales(1), '', 'satisfied'],
    ['with a loss scale of 1', 17, 60, scales(1), '', 'violated'],
    [
      'with the loss scale of 1 that DeepSpeed and Megatron log for bf16',
      3,
      60,
      () => ', "loss_scale": 1',
      '',
      'violated',
    ],
  ] as const)('%s', async (_, overflowing, all, more, precision, verdict) => {
    const found = await checkTexts(contract, {
      'run.jsonl': rows(overflowing, all, more),
      'train.yaml': `per_device_train_batch_size: 4\nlr_scheduler_type: linear\n${precision}`,
    });
    expect([obligationOf(found, 'STABLE-002').verdict, obligationOf(found, 'STABLE-006').verdict]).toEqual([
      verdict,
      verdict,
    ]);
  });
});

describe('losses of exactly zero', () => {
  const dict = (loss: string, norm: string, more = ''): string =>
    `{'loss': ${loss}, 'grad_norm': ${norm}, 'learning_rate': 5e-05, ${more}'epoch': 0.01}`;
  const violated = async (name: string, text: string): Promise<readonly string[]> =>
    idsOf(await checkTexts(contract, { [name]: text }), 'violated');

  it.each([
    ['every label is masked', Array.from({ length: 6 }, () => dict('0.0', '0.0')), ['STABLE-008']],
    ['in a log without norms', Array.from({ length: 6 }, () => "{'loss': 0.0, 'epoch': 0.01}"), ['STABLE-008']],
    [
      'the trainer prints 0 for a loss that is not a number',
      Array.from({ length: 60 }, (_, i) => dict(i < 20 ? (2 - i / 50).toFixed(4) : '0.0', i < 20 ? '1.2' : 'nan')),
      ['STABLE-002', 'STABLE-006', 'STABLE-008'],
    ],
    ['GRPO has a gradient', Array.from({ length: 20 }, () => dict('0.0', '3.1875')), []],
    ['GRPO has rewards', Array.from({ length: 20 }, () => "{'loss': 0.0, 'reward': 1.5, 'epoch': 0.01}"), []],
    [
      'a classifier converges to what prints as zero',
      Array.from({ length: 60 }, (_, i) => dict((2 * 0.8 ** i).toFixed(2), '0.0')),
      [],
    ],
  ])('%s', async (_, rows, expected) => {
    expect(await violated('stdout.log', rows.join('\n'))).toEqual(expected);
  });

  it('are found where they begin to count', async () => {
    const text = jsonLines(curve(500, 1, 10.8, 0.1), (i, loss) => (i >= 300 ? '0.0' : loss.toFixed(4)));
    const found = await checkTexts(contract, { 'run.jsonl': text.replaceAll('1.5', '0') });
    expect(obligationOf(found, 'STABLE-008').places[0]?.at).toBe(310);
  });
});

it('a learning rate below zero is found at its line', async () => {
  const text = jsonLines(curve(300, 1, 10.8, 0.1), same).split('\n');
  text[250] = (text[250] ?? '').replace('0.0003', '-0.0381');
  const found = await checkTexts(contract, { 'run.jsonl': text.join('\n') });
  expect(idsOf(found, 'violated')).toEqual(['STABLE-009']);
  expect(obligationOf(found, 'STABLE-009').places[0]?.at).toBe(251);
});

describe('a schedule that begins again', () => {
  const total = 100;
  const cosine = (i: number, of: number = total): number => 1.5e-4 * (1 + Math.cos((Math.PI * Math.min(i, of)) / of));
  const warmed = (i: number): number => (i < 10 ? (3e-4 * i) / 10 : cosine(i - 10));
  const linear = (i: number): number => 3e-4 * Math.max(0, 1 - i / total);
  const rates = async (rate: (row: number) => number, settings = {}): Promise<readonly string[]> => {
    const rows = Array.from({ length: total }, (_, i) =>
      JSON.stringify({ step: 10 * (i + 1), loss: 10 * 0.97 ** i + 2, learning_rate: rate(i) }),
    );
    return idsOf(await checkTexts(contract, { 'run.jsonl': rows.join('\n') }, settings), 'violated');
  };

  it.each<readonly [string, (i: number) => number, readonly string[]]>([
    ['a cosine, on resume', (i) => (i < 50 ? cosine(i) : cosine(i - 50)), ['STABLE-010']],
    ['a line, on resume', (i) => (i < 30 ? linear(i) : linear(i - 30)), ['STABLE-010']],
    ['a cosine with its warm-up, on resume', (i) => (i < 50 ? warmed(i) : warmed(i - 50)), ['STABLE-011']],
    ['a constant with its warm-up, on resume', (i) => 3e-4 * Math.min(1, (i % 50) / 10), ['STABLE-011']],
  ])('is found: %s', async (_, rate, violated) => {
    expect(await rates(rate)).toEqual(violated);
    expect(await rates(rate, { restart_share: 1 })).toEqual([]);
  });

  it.each<readonly [string, (i: number) => number]>([
    ['a cosine after a warm-up', warmed],
    ['warm restarts (CosineAnnealingWarmRestarts)', (i) => cosine(i % 25, 25)],
    ['warm restarts that grow', (i) => (i < 20 ? cosine(i, 20) : cosine(i - 20, 40))],
    ['warm restarts to a tenth of the peak', (i) => 3e-5 + 0.9 * cosine(i % 25, 25)],
    ['a triangle (CyclicLR)', (i) => 3e-4 * (1 - Math.abs(((i % 40) - 20) / 20))],
    ['one cycle (OneCycleLR)', (i) => (i < 30 ? 1e-5 + 1e-5 * i : 3.1e-4 * (1 - (i - 30) / 70))],
    ['steps (MultiStepLR)', (i) => 3e-4 * (i < 40 ? 1 : i < 70 ? 0.1 : 0.01)],
    ['a plateau that is left (ReduceLROnPlateau)', (i) => 3e-4 * 0.5 ** Math.floor(i / 15)],
    ['a constant, raised by hand', (i) => (i < 50 ? 1e-4 : 2e-4)],
    ['a constant that one row shows as 0', (i) => (i === 40 ? 0 : 1e-4)],
    ['two groups in turn', (i) => linear(i) * (i % 2 === 0 ? 1 : 0.1)],
    ['warm-up, stable, decay', (i) => 3e-4 * Math.min(1, i / 10, (100 - i) / 20)],
  ])('is not %s', async (_, rate) => {
    expect(await rates(rate)).toEqual([]);
  });
});

describe('what a log does not say', () => {
  it('is not evaluated', async () => {
    const text = curve(700, 1, 10.8, 0.1)
      .map(([step, loss]) => `step ${step} loss ${loss.toFixed(3)}`)
      .join('\n');
    const found = await checkTexts(contract, { 'log.txt': text });
    expect(idsOf(found, 'inapplicable')).toEqual([
      'STABLE-002',
      'STABLE-006',
      'STABLE-009',
      'STABLE-010',
      'STABLE-011',
    ]);
    expect(idsOf(found, 'undetermined')).toEqual([]);
    expect(obligationOf(found, 'STABLE-002').missing.map(({ name }) => name)).toEqual(['grad_norm']);
  });

  it('is not passed: a log shorter than five hundred steps has no rise over so many', async () => {
    const found = await checkTexts(contract, { 'run.jsonl': jsonLines(curve(300, 1, 10.8, 0.1), same) });
    expect(idsOf(found, 'vacuous')).toEqual(['STABLE-004', 'STABLE-010', 'STABLE-011']);
  });
});

describe('STABLE-004 and STABLE-008 on short logs', () => {
  const log = (rows: number, loss: (i: number) => number): string =>
    Array.from({ length: rows }, (_, i) => `{"step": ${500 * (i + 1)}, "loss": ${loss(i)}}\n`).join('');

  it('an even climb of a log of every 500th step is not its own noise', async () => {
    const check = await checkTexts(contract, { 'run.jsonl': log(20, (i) => 4 + 0.25 * i) });
    expect(obligationOf(check, 'STABLE-004').verdict).toBe('violated');
  });

  it('a climb that its noise explains is not a rise', async () => {
    const check = await checkTexts(contract, {
      'run.jsonl': log(20, (i) => 4 + (i % 2 === 0 ? 0.5 : -0.5) + 0.01 * i),
    });
    expect(obligationOf(check, 'STABLE-004').verdict).toBe('satisfied');
  });

  it('the numbers of losses of zero are short', async () => {
    const check = await checkTexts(contract, { 'run.jsonl': log(20, () => 0) });
    expect(obligationOf(check, 'STABLE-008').numbers[0]).toBe('10 < 10 is false');
  });
});
