/**
 * Records of trainers that name their numbers behind them, or by data set and metric, in the form `name=value`: darknet's
 * `100: 2.31, 2.40 avg loss, 0.001 rate, 3.1 seconds, 6400 images`, XGBoost's `[10]  train-rmse:0.45  eval-rmse:0.46` and LightGBM's
 * `[10]  training's l2: 0.45  valid_1's l2: 0.46` or `Iteration:10, training l2 : 0.45`.
 */

import { withPlaceNamed } from './spelt-places.ts';

const number = String.raw`[-+]?(?:\d[\d.]{0,30}(?:e[-+]?\d+)?|nan|inf)`;
const darknet = new RegExp(String.raw`^\s*(\d+): (${number}), (${number}) avg\b(?: loss)?(.*)$`, 'i');
const pieceOfDarknet = new RegExp(String.raw`(${number}) (rate|seconds|images)\b`, 'gi');
const boosted = /^\s*(?:\[\d\d:\d\d:\d\d\]\s*)?\[(\d+)\]\s+(?=\S{1,60}(?:-|'s )[\w@-]{1,40}:)(.*)$/;
const score = new RegExp(String.raw`([\w.]{1,60})(?:-|'s )([\w@-]{1,40}):\s*(${number})`, 'gi');
const ofCommand = /\bIteration: ?(\d+), (\w+)(?:'s)? ([\w@ ]{1,40}?) ?: (\S+)\s*$/;
const isTraining = /^(?:train|training|dtrain|learn)$/i;
const isLoss =
  /^(?:\w*log[_ ]?loss|rmsle|rmse|mae|mape|mphe|l1|l2|huber|fair|quantile|cross_entropy|\w+-(?:nloglik|deviance))$/i;
const names: Readonly<Record<string, string>> = { rate: 'lr', seconds: 'step_time', images: 'samples_seen' };

/** torchrun writes before each line which process it is from. */
const ofAnother = /^\[(?:rank|default) ?([1-9]\d*)\]:/;

/** The line with its numbers named, if it is a record of one of these trainers; otherwise the line itself. */
export function inPairs(line: string): string {
  const rank = ofAnother.exec(line)?.[1];
  return rank === undefined ? named(line) : `${named(line)}, rank=${rank}`;
}

function named(line: string): string {
  const [, step, loss, average, rest = ''] = darknet.exec(line) ?? [];
  if (step !== undefined) {
    const more = [...rest.matchAll(pieceOfDarknet)].map(
      ([, value, word = '']) => `${names[word.toLowerCase()]}=${value}`,
    );
    return [`iteration=${step}`, `loss=${loss}`, `avg_loss=${average}`, ...more].join(', ');
  }
  const [, iteration = '', set = '', metric = '', value = ''] = ofCommand.exec(line) ?? [];
  const [, round = iteration, scores = `${set}-${metric.replaceAll(' ', '_')}:${value}`] = boosted.exec(line) ?? [];
  const pairs = scoresOf(scores);
  return pairs.length === 0 ? withPlaceNamed(line) : [`iteration=${round}`, ...pairs].join(', ');
}

/** The first loss of the training set is the loss, the first of another set the held-out one. */
function scoresOf(text: string): readonly string[] {
  const taken = new Set<string>();
  return [...text.matchAll(score)].map(([, set = '', metric = '', value]) => {
    const name = isTraining.test(set) ? 'loss' : 'eval_loss';
    if (!isLoss.test(metric) || taken.has(name)) return `${set}_${metric.replaceAll(/[@-]/g, '_')}=${value}`;
    taken.add(name);
    return `${name}=${value}`;
  });
}
