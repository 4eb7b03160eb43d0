/** The page of `pv checkpoint inspect` for a person. */
import type { SchedulerState } from '../../checkpoint/checkpoint.ts';
import { count, listOf, shortened, visible } from '../../base/text.ts';
import type { Inspection, TensorGroup } from '../../checkpoint/inspect.ts';
import { sizeText } from './size-text.ts';

/** Tensors and files that are shown without `--all`. */
const shownOfEach = 12;

/** Longer names and values are cut. */
const longest = 300;

/** `all` lists every tensor and file. */
export function inspectionText(path: string, page: Inspection, all: boolean): string {
  const limit = all ? Infinity : shownOfEach;
  const { files, missing, weights, others, optimizer } = page;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const lines = [`${path}: ${page.format}, ${count(files.length, 'file')}, ${sizeText(bytes)}`];
  if (missing.length > 0) lines.push(`INCOMPLETE: ${listOf(missing, limit)} missing`);
  lines.push(
    '',
    ...facts(page, limit).map(([name, value]) => `${name.padEnd(13)} ${all ? value : shortened(value, longest)}`),
  );
  lines.push(...group('weights', weights, limit));
  if (optimizer !== null && optimizer.count > 0) lines.push(...group('optimizer', optimizer, limit));
  if (others.count > 0) lines.push(...group('other tensors', others, limit));
  lines.push('', 'files');
  for (const { name, bytes: size, sha256, isLink } of files.slice(0, limit))
    lines.push(
      `  ${shortened(name, longest)}  ${sizeText(size)}${isLink ? '  (a link)' : ''}${sha256 === null ? '' : `  sha256 ${sha256}`}`,
    );
  lines.push(...rest(files.length, limit));
  return `${lines.map(visible).join('\n')}\n`;
}

function facts(page: Inspection, limit: number): readonly (readonly [name: string, value: string])[] {
  const { position, versions, scheduler, schedulers, optimizer, randomStates, lossScale, imports, settings } = page;
  const epoch = position?.epoch ?? settings['epoch'];
  const place = [
    ...(position === null
      ? []
      : [`step ${position.globalStep}${position.maxSteps === null ? '' : ` of ${position.maxSteps}`}`]),
    ...(typeof epoch === 'number' ? [`epoch ${epoch}`] : []),
  ];
  const { weights } = page;
  return [
    ['position', place.length > 0 ? place.join(', ') : 'not saved'],
    [
      'versions',
      Object.entries(versions)
        .map((entry) => entry.join(' '))
        .join(', ') || 'not saved',
    ],
    ['weights', totals(weights, 'parameter')],
    [
      'optimizer',
      optimizer === null
        ? 'not saved, or not in a form that pv reads'
        : `${optimizer.optimizers > 1 ? `${optimizer.optimizers} optimizers, ` : ''}${count(optimizer.groups, 'group')}, ${count(optimizer.states, 'state')}${optimizer.steps.length > 0 ? ` at step ${listOf(optimizer.steps.map(String), 3)}` : ''}; ${totals(optimizer, 'number')}`,
    ],
    [
      'scheduler',
      [...(scheduler === null ? [] : [scheduler]), ...schedulers].map(schedulerText).join('; ') || 'not saved',
    ],
    ['random states', randomStates === null ? 'not saved' : listOf(randomStates, 8)],
    ['loss scale', lossScale === null ? 'not saved' : String(lossScale)],
    ...(imports.length > 0 ? [['would import', listOf(imports, limit)] as const] : []),
  ];
}

const schedulerText = ({ lastEpoch, countsEpochs, learningRates }: SchedulerState): string =>
  `after ${count(lastEpoch, countsEpochs ? 'epoch' : 'step')}, rate ${listOf(learningRates.map(String), 3) || 'not saved'}`;

function totals({ count: tensors, elements, bytes, dtypes }: TensorGroup, unit: string): string {
  if (tensors === 0) return 'no tensors';
  const kinds = Object.entries(dtypes);
  const types = kinds.length === 1 ? (kinds[0]?.[0] ?? '') : kinds.map(([dtype, n]) => `${dtype} ${n}`).join(', ');
  return `${count(tensors, 'tensor')}, ${elements.toLocaleString('en')} ${elements === 1 ? unit : `${unit}s`}, ${sizeText(bytes)} (${types})`;
}

function group(title: string, { tensors }: TensorGroup, limit: number): readonly string[] {
  if (tensors.length === 0) return [];
  const several = new Set(tensors.map(({ file }) => file)).size > 1;
  const shown = tensors
    .slice(0, limit)
    .map(
      ({ name, dtype, shape, file }) =>
        `  ${shortened(name, longest)}  ${dtype} [${shape.join(', ')}]${several ? `  ${shortened(file, longest)}` : ''}`,
    );
  return ['', title, ...shown, ...rest(tensors.length, limit)];
}

const rest = (length: number, limit: number): readonly string[] =>
  length > limit ? [`  … and ${length - limit} more (--all lists them)`] : [];
