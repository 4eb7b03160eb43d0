/**
 * Logs that write parts of a loss and not the total, and losses that need not fall. The shape of the lines is that of issues and sources of
 * the projects that are named, the numbers are our own.
 *
 * Holds src/data/read/loss-of-parts.ts, src/data/read/stream/boxed-rows.ts.
 */
import { describe, expect, test } from 'vitest';
import { judgedLog } from '../../support/judge-log.ts';
import { readFileContent } from '../../support/read-data-file.ts';

const ROWS = 60;

interface Row {
  readonly title: string;
  readonly file?: string;
  readonly before?: string;
  readonly line: (i: number, loss: number) => string;
  readonly after?: string;
  /** The first and the last step; none if the log names epochs only. */
  readonly steps?: readonly [number, number];
  /** What is added to the loss that the line is given. */
  readonly others: number;
  /** Why rises are not judged; null if they are. */
  readonly why: RegExp | null;
}

/** Stable-Baselines3's `HumanOutputFormat`. */
const box = (i: number, train: string): string =>
  `---------------------------------\n| rollout/           |          |\n|    ep_len_mean     | 3        |\n|    ep_rew_mean     | nan      |\n| time/              |          |\n|    iterations      | ${i}        |\n|    total_timesteps | ${2048 * i}     |\n${i === 1 ? '' : train}---------------------------------`;
const vits = 'INFO:voice:Train Epoch: 11 [5%]\nINFO:voice:';
const rllib = (i: number, policies: readonly string[]): string =>
  `Result for PPO_CartPole-v0_120b5_00000:\n  counters:\n    num_agent_steps_sampled: ${4000 * i}\n  custom_metrics: {}\n  date: 2022-07-27_15-41-01\n  episode_reward_mean: ${i}.5\n  info:\n    learner:\n${policies.join('')}  node_ip: 127.0.0.1\n  training_iteration: ${i}\n  trial_id: 120b5_00000\n  \n== Status ==\nMemory usage on this node: 8.0/16.0 GiB`;
const stats = (name: string, loss: number): string =>
  `      ${name}:\n        learner_stats:\n          cur_lr: 5.0e-05\n          total_loss: ${loss}\n          vf_loss: 1.5\n`;

