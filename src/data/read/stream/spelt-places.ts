/**
 * Lines of trainers that say how far the run is, or name their loss, in a way of their own: WeNet's `TRAIN Batch 4/203700 loss 12.6`,
 * ESPnet's `1epoch:train:1-500batch:`, icefall's `Epoch 0, batch 50, loss[…]`, Marian's `Ep. 1 : Up. 2000 : … Cost 5.2`, timm's
 * `Train: 0 [  50/1251 (  4%)]`, Tacotron 2's `Train loss 5 0.7 Grad Norm 1.1`, and llama2.c's `5 | loss 2.4 | lr 1e-4`.
 */

const number = String.raw`[-+]?(?:\d[\d.,]*(?:e[-+]?\d+)?|nan|inf)`;

/** A pattern and the line in names and values; an empty one for lines that are no records. */
type Spelling = readonly [pattern: RegExp, inNames: (...groups: readonly string[]) => string];

const place = (epoch: string, step: string): string => `epoch=${epoch}, iter=${step}, `;

const spellings: readonly Spelling[] = [
  // wenet/utils/train_utils.py: the batches of a validation are judged by their mean, and other processes see the same run.
  [/\bCV Batch \d+\/\d+ .*$/, () => ''],
  [/\bTRAIN (?:\|[^|]*\| *)?Batch \d+\/\d+ (?!.*\bloss\s+[-+]?(?:nan|inf|1\.#)).*\brank [1-9]\d*\s*$/i, () => ''],
  [/\bTRAIN (?:\|[^|]*\| *)?Batch (\d+)\/(\d+) (.*)$/, (epoch, step, rest) => place(epoch, step) + rest],
  [
    new RegExp(String.raw`\bEpoch (\d+)(?: Step \d+)? CV info (?:lr \S+ )?cv_loss (${number})`),
    (epoch, loss) => `valid epoch=${epoch}, loss=${loss}`,
  ],
  // espnet2/train/reporter.py
  [/\b(\d+)epoch:train:\d+-(\d+)batch: (.*)$/, (epoch, step, rest) => place(epoch, step) + rest],
  [/\b(\d+)epoch results: \[train\] .*\[valid\] (.*)$/, (epoch, rest) => `valid epoch=${epoch}, ${rest}`],
  // icefall: other processes see the same run, and tot_loss is the mean of the batches so far.
  [/\((?!0\/)\d+\/\d+\) Epoch \d+, batch \d+, loss\[(?![^\]]*=\s*[-+]?(?:nan|inf|1\.#))[^\]]*\].*$/i, () => ''],
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
  // karpathy/llama2.c's train.py
  [/^(\d+) \| (loss \S+ \| lr .*)$/, (step, rest) => `iter=${step}, ${rest}`],
];

/** In every such line, and found faster than the patterns. */
const hint =
  /Batch \d+\/\d|\depoch|epoch\/iter|Epoch +\d+(?:,| CV| Step)|Ep\. \d|Train: \d|Train loss \d|Validation loss \d|^\d+ \| loss /i;

/** The line with its place and loss named, if it is a record of one of these trainers; otherwise the line itself. */
export function withPlaceNamed(line: string): string {
  if (!hint.test(line)) return line;
  for (const [pattern, inNames] of spellings) {
    const match = pattern.exec(line);
    if (match) return inNames(...match.slice(1).map((group) => group ?? ''));
  }
  return line;
}
