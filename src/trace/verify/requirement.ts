/** What a replay must show for a verdict to be `verified`, by name. */
import { count } from '../../base/text.ts';
import type { Engine } from '../engine/engine.ts';
import { fail, type Findings } from './check.ts';
import type { Standing } from './anchor.ts';
import type { ReplayFiles } from './files.ts';
import { openEnd } from './generation-end.ts';
import type { Replayed } from './replay.ts';
import { positionsInGaps } from './replay-coverage.ts';
import type { Selection } from './selection.ts';
import type { ReplaySource } from './source.ts';

/** Each requirement, and what a verdict that meets it shows. */
const requirements = {
  logits: 'that the logits agree',
  tokens: 'that the model chose any of the tokens',
  sampler: 'how the tokens were sampled',
  prompt: 'which tokens the prompt forced',
  text: 'that the text of the prompt is those tokens',
  end: 'that the generation ended here',
  steps: 'that every position was recorded and compared',
  model: 'that the trace names your model',
  tokenizer: 'that the trace names your tokenizer',
  root: 'who vouches for the root',
  signatures: 'that trusted keys signed the root',
} as const;

/** The name of something that a verdict can be required to show. */
export type Requirement = keyof typeof requirements;

/** In the order in which they are listed. */
export const requirementNames = Object.keys(requirements) as readonly Requirement[];

/** What is known once a replay agrees. */
export interface Evidence {
  readonly source: ReplaySource;
  readonly engine: Engine;
  readonly files: ReplayFiles;
  readonly which: Selection;
  readonly standing: Standing;
  readonly replayed: Replayed;
}

/**
 * The default requirements: a trace that binds its prompt must show that the model generated it. llama2-rs binds neither
 * prompt nor end; if the verifier gave the prompt, agreeing logits are enough, even if it forces all tokens.
 */
const requiredOf: Readonly<Record<ReplaySource['promptOf'], readonly Requirement[]>> = {
  trace: ['tokens', 'sampler', 'prompt', 'end'],
  file: ['tokens'],
  verifier: ['logits'],
};

/** Adds PV-8092, or PV-8085 for the end, for each requirement that is not met. */
export function checkRequired(
  evidence: Evidence,
  required: readonly Requirement[] | undefined,
  incomplete: boolean,
  findings: Findings,
): void {
  const names = required ?? requiredOf[evidence.source.promptOf].filter((name) => !(incomplete && name === 'end'));
  for (const name of requirementNames) {
    if (name === 'end' && names.includes(name)) requireEnd(evidence, findings);
    const why = names.includes(name) ? lacking[name](evidence) : null;
    if (why !== null) unmet(name, why, findings);
  }
  // A list that names neither still means a generation.
  if (names.includes('logits') || names.includes('tokens') || !canChooseAgain(evidence.source)) return;
  if (!reachesChosen(evidence)) unmet('tokens', allForced(evidence), findings);
}

function requireEnd({ source, engine }: Evidence, findings: Findings): void {
  const open = openEnd(source, engine.config.sequenceLength);
  if (open !== null) fail(findings, open.problem);
}

function unmet(name: Requirement, why: string, findings: Findings): void {
  fail(findings, { code: 'PV-8092', check: name, message: `It is not shown ${requirements[name]}: ${why}.` });
}

const allForced = ({ which, replayed }: Evidence): string =>
  which.kind === 'all'
    ? 'the prompt forces each that is recorded'
    : `the prompt forces each up to position ${replayed.positions - 1}, and the replay went no further`;

/** Why a requirement is not met; null if it is. */
const lacking: Readonly<Record<Requirement, (evidence: Evidence) => string | null>> = {
  logits: () => null,
  tokens(evidence) {
    if (!canChooseAgain(evidence.source)) return 'the sampler cannot be run again here';
    return reachesChosen(evidence) ? null : allForced(evidence);
  },
  sampler: ({ source: { recorded } }) =>
    recorded.sampler.kind === 'other' ? 'the sampler is another engine’s own, or not disclosed' : null,
  prompt: ({ source: { recorded, promptOf } }) => {
    if (promptOf === 'file') return 'no hash covers the prompt in the file, and none was given';
    const forced = recorded.prompt.tokens?.length ?? 0;
    return forced > 0 ? null : 'the trace does not disclose the tokens that were forced';
  },
  text: ({ source: { recorded, promptOf }, files }) => {
    if (promptOf !== 'trace') return promptOf === 'file' ? 'no hash covers the prompt in the file' : null;
    if (recorded.prompt.tokens === null || recorded.prompt.text === null) return 'the trace does not disclose both';
    return files.tokenizer === null ? 'no tokenizer was given' : null;
  },
  end: ({ source: { ending } }) =>
    ending === 'whole' ? null : ending === 'cut' ? 'the file was cut' : 'the format binds no number of steps',
  steps({ source: { entries }, which }) {
    const gaps = positionsInGaps(entries);
    if (gaps > 0) return `${count(gaps, 'position')} were not recorded`;
    return which.kind === 'all' ? null : 'only some of the steps were compared';
  },
  model: ({ source: { recorded } }) => (recorded.model.digest === null ? 'its manifest has no digest' : null),
  tokenizer({ source: { recorded }, files }) {
    if (recorded.tokenizer.digest === null) return 'its manifest has no digest';
    return files.tokenizer === null ? 'none was given' : null;
  },
  root: ({ standing }) => (standing === 'nothing' ? 'the root is self-declared' : null),
  signatures: ({ standing }) => (standing === 'signatures' ? null : 'no trusted key was given'),
};

const canChooseAgain = ({ recorded: { prompt, sampler } }: ReplaySource): boolean =>
  prompt.tokens !== null && sampler.kind !== 'other';

/** Whether the replay reached a token that the prompt does not force: part of a trace may lie inside its prompt. */
const reachesChosen = ({ replayed: { tokens } }: Evidence): boolean => tokens.same + tokens.near > 0;
