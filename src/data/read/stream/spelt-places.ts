/**
 * Lines of trainers that say how far the run is, or name their loss, in a way of their own: WeNet's `TRAIN Batch 4/203700 loss 12.6`,
 * ESPnet's `1epoch:train:1-500batch:`, icefall's `Epoch 0, batch 50, loss[…]`, Marian's `Ep. 1 : Up. 2000 : … Cost 5.2`, timm's
 * `Train: 0 [  50/1251 (  4%)]`, Tacotron 2's `Train loss 5 0.7 Grad Norm 1.1`, llama2.c's `5 | loss 2.4 | lr 1e-4`, BasicSR's
 * `lr:(2.000e-04,)`, VITS's lists of losses, fastText's `Progress:  8.3% …` AllenNLP's `Batch 567/17168: …`,
 * BigDL's `[Epoch 64 736512/1281167][Iteration 45457] … Loss is 1.26.`, CatBoost's `12:  learn: 0.64 …`, LION's `[Loss] 2.3 | [step] 1574`,
 * PaddleClas's `[Train][Epoch 1/300][Iter: 0/1252]lr(LinearWarmup): 0.1`, JAX's `[100] loss=2.5`, and brain.js's `iterations: 0, training error: 0.5`.
 */

const number = String.raw`[-+]?(?:\d[\d.,]*(?:e[-+]?\d+)?|nan|inf)`;

/** A pattern and the line in names and values; an empty one for lines that are no records. */
type Spelling = readonly [pattern: RegExp, inNames: (...groups: readonly string[]) => string];

/** VITS and what is built on it; each trainer adds some. */
const vitsLosses = (list: string): string =>
  list
    .split(',')
    .map((loss, i) => `${['loss_disc', 'loss_gen'][i] ?? `loss_${i}`}=${loss.trim()}`)
    .join(', ');

const place = (epoch: string, step: string): string => `epoch=${epoch}, iter=${step.replaceAll(',', '')}, `;

