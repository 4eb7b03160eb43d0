/** Which trainer's config a file is: a format is recognised by keys that only it has; below that, pv says what would decide. */
import { listOf } from '../../base/text.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../diagnostics/source.ts';
import type { DataOptions } from './data-set.ts';
import { nearness, type ConfigFormat, type NearFormat } from './formats/config-format.ts';
import type { LikelyFormat } from './formats/unread-key.ts';
import { configFormats } from './registry.ts';
import { childOf, type DataNode, type KeyedScalar } from './syntax/tree.ts';

/** The format of a config, and what is open about it. */
interface Choice {
  /** Null if no format fits. */
  readonly format: ConfigFormat | null;
  /** What the user may want to decide. */
  readonly diagnostics: readonly Diagnostic[];
  /** The trainer whose config a plain one most likely is, and the key that it does not read. */
  readonly likely?: LikelyFormat;
}

/** The format that the user names, or the one that the keys show most strongly; if only `plain` does, which trainers are near. */
export function chooseFormat(
  source: SourceFile,
  root: DataNode,
  scalars: readonly KeyedScalar[],
  options: DataOptions,
  hasHistory: boolean,
): Choice {
  const byName = configFormats.find(({ name }) => name === options.format);
  if (byName) return { format: byName, diagnostics: [] };
  const keys = new Set([
    ...scalars.map(({ key }) => key),
    ...(root.kind === 'mapping' ? root.entries.map(({ key }) => key) : []),
  ]);
  const scored = configFormats
    .map((format) => ({ format, score: format.score(keys) }))
    .filter(({ score }) => score > 0);
  const best = scored.reduce<(typeof scored)[number] | null>((a, b) => (a === null || b.score > a.score ? b : a), null);
  const isNamed = (options.mapping?.size ?? 0) > 0 || childOf(root, 'mapping') !== null;
  const fallback = isNamed || hasHistory ? (configFormats.find(({ name }) => name === 'plain') ?? null) : null;
  const format = best?.format ?? fallback;
  if (format !== null && format.name !== 'plain') return { format, diagnostics: [] };
  const near = configFormats
    .flatMap((one) => nearness(one, keys) ?? [])
    .toSorted((a, b) => b.has.length - a.has.length);
  if (format === null) return { format, diagnostics: [noneFits(source, scalars, near)] };
  if (near.length === 0 || hasHistory) return { format, diagnostics: [] };
  const likely = near.find(({ isLikely }) => isLikely);
  const [key] = likely?.against ?? [];
  return {
    format,
    diagnostics: [notCertain(source, near)],
    ...(likely && key !== undefined ? { likely: { name: likely.name, key } } : {}),
  };
}

function noneFits(source: SourceFile, scalars: readonly KeyedScalar[], near: readonly NearFormat[]): Diagnostic {
  if (overridesIn(source.text) > scalars.length)
    return diagnostic(
      'PV-7010',
      null,
      'No data format fits the file: it overrides keys of a config that pv does not see',
      {
        subject: source.path,
        hint: 'Have the command print its composed config (Hydra can; Ultralytics writes args.yaml), and give that YAML to pv.',
      },
    );
  const found =
    scalars.length === 0
      ? 'it holds no values'
      : scalars.every(({ key }) => key.trim() === '')
        ? 'it has no keys'
        : `its keys are ${listOf(
            scalars.map(({ key }) => key),
            5,
          )}`;
  const closest = near.length === 0 ? '' : ` It resembles ${near.slice(0, MOST_NEAR).map(whyNot).join('; ')}.`;
  return diagnostic('PV-7010', null, `No data format fits the file: ${found}`, {
    subject: source.path,
    hint: `If it belongs to a trainer that pv reads, name its format with --as (pv explain PV-7010 lists the formats). Else say which keys are which, as in --map learning_rate=KEY.${closest}`,
  });
}

/** How many arguments are as `actor.optim.lr=1e-6`, in a command that is run with Hydra or OmegaConf, or as `epochs=100` of Ultralytics' yolo. */
function overridesIn(text: string): number {
  const overrides = /^\s*yolo\s/m.test(text) ? /(?<!\S)\w+=\S/g : /(?<!\S)[+~]?\w+(?:\.\w+)+=\S/g;
  return text.match(overrides)?.length ?? 0;
}

const MOST_NEAR = 3;

/** The file has a trainer's keys, but too few to take that trainer's defaults. */
function notCertain(source: SourceFile, near: readonly NearFormat[]): Diagnostic {
  const [first] = near;
  const message = `It is not certain whose config this is, so no framework's defaults are used: it resembles ${near
    .slice(0, MOST_NEAR)
    .map(whyNot)
    .join('; ')}`;
  return diagnostic('PV-7045', null, message, {
    subject: source.path,
    hint: `If it is one, say so: --as ${first?.name ?? 'plain'}. --as plain keeps what was read, without this note.`,
  });
}

/** `axolotl (it has base_model; adapter, micro_batch_size or sequence_len would decide)` */
function whyNot({ name, has, against, lacks }: NearFormat): string {
  const decides =
    against.length > 0
      ? `, but ${listOf(against.map(bare), 2)} ${against.length === 1 ? 'does' : 'do'} not belong to it`
      : `; ${lacks.slice(0, 3).map(bare).join(' or ')} would decide`;
  return `${name} (it has ${listOf(has.map(bare), 3)}${decides})`;
}

/** A mark such as `zero_optimization.` or `._component_` as a key. */
const bare = (mark: string): string => mark.replace(/^\.|\.$/g, '');
