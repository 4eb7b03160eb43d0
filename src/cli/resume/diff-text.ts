/** The comparison of two checkpoints for a person. */
import { count, listOf, shortened, visible } from '../../base/text.ts';
import type { Comparison, Difference, TensorChange, TensorChanges } from '../../checkpoint/compare.ts';

/** Tensors and settings that are shown without `--all`. */
const shownOfEach = 10;

/** Longer names and values are cut. */
const longest = 200;

/** `all` lists every tensor and setting. */
export function comparisonText(before: string, after: string, compared: Comparison, all: boolean): string {
  const limit = all ? Infinity : shownOfEach;
  const { progress, settings, weights, optimizer, others } = compared;
  const lines = [`${headOf(compared)}: ${shortened(before)} → ${shortened(after)}`];
  for (const kind of kinds) lines.push(...compared[kind].map((what) => `  ${kind}: ${shortened(what, longest)}`));
  if (progress.length > 0) lines.push('', ...progress.map(differenceText));
  lines.push(...tensorLines('weights', weights, limit));
  lines.push(...tensorLines('tensors of the optimizer', optimizer, limit));
  lines.push(...tensorLines('other tensors', others, limit));
  if (settings.length > 0)
    lines.push(
      '',
      count(settings.length, 'setting changed', 'settings changed'),
      ...cut(settings.map(differenceText), limit),
    );
  if (compared.onlyBefore.length > 0)
    lines.push('', `files only in the earlier: ${shortened(listOf(compared.onlyBefore, limit), longest)}`);
  if (compared.onlyAfter.length > 0)
    lines.push('', `files only in the later: ${shortened(listOf(compared.onlyAfter, limit), longest)}`);
  return `${lines.map(visible).join('\n')}\n`;
}

/** What may be found, the worst first. */
const kinds = ['damaged', 'wrong', 'stale', 'missing', 'suspicious'] as const;

const heads = { damaged: 'DAMAGED', wrong: 'WRONG', stale: 'STALE', missing: 'INCOMPLETE', suspicious: 'SUSPICIOUS' };

function headOf({ progress, settings, ...compared }: Comparison): string {
  const found = kinds.filter((kind) => compared[kind].length > 0);
  const faults = found.filter((kind) => kind !== 'suspicious');
  if (found.length > 0) return (faults.length > 0 ? faults : found).map((kind) => heads[kind]).join(' AND ');
  const isEqual =
    progress.length + settings.length + compared.onlyBefore.length + compared.onlyAfter.length === 0 &&
    [compared.weights, compared.optimizer, compared.others].every(
      ({ both, onlyBefore, onlyAfter, reshaped }) =>
        onlyBefore.length + onlyAfter.length + reshaped.length === 0 && both.every(({ change }) => change.isEqual),
    );
  return isEqual ? 'NO DIFFERENCE in what pv reads' : 'DIFFERENT';
}

const differenceText = ({ name, before, after }: Difference): string =>
  `  ${shortened(name, longest)}: ${valueText(before)} → ${valueText(after)}`;

const valueText = (value: Difference['before']): string =>
  value === null ? 'not saved' : shortened(String(value), longest);

function tensorLines(title: string, changes: TensorChanges, limit: number): readonly string[] {
  const { both, onlyBefore, onlyAfter, reshaped } = changes;
  if (both.length + onlyBefore.length + onlyAfter.length + reshaped.length === 0) return [];
  const moved = both.filter(({ change }) => !change.isEqual).toSorted((a, b) => relative(b) - relative(a));
  const still = both.filter(({ change }) => change.isEqual);
  return [
    '',
    `${title}: ${moved.length} of ${both.length} changed${moved.length > 0 ? ', the most changed first' : ''}`,
    ...cut(moved.map(movedText), limit),
    ...named(
      'unchanged',
      still.map(({ name }) => name),
      limit,
    ),
    ...named('only in the earlier', onlyBefore, limit),
    ...named('only in the later', onlyAfter, limit),
    ...named(
      'of another form',
      reshaped.map(({ name, how }) => `${name} ${how}`),
      limit,
    ),
  ];
}

/** The size of a change in relation to the tensor; first those of which it is unknown. */
function relative({ change: { norms } }: TensorChange): number {
  const ratio = norms === null ? Infinity : norms.difference / norms.before;
  return Number.isNaN(ratio) ? Infinity : ratio;
}

function movedText({ name, change: { norms } }: TensorChange): string {
  const how =
    norms === null
      ? 'changed'
      : Number.isFinite(norms.difference) && Number.isFinite(norms.before)
        ? `changed by ${norms.difference.toPrecision(3)}, where its norm was ${norms.before.toPrecision(3)}`
        : 'changed, with numbers that are not finite';
  return `  ${shortened(name, longest)}  ${how}`;
}

const named = (how: string, names: readonly string[], limit: number): readonly string[] =>
  names.length === 0
    ? []
    : [
        `  ${how} (${names.length}): ${listOf(
          names.map((name) => shortened(name, longest)),
          limit,
        )}`,
      ];

const cut = (lines: readonly string[], limit: number): readonly string[] =>
  lines.length > limit ? [...lines.slice(0, limit), `  … and ${lines.length - limit} more (--all lists them)`] : lines;