const reinforced = /reinforcement learning/;
const adversaries = /generator and a discriminator/;
const rows: readonly Row[] = [
  {
    title: 'CatBoost: a metric without a name, which may be one that rises',
    line: (i, loss) => `${i}:\tlearn: ${loss}\ttest: 0.93\tbest: 0.63 (0)\ttotal: 149ms\tremaining: 2s`,
    steps: [0, ROWS - 1],
    others: 0,
    why: /CatBoost/,
  },
  {
    title: 'pix2pix: its iterations in brackets',
    line: (i, loss) =>
      `(epoch: 1, iters: ${100 * (i + 1)}, time: 0.131, data: 0.002) G_GAN: 1.5 G_L1: ${loss} D_real: 0.5 D_fake: 0.25 `,
    steps: [100, 100 * ROWS],
    others: 2.25,
    why: adversaries,
  },
  {
    title: 'CycleGAN',
    line: (i, loss) =>
      `(epoch: 1, iters: ${100 * (i + 1)}, time: 0.2, data: 0.3) D_A: 0.5 G_A: 0.5 cycle_A: ${loss} idt_A: 0.5 D_B: 0.5 G_B: 0.5 cycle_B: 0.25 idt_B: 0.25 `,
    steps: [100, 100 * ROWS],
    others: 3,
    why: adversaries,
  },
  {
    title: "Stable-Baselines3's PPO: the loss in its box; the first box has none",
    line: (i, loss) =>
      box(
        i + 1,
        `| train/             |          |\n|    learning_rate   | 0.0003   |\n|    loss            | ${loss}     |\n|    value_loss      | 36.8     |\n`,
      ),
    steps: [4096, 122_880],
    others: 0,
    why: reinforced,
  },
  {
    title: "Stable-Baselines3's SAC: losses of the actor and the critic",
    line: (i, loss) =>
      box(
        i + 1,
        `| train/             |          |\n|    actor_loss      | -2.5     |\n|    critic_loss     | ${loss}     |\n|    learning_rate   | 0.0003   |\n`,
      ),
    steps: [4096, 122_880],
    others: -2.5,
    why: reinforced,
  },
  {
    title: "Stable-Baselines3's DQN without rewards",
    line: (i, loss) =>
      box(
        i + 1,
        `| train/             |          |\n|    learning_rate   | 0.0001   |\n|    loss            | ${loss}     |\n`,
      ).replace(/.*ep_rew_mean.*\n/, '|    exploration_rate | 0.5     |\n'),
    steps: [4096, 122_880],
    others: 0,
    why: reinforced,
  },
  {
    title: "CleanRL's scalars in JSON Lines",
    file: 'run.jsonl',
    line: (i, loss) =>
      `{"global_step": ${i + 1}, "losses/policy_loss": -0.5, "losses/value_loss": ${Number.isNaN(loss) ? 'NaN' : loss}, "charts/learning_rate": 0.00025}`,
    steps: [1, 60],
    others: -0.5,
    why: reinforced,
  },
  {
    title: "OpenAI's Baselines: a box without sections",
    line: (i, loss) =>
      ` --------------------------------------\n | ep_rewmean           | nan           |\n | nupdates                 | ${i}           |\n | policy_loss              | -0.5 |\n | value_loss               | ${loss} |\n --------------------------------------`,
    steps: [0, 59],
    others: -0.5,
    why: reinforced,
  },
  {
    title: 'rsl_rl: lines below the number of the iteration',
    line: (i, loss) =>
      `${'#'.repeat(80)}\n${`Learning iteration ${i}/60`.padStart(52)}\n\n${[
        'Total steps: 256',
        'Collection time: 0.768s',
        'Learning time: 0.238s',
        `Mean value_function loss: ${loss}`,
        'Mean surrogate loss: -0.5',
        'Mean reward: -4.08',
      ]
        .map((one) => one.padStart(48))
        .join('\n')}\n${'-'.repeat(80)}\n${'ETA: 00:00:09'.padStart(48)}\n`,
    steps: [0, 59],
    others: -0.5,
    why: reinforced,
  },
  {
    title: 'RLlib: results below the name of the trial',
    line: (i, loss) => rllib(i + 1, [stats('default_policy', loss)]),
    steps: [1, 60],
    others: 0,
    why: reinforced,
  },
  {
    title: 'RLlib in JSON: several policies',
    file: 'result.json',
    line: (i, loss) =>
      `{"training_iteration": ${i + 1}, "episode_reward_mean": 20.5, "info": {"learner": {"a": {"learner_stats": {"total_loss": ${Number.isNaN(loss) ? 'NaN' : loss}}}, "b": {"learner_stats": {"total_loss": 1.5}}}}}`,
    steps: [1, 60],
    others: 1.5,
    why: reinforced,
  },
  {
    title: 'spaCy: a column for each component',
    before:
      "ℹ Pipeline: ['tok2vec', 'ner']\nE    #       LOSS TOK2VEC  LOSS NER  ENTS_F  ENTS_P  ENTS_R  SCORE \n---  ------  ------------  --------  ------  ------  ------  ------\n",
    line: (i, loss) => `  ${i}   ${200 * i}         12.50   ${loss}    0.00    0.00    0.00    0.00`,
    after: '✔ Saved pipeline to output directory\n',
    steps: [0, 11_800],
    others: 12.5,
    why: /sum over the batches/,
  },
  {
    title: 'VITS: a list of losses, then the step and the learning rate',
    line: (i, loss) => `${vits}[2.25, 2.5, ${loss}, 0.25, 6, ${200 * i}, 0.00019975014057813518]`,
    steps: [0, 11_800],
    others: 11,
    why: adversaries,
  },
  {
    title: 'so-vits-svc: the list with its step beside it',
    line: (i, loss) =>
      `2023-04-18 09:48:11,453\t44k\tINFO\tLosses: [2.25, 2.5, 0.25, ${loss}, -0.5], step: ${200 * i}, lr: 5.852837659535434e-05, reference_loss: 30.6\n2023-04-18 09:48:12,646\t44k\tINFO\t====> Epoch: 4274, cost 7.40 s`,
    steps: [0, 11_800],
    others: 4.5,
    why: adversaries,
  },
  {
    title: 'RVC: the step and the learning rate, and the losses below',
    line: (i, loss) =>
      `INFO:voice:Train Epoch: 2 [1%]\nINFO:voice:[${200 * i}, 9.99875e-05]\nINFO:voice:loss_disc=3.75, loss_gen=3.0, loss_fm=10.5,loss_mel=${loss}, loss_kl=1.25`,
    steps: [0, 11_800],
    others: 18.5,
    why: adversaries,
  },
  {
    title: 'BasicSR: a rate for each group, grouped digits, and a loss in parts',
    line: (i, loss) =>
      `2020-08-15 15:50:30,390 INFO: [My_ES..][epoch:207, iter:  ${(20_000 + 100 * i).toLocaleString('en')}, lr:(1.000e-04,1.000e-05,)] [eta: 1 day, 18:13:17, time (data): 0.365 (0.002)] l_g_pix: 5.0000e-01 l_g_gan: ${loss} l_d_real: 2.5000e-01 out_d_real: 9.1384e+01`,
    steps: [20_000, 25_900],
    others: 0.75,
    why: adversaries,
  },
  {
    title: 'BasicSR without adversaries',
    line: (i, loss) =>
      `19-08-11 17:44:05.314 - INFO: <epoch:  1, iter:     ${(100 + 100 * i).toLocaleString('en')}, lr:2.000e-04> l_pix: ${loss} `,
    steps: [100, 6000],
    others: 0,
    why: null,
  },
  {
    title: 'DCGAN: two counters in brackets',
    line: (i, loss) => `[${Math.floor(i / 20)}/3][${50 * (i % 20)}/1000]\tLoss_D: 1.5\tLoss_G: ${loss}\tD(x): 0.5`,
    steps: [0, 2950],
    others: 1.5,
    why: adversaries,
  },
  {
    title: "verl: the loss of a policy, and evaluations in the record's line",
    line: (i, loss) =>
      `(TaskRunner pid=222265) step:${i + 1} - global_seqlen/min:419336 - actor/pg_loss:${loss} - actor/grad_norm:0.125 - actor/lr:2e-06${i % 5 === 0 ? ' - val-core/openai/gsm8k/acc/mean@1:0.508' : ''} - training/global_step:${i + 1} - critic/rewards/mean:0.5`,
    steps: [1, 60],
    others: 0,
    why: null,
  },
];

