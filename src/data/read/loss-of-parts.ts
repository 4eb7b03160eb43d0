/**
 * Losses of logs that write parts of a loss and not the total: detectors, image restoration, adversaries, reinforcement
 * learning, spaCy. Some of them need not fall, so that only their being numbers can be judged.
 */
import type { DataColumn, DataTable } from './data-set.ts';
import { normalKey } from './log-names.ts';

/** A loss that is the sum of parts. */
export interface LossOfParts {
  readonly loss: DataColumn;
  readonly keys: readonly string[];
  /** A row needs all of the parts; otherwise its loss is the sum of those that it has. */
  readonly areWeighted: boolean;
}

interface Family {
  readonly isPart: (name: string, key: string) => boolean;
  /** Whether these parts, by their normal keys, are those of the family. */
  readonly fits: (names: readonly string[]) => boolean;
  readonly areWeighted: boolean;
  /** Why the losses need not fall; null if they should. */
  readonly why: (names: readonly string[]) => string | null;
}

const REINFORCED = 'losses of reinforcement learning follow what the policy meets, and a reward is not a loss';
const ADVERSARIES = 'a generator and a discriminator train against each other';
const UNNAMED = 'CatBoost does not write which metric it prints, and some of them rise';
const SUMMED = 'each is a sum over the batches since the row before';

const detector = /^train_(?:box|cls|dfl|obj|seg|sem|pose|kobj|rle|angle|giou|l1)_loss$/;
const beside = /^(?:train_)?loss_(?:fm|mel|kl|dur|lf0|\d+)$|^[dg]_b$|^(?:cycle|idt)_[ab]$|^g_(?:l1|nce|vgg)$|^d_fake$/;
const ofRllib = /(?:^|_)learner_stats_(?:total_)?loss$|^(?:info_)?learners?_(?!all_)\w+_total_loss$/;
/** Columns that only such logs have, besides the rewards of GRPO, whose loss is that of a policy alone. */
const ofReinforcement = /^(?:episode_reward|value_loss)$|(?:^|_)(?:ep_len_mean|exploration_rate|explained_variance)$/;
const ofSpacy = /^LOSS [A-Z0-9_.]+$/;

const families: readonly Family[] = [
  { isPart: (name) => detector.test(name), fits: ({ length }) => length >= 2, areWeighted: true, why: () => null },
  {
    // BasicSR and what is built on it.
    isPart: (name) => /^l_(?:[dg]_)?[a-z]\w*$/.test(name),
    fits: (names) => names.some((name) => /pix|percep|fea|gan/.test(name)),
    areWeighted: true,
    why: (names) => (names.some((name) => /^l_d_|gan/.test(name)) ? ADVERSARIES : null),
  },
  {
    isPart: (name) => name === 'generator_loss' || name === 'discriminator_loss' || beside.test(name),
    fits: (names) => names.includes('generator_loss') && names.includes('discriminator_loss'),
    areWeighted: false,
    why: () => ADVERSARIES,
  },
  { isPart: (name) => ofRllib.test(name), fits: ({ length }) => length > 0, areWeighted: false, why: () => REINFORCED },
  {
    isPart: (name) => name === 'policy_loss' || name === 'value_loss',
    fits: ({ length }) => length > 0,
    areWeighted: false,
    why: (names) => (names.includes('value_loss') ? REINFORCED : null),
  },
  { isPart: (_, key) => key === 'learn', fits: ({ length }) => length > 0, areWeighted: false, why: () => UNNAMED },
  { isPart: (_, key) => ofSpacy.test(key), fits: ({ length }) => length > 0, areWeighted: false, why: () => SUMMED },
];

/** The loss of a table without one, from the parts that it has; null if it has none that are known. */
export function lossOfParts({ columns }: DataTable): LossOfParts | null {
  for (const family of families) {
    const parts = partsOf(columns, family);
    if (family.areWeighted && parts.some(({ column }) => column.present !== null)) continue;
    if (parts.length === 0) continue;
    const summed = parts.map(({ column }) => column);
    return { loss: sumOf(summed), keys: summed.map(({ key }) => key), areWeighted: family.areWeighted };
  }
  return null;
}

/** Why the losses of a table need not fall; null if they should. */
export function whyFree({ columns }: DataTable): string | null {
  const names = [...columns.keys()];
  if (names.some((name) => ofReinforcement.test(normalKey(name)))) return REINFORCED;
  for (const family of families) {
    const parts = partsOf(columns, family).map(({ name }) => name);
    const why = parts.length === 0 ? null : family.why(parts);
    if (why !== null) return why;
  }
  return null;
}

interface Part {
  readonly name: string;
  readonly column: DataColumn;
}

/** The parts that a family finds; none if they are not its own. */
function partsOf(columns: DataTable['columns'], { isPart, fits }: Family): readonly Part[] {
  const parts = [...columns].flatMap(([key, column]) => {
    const name = normalKey(key);
    return isPart(name, column.key) ? [{ name, column }] : [];
  });
  return fits(parts.map(({ name }) => name)) ? parts : [];
}

/** Row by row, of the parts that the row has. */
function sumOf(parts: readonly DataColumn[]): DataColumn {
  const rows = parts[0]?.values.length ?? 0;
  const values = new Float64Array(rows);
  const present = new Uint8Array(rows);
  for (const part of parts)
    for (let row = 0; row < rows; row++) {
      if (part.present?.[row] === 0) continue;
      values[row] = (values[row] ?? 0) + (part.values[row] ?? NaN);
      present[row] = 1;
    }
  const gap = parts.find((part) => part.gap)?.gap;
  const key = parts.map((part) => part.key).join(' + ');
  return { values, present: present.includes(0) ? present : null, key, ...(gap ? { gap } : {}) };
}