const spellings: readonly Spelling[] = [
  // wenet/utils/train_utils.py: the batches of a validation are judged by their mean, and other processes see the same run.
  [/\bCV Batch \d+\/\d+ .*$/, () => ''],
  [
    /\bTRAIN (?:\|[^|]*\| *)?Batch (\d+)\/(\d+) (.*\bloss\s+[-+]?(?:nan|inf|1\.#).*)\brank ([1-9]\d*)\s*$/i,
    (epoch, step, rest, rank) => `${place(epoch, step)}rank=${rank}, ${rest}`,
  ],
  [/\bTRAIN (?:\|[^|]*\| *)?Batch \d+\/\d+ .*\brank [1-9]\d*\s*$/i, () => ''],
  [/\bTRAIN (?:\|[^|]*\| *)?Batch (\d+)\/(\d+) (.*)$/, (epoch, step, rest) => place(epoch, step) + rest],
  [
    new RegExp(String.raw`\bEpoch (\d+)(?: Step \d+)? CV info (?:lr \S+ )?cv_loss (${number})`),
    (epoch, loss) => `valid epoch=${epoch}, loss=${loss}`,
  ],
  // espnet2/train/reporter.py
  [/\b(\d+)epoch:train:\d+-(\d+)batch: (.*)$/, (epoch, step, rest) => place(epoch, step) + rest],
  [/\b(\d+)epoch results: \[train\] .*\[valid\] (.*)$/, (epoch, rest) => `valid epoch=${epoch}, ${rest}`],
  // icefall: other processes see the same run, and tot_loss is the mean of the batches so far.
  [
    /\((?!0\/)(\d+)\/\d+\) Epoch (\d+), batch (\d+), loss\[([^\]]*=\s*[-+]?(?:nan|inf|1\.#)[^\]]*)\].*$/i,
    (rank, epoch, step, loss) => `${place(epoch, step)}rank=${rank}, ${loss}`,
  ],
  [/\((?!0\/)\d+\/\d+\) Epoch \d+, batch \d+, loss\[.*$/, () => ''],
  [
    /\bEpoch (\d+), batch (\d+), loss\[([^\]]*)\](.*)$/,
    (epoch, step, loss, rest) => `${place(epoch, step)}${loss}${rest.replace(/, tot_loss\[[^\]]*\]/, '')}`,
  ],
  [
    /\bEpoch (\d+), (?:batch (\d+), )?validation: (?:validation: )?(loss=.*)$/,
    (epoch, _, rest) => `valid epoch=${epoch}, ${rest}`,
  ],
  // marian/src/training/scheduler.h
  [
    new RegExp(
      String.raw`^\[(?!valid).*\] Ep\. ([\d.]+) : Up\. ([\d,]+) : .*?Cost (${number})(?:.*L\.r\. (${number}))?`,
      'i',
    ),
    (epoch, step, loss, rate) => `${place(epoch, step)}loss=${loss}${rate === '' ? '' : `, lr=${rate}`}`,
  ],
  [
    new RegExp(String.raw`\[valid\] Ep\. [\d.]+ : Up\. ([\d,]+) : (?:cross-entropy|ce-mean-words) : (${number})`, 'i'),
    (step, loss) => `valid iter=${step}, loss=${loss}`,
  ],
  // fast-reid/fastreid/utils/events.py: its iterations go on over the epochs.
  [/^(.*)\bepoch\/iter: (\d+)\/(\d+) (.*)$/, (head, epoch, step, rest) => head + place(epoch, step) + rest],
  // OpenNMT-py before 0.2
  [/^\s*Epoch +(\d+), +(\d+)\/ *(\d+); (.*)$/, (epoch, step, of, rest) => `Epoch: [${epoch}][${step}/${of}]; ${rest}`],
  // timm's train.py
  [
    /\bTrain: (\d+) \[ *(\d+)\/(\d+) +\( *\d+%\)\](.*)$/,
    (epoch, step, of, rest) => `Epoch: [${epoch}][${step}/${of}] ${rest}`,
  ],
  // NVIDIA/tacotron2's train.py, and what is built on it
  [
    new RegExp(String.raw`^Train loss (\d+) (${number}) Grad Norm (${number})`, 'i'),
    (step, loss, norm) => `iter=${step}, loss=${loss}, grad_norm=${norm}`,
  ],
  [
    new RegExp(String.raw`^Validation loss (\d+): +(${number})`, 'i'),
    (step, loss) => `valid iter=${step}, loss=${loss}`,
  ],
  // xinntao/BasicSR's utils/logger.py: a learning rate for each group of parameters
  [
    new RegExp(String.raw`\bepoch: *(\d+), iter: *([\d,]+), lr:\(?(${number})[^)>\]]*[)>](.*)$`),
    (epoch, step, rate, rest) => `${place(epoch, step)}lr=${rate.replace(/,$/, '')}, ${rest.replace(/^[\])]*/, '')}`,
  ],
  // DCGAN of PyTorch's examples
  [/^\[(\d+)\/\d+\]\[(\d+\/\d+)\](\s+Loss_D.*)$/, (epoch, step, rest) => `Epoch: [${epoch}][${step}]${rest}`],
  // jaywalnut310/vits's train.py, and so-vits-svc
  [
    new RegExp(String.raw`\[((?:${number}, ){3,12}${number}), (\d+), (0|0?\.\d\S*|\de-\d+|\d\.\d+e-\d+)\]\s*$`, 'i'),
    (list, step, rate) => `iter=${step}, lr=${rate}, ${vitsLosses(list)}`,
  ],
  [
    /\bLosses: \[([^\]]*)\], step: (\d+), lr: ([\d.e-]+)/,
    (list, step, rate) => `iter=${step}, lr=${rate}, ${vitsLosses(list)}`,
  ],
  // fastText shows how much of the run is done, again and again.
  [
    /^Progress: +([\d.]+)% +words\/sec\/thread: +\d+ +lr: +(\S+) +(?:avg\.)?loss: +(\S+)/i,
    (done, rate, loss) => `epoch=${Number(done) / 100}, lr=${rate}, loss=${loss}`,
  ],
  // allennlp/training/trainer.py, without bars
  [
    / - Batch (\d+)\/(\d+): (.*) \|\|/,
    (batch, of, rest) => `batch=${batch}, total_batches=${of}, iter=${batch}, ${rest}`,
  ],
  // BigDL's DistriOptimizer
  [
    new RegExp(
      String.raw`\[Epoch (\d+) \d+\/\d+\]\[Iteration (\d+)\].* Loss is (?:(${number})|(-?Infinity))\.(?: Current learning rate is (${number})\.)?`,
      'i',
    ),
    (epoch, step, loss, infinite, rate) =>
      `${place(epoch, step)}loss=${loss}${infinite}${rate === '' ? '' : `, lr=${rate}`}`,
  ],
  // CatBoost: its metric has no name there
  [/^(\d+):\s+(learn: .*\btotal: .*)$/, (step, rest) => `iter=${step}, ${rest}`],
  // Names in brackets, before their numbers: `[Loss] 2.3 | [step] 1574`
  [
    new RegExp(String.raw`^(?=.*\[step\] *\d)(?=.*\[loss\] *${number})(.*)$`, 'i'),
    (line) => line.replace(new RegExp(String.raw`\[(loss|step|epoch|lr)\] *(${number})`, 'gi'), '$1=$2'),
  ],
  // PaddleClas names its schedule beside the rate; the batches of an evaluation are judged by their mean.
  [/\[Eval\]\[Epoch \d+\]\[Iter: .*$/, () => ''],
  [/\[Eval\]\[Epoch (\d+)\]\[Avg\](.*)$/, (epoch, rest) => `valid epoch=${epoch}, ${rest}`],
  [
    /\[Train\]\[Epoch (\d+)\/\d+\]\[Iter: *(\d+)\/(\d+)\](?:lr\(\w*\):)?(.*)$/,
    (epoch, step, of, rest) => `Epoch: [${epoch}][${step}/${of}] ${rest.startsWith(' ') ? 'lr:' : ''}${rest}`,
  ],
  // google/CommonLoopUtils, with which Flax, T5X and others log
  [/\bI\d{4} \S+ +\d+ \w+\.py:\d+\] \[(\d+)\] (?=[\w/.-]+=)(.*)$/, (step, rest) => `iter=${step}, ${rest}`],
  // nshepperd/gpt-2 and gpt-2-simple
  [/^\[(\d+) \| \d[\d.]*\] (loss=.*)$/, (step, rest) => `iter=${step}, ${rest}`],
  // brain.js
  [/^\s*iterations: (\d+), training error: (\S+)\s*$/, (step, loss) => `iter=${step}, loss=${loss}`],
  // karpathy/llama2.c's train.py
  [/^(\d+) \| (loss \S+ \| lr .*)$/, (step, rest) => `iter=${step}, ${rest}`],
];

/** In every such line, and found faster than the patterns. */
const hint =
  /Batch \d+\/\d|\depoch|epoch\/iter|Epoch +\d+(?:,| CV| Step)|Ep\. \d|Train: \d|Train loss \d|Validation loss \d|^\d+ \| loss |, iter: *\d[\d,]*, lr:|^\[\d+\/\d+\]\[|, \d+, [\d.e-]+\]\s*$|\bLosses: \[|^Progress: |\]\[Iteration \d|^\d+:\s+learn: |\[step\] *\d|\]\[Epoch \d|\.py:\d+\] \[\d+\] |^\[\d+ \| |, training error: /i;

/** The line with its place and loss named, if it is a record of one of these trainers; otherwise the line itself. */
export function withPlaceNamed(line: string): string {
  if (!hint.test(line)) return line;
  for (const [pattern, inNames] of spellings) {
    const match = pattern.exec(line);
    if (match) return inNames(...match.slice(1).map((group) => group ?? ''));
  }
  return line;
}
