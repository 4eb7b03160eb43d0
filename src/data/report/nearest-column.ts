/** Which column of a log may be the one that a contract asks for under a name that the log does not use. */
import { closest } from '../../base/text.ts';
import { normalKey } from '../read/log-names.ts';

/** Words in other names of a column, the surest first. Losses other than the training loss are not among them. */
const words: Readonly<Record<string, readonly RegExp[]>> = {
  step: [
    /(?:^|_)(?:steps?|iters?|iterations?|updates?)(?:_|$)/,
    /(?:^|_)(?:batch(?:es)?|rounds?|n|i|t|idx|index)(?:_|$)/,
  ],
  loss: [/^train.*loss$/, /loss(?:_mean)?$/, /loss/, /(?:^|_)(?:nll|xent|ce|entropy|objective|cost|value)(?:_|$)/],
  grad_norm: [/grad.*norm/, /norm/],
  learning_rate: [/(?:^|_)lr(?:_|$)/, /(?:^|_)rate(?:_|$)/],
};
const heldOut = /(?:^|_)(?:val|valid|validation|eval|test|dev)(?:_|$)/;

/** How many values were averaged, and how far they spread. */
const counted = /_(?:num|count|std|min|max)$/;

/** The key of the column that is nearest to a name of the vocabulary; null if none is near. */
export function nearestColumn(name: string, keys: readonly string[]): string | null {
  const training = keys.filter((key) => !heldOut.test(normalKey(key)));
  for (const word of (Object.hasOwn(words, name) ? words[name] : null) ?? []) {
    const found = training.find((key) => word.test(normalKey(key)) && !counted.test(normalKey(key)));
    if (found !== undefined) return found;
  }
  return closest(name, training);
}
