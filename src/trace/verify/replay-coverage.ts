/** The scope of a verdict on a replay. */
import { count, listOf } from '../../base/text.ts';
import type { Entry } from '../format/trace.ts';
import type { Standing } from './anchor.ts';
import type { ReplayFiles } from './files.ts';
import { headline, nothingCovered, type Coverage, type VerdictWord } from './headline.ts';
import type { Level } from './level.ts';
import type { Replayed } from './replay.ts';
import type { Selection } from './selection.ts';
import type { ReplaySource } from './source.ts';
import { signaturesUnread } from './verdict.ts';

/** What `replayed` shows of `source`, if no check failed; `ending` is what was not shown about its end. */
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
    shown: [...tokensCounted(replayed, which), 'logits', tree],
    open: [
      ...notMadeAgain(replayed),
      ...notDisclosed(source),
      ...notCompared(source, files),
      ...notRecorded(positionsInGaps(source.entries)),
      ...source.open,
      ...ending,
      ...standingOpen[standing],
    ],
  };
}

/** The coverage of a replay that left a question open: the checks that could not be decided, and the tokens. */
export function undecidedCoverage(undecided: readonly string[], replayed: Replayed | null, which: Selection): Coverage {
  const tokens = replayed === null ? [] : [tokensCounted(replayed, which).join(', ')];
  return { shown: [], open: [`${listOf([...new Set(undecided)])} not shown`, ...tokens] };
}

/** `32 tokens chosen by the model`, `8 forced by the prompt`. */
function tokensCounted({ tokens: { forced, same, near }, positions }: Replayed, which: Selection): readonly string[] {
  const until = which.kind === 'all' ? '' : ` up to position ${positions - 1}`;
  return [
    `${count(same, 'token')} chosen by the model`,
    ...(near === 0 ? [] : [`${near} possible within the band`]),
    `${forced} forced by the prompt${until}`,
  ];
}

const notMadeAgain = ({ tokens: { unknown } }: Replayed): readonly string[] =>
  unknown === 0 ? [] : [`how ${count(unknown, 'token')} ${unknown === 1 ? 'was' : 'were'} chosen`];

/** What a converted trace of llama2-rs says about its sampler. */
const unspecified: ReadonlySet<string | null> = new Set(['', 'unspecified']);

const givenWords: Readonly<Record<ReplaySource['promptOf'], readonly string[]>> = {
  trace: [],
  file: ['prompt not bound', 'sampler your own'],
  verifier: ['prompt and sampler your own'],
};

/** What the trace does not disclose; llama2-rs binds neither prompt nor sampler. */
function notDisclosed({ recorded: { model, prompt, sampler }, promptOf }: ReplaySource): readonly string[] {
  const description = sampler.kind === 'other' ? sampler.description : null;
  const hidden = unspecified.has(description);
  const names = [
    ...(model.digest === null ? ['model'] : []),
    ...(prompt.tokens === null ? ['prompt'] : []),
    ...(hidden ? ['sampler'] : []),
  ];
  return [
    ...(names.length === 0 ? [] : [`${listOf(names)} not disclosed`]),
    ...givenWords[promptOf],
    ...(description !== null && !hidden ? ['sampler not run again'] : []),
  ];
}

function notCompared({ recorded: { prompt } }: ReplaySource, { tokenizer }: ReplayFiles): readonly string[] {
  return prompt.text !== null && prompt.tokens !== null && tokenizer === null
    ? ['text of the prompt not compared']
    : [];
}

/** How many positions were not recorded. */
export function positionsInGaps(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === 'gap' ? entry.count : 0), 0);
}

const notRecorded = (positions: number): readonly string[] =>
  positions === 0 ? [] : [`${count(positions, 'position')} not recorded`];

const standingOpen: Readonly<Record<Standing, readonly string[]>> = {
  signatures: [],
  'given checkpoint': [signaturesUnread],
  'given root and size': [],
  'given root': ['size not bound'],
  nothing: ['root self-declared'],
};

/** The first line of a verdict on a trace. */
interface Told {
  readonly verdict: VerdictWord;
  readonly covers: Coverage;
  readonly level: Level | null;
  readonly scope: {
    readonly steps: number;
    readonly gapPositions: number;
    readonly engineProfile: string;
    readonly sampling: string | null;
  };
  readonly replayed: Pick<Replayed, 'compared'> | null;
}

/** `VERIFIED (8 tokens chosen by the model, 4 forced by the prompt, logits and tree), level exact: 12 of 12 steps compared, by f32-strict/1, greedy`. */
export function replayHeadline({ verdict, covers, level, scope, replayed }: Told): string {
  // A verified verdict lists it among what it leaves open.
  const gaps = verdict === 'verified' ? [] : notRecorded(scope.gapPositions);
  const compared = `${replayed?.compared ?? 0} of ${scope.steps} steps compared`;
  const how = scope.sampling === null ? '' : `, ${scope.sampling}`;
  return `${headline(verdict, covers)}, level ${level ?? 'none'}: ${compared}, by ${[scope.engineProfile + how, ...gaps].join('; ')}`;
}