const falls = (i: number): number => 4 - i / 32;
const textOf = ({ before = '', line, after = '' }: Row, lossOf: (i: number) => number = falls): string =>
  `${before}${Array.from({ length: ROWS }, (_, i) => line(i, lossOf(i))).join('\n')}\n${after}`.replaceAll(
    'NaN',
    'nan',
  );

describe.each(rows)('$title', (row) => {
  const file = row.file ?? 'train.log';
  const isJson = /\.jsonl?$/.test(file);
  const text = (lossOf?: (i: number) => number): string =>
    isJson ? textOf(row, lossOf).replaceAll('nan', 'NaN') : textOf(row, lossOf);

  test('a healthy run is read whole, and passes', async () => {
    const read = await readFileContent(file, text());
    const [steps, losses] = [read.column('log', 'step'), read.column('log', 'loss')];
    expect([steps?.[0], steps?.at(-1)]).toEqual(row.steps);
    expect(losses).toEqual(Array.from({ length: ROWS }, (_, i) => falls(i) + row.others).slice(-(losses?.length ?? 0)));
    expect(losses?.length).toBeGreaterThanOrEqual(ROWS - 1);
    const said = read.messages.filter((message) => message.startsWith('Whether the losses rise'));
    expect(said.length).toBe(row.why ? 1 : 0);
    if (row.why) expect(said[0]).toMatch(row.why);
    expect(await judgedLog(file, text())).toBe('0');
  });

  test('one loss that is not a number is found', async () => {
    expect(
      await judgedLog(
        file,
        text((i) => (i === 40 ? NaN : falls(i))),
      ),
    ).toBe('1 STABLE-001');
  });

  test('losses that rise are judged only if they should fall', async () => {
    expect(
      await judgedLog(
        file,
        text((i) => 1 + i * i),
      ),
    ).toMatch(row.why ? /^0$/ : /^1 STABLE/);
  });
});

test('of several policies in one block, none hides another', async () => {
  const text = (bad: number): string =>
    Array.from({ length: 9 }, (_, i) => rllib(i + 1, [stats('a', i === bad ? NaN : 2), stats('b', 2)])).join('\n');
  expect(await judgedLog('a.log', text(-1))).toBe('0');
  expect(await judgedLog('a.log', text(5))).toBe('1 STABLE-001');
});

test('a table of Markdown is not a box', async () => {
  const text =
    '----------\n| Step | Loss |\n|------|------|\n' +
    Array.from({ length: 9 }, (_, i) => `| ${i} | ${falls(i)} |\n`).join('');
  const read = await readFileContent('a.log', text);
  expect(read.column('log', 'loss')).toEqual(Array.from({ length: 9 }, (_, i) => falls(i)));
});

test('a generator alone is not a pair of adversaries', async () => {
  const read = await readFileContent('a.log', 'step: 1, g_loss: 2.5\nstep: 2, g_loss: 2.25\n');
  expect(read.column('log', 'loss')).toBeUndefined();
});
