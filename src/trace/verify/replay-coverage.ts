/** How far the verdict on a replay goes. */
import { count, listOf } from '../../base/text.ts';
import type { Entry } from '../format/trace.ts';
import type { Standing } from './anchor.ts';
import type { ReplayFiles } from './files.ts';
import { headline, nothingCovered, type Coverage, type VerdictWord } from './headline.ts';
import type { Level } from './level.ts';
import type { Replayed } from './replay.ts';
import type { Selection } from './selection.ts';
import type { ReplaySource } from './source.ts';

/** What `replayed` shows of `source`, where no check failed; `ending` is what nobody showed of its end. */
export function replayCoverage(
  source: ReplaySource,
  files: ReplayFiles,
  which: Selection,
  replayed: Replayed | null,
  standing: Standing,
  ending: readonly string[],
): Coverage {
  if (replayed === null) return nothingCovered;
  const tree = which.kind === 'all' ? 'tree' : 'path';
  return {
    shown: ['logits', ...tokensShown(replayed), tree],
    open: [
      ...notDisclosed(source),
      ...notCompared(source, files),
      ...notRecorded(positionsInGaps(source.entries)),
      ...source.open,
      ...ending,
      ...standingOpen[standing],
    ],
  };
}

function tokensShown({ tokens: { forced, same, near, unknown } }: Replayed): readonly string[] {
  const made = forced + same + near;
  if (made === 0) return [];
  return [unknown === 0 ? 'tokens' : `${made} of ${made + unknown} tokens`];
}

/** What a converted trace of llama2-rs says of its sampler. */
const unspecified = new Set(['', 'unspecified']);

/** What the trace keeps to itself; prompt and sampler of llama2-rs are never in its file, and the verifier's own here. */
function notDisclosed({ recorded: { model, prompt, sampler }, given }: ReplaySource): readonly string[] {
  const hidden = sampler.kind === 'other' && unspecified.has(sampler.description);
  const names = [
    ...(model.digest === null ? ['model'] : []),
    ...(prompt.tokens === null ? ['prompt'] : []),
    ...(hidden ? ['sampler'] : []),
  ];
  return [
    ...(names.length === 0 ? [] : [`${listOf(names)} not disclosed`]),
    ...(given ? ['prompt and sampler your own'] : []),
    ...(sampler.kind === 'other' && !hidden ? ['sampler not run again'] : []),
  ];
}

function notCompared({ recorded: { prompt } }: ReplaySource, { tokenizer }: ReplayFiles): readonly string[] {
  return prompt.text !== null && prompt.tokens !== null && tokenizer === null
    ? ['text of the prompt not compared']
    : [];
}

/** How many positions nobody recorded. */
export function positionsInGaps(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === 'gap' ? entry.count : 0), 0);
}

const notRecorded = (positions: number): readonly string[] =>
  positions === 0 ? [] : [`${count(positions, 'position')} not recorded`];

const standingOpen: Readonly<Record<Standing, readonly string[]>> = {
  signatures: [],
  'given checkpoint': [],
  'given root and size': [],
  'given root': ['size not bound'],
  nothing: ['root self-declared'],
};

/** What the first line says of a verdict on a trace. */
interface Told {
  readonly verdict: VerdictWord;
  readonly covers: Coverage;
  readonly level: Level | null;
  readonly scope: { readonly steps: number; readonly gapPositions: number; readonly engineProfile: string };
  readonly replayed: Pick<Replayed, 'compared'> | null;
}

/** `VERIFIED (logits, tokens and tree), level exact: 12 of 12 steps compared, by f32-strict/1`. */
export function replayHeadline({ verdict, covers, level, scope, replayed }: Told): string {
  // What is verified says it among what it leaves open.
  const gaps = verdict === 'verified' ? [] : notRecorded(scope.gapPositions);
  const compared = `${replayed?.compared ?? 0} of ${scope.steps} steps compared`;
  return `${headline(verdict, covers)}, level ${level ?? 'none'}: ${compared}, by ${[scope.engineProfile, ...gaps].join('; ')}`;
}
