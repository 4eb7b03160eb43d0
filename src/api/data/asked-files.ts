/** What the paths of `pv check` name: contracts, data, or both. */
import type { DataSet } from '../../data/read/data-set.ts';
import type { VocabularyName } from '../../data/read/vocabulary.ts';
import { findContractFiles, readSources } from '../contract-files.ts';
import type { Session } from '../session.ts';
import { contractPath } from '../shipped-contract.ts';

/** Paths on the command line by what they name. */
export interface AskedFiles {
  /** Paths of contracts; empty if pv is to choose those that fit the data. */
  readonly contracts: readonly string[];
  readonly data: readonly string[];
}

/** Where the data have a flag of their own, every other path is a contract; otherwise a file or folder without contracts is data. */
export async function askedFiles(
  session: Session,
  paths: readonly string[],
  data: readonly string[],
): Promise<AskedFiles> {
  const contracts: string[] = [];
  const found = [...data];
  for (const path of paths) {
    const kind = await session.host.kindOf(path);
    if (kind === 'missing') contracts.push((await contractPath(session, path)) ?? path);
    else if (data.length > 0 || (await holdsContract(session, path))) contracts.push(path);
    else found.push(path);
  }
  return { contracts, data: found };
}

const keyOfContracts = /^(?:equations|proof_obligations|falsification_tests)\s*:/m;

async function holdsContract({ host }: Session, path: string): Promise<boolean> {
  const files = (await findContractFiles(host, [path])).paths.filter((file) => /\.ya?ml$/i.test(file));
  const { value } = await readSources(host, files);
  return value.some(({ text }) => keyOfContracts.test(text));
}

/** Formats of configs whose warm-up does not rise from 0 in a line, or whose schedule counts epochs. */
const otherSchedules = new Set(['deepspeed', 'mmengine', 'fairseq', 'detectron2', 'keras', 'ultralytics']);

/** Names of distillation, whose loss is not a cross-entropy. */
const ofDistillation = ['temperature', 'alpha'] as const;

/**
 * The names of the shipped contracts that a file is judged by if the user names none: those of a profile, a log or a config.
 * Intervals are judged where the best checkpoint is kept. Of a log, steps and learning rates are judged too if a companion (a
 * config, an answer) gives the last step or the peak, evaluations if one keeps the best checkpoint, and what pv_health.py recorded, and the first loss if one, or a setting, gives the vocabulary.
 */
export function contractsFor(
  data: DataSet,
  companions: readonly DataSet[],
  settings: ReadonlySet<string>,
): readonly string[] {
  const { tables, values } = data;
  if (['steps', 'transfers', 'kernels', 'syncs'].some((name) => tables.has(name))) return ['training-gpu-kernel-v1'];
  if (tables.size === 0) {
    const keepsBest = values.get('keep_best')?.value === true;
    return ['training-config-kernel-v1', ...(keepsBest ? ['training-intervals-v1'] : [])];
  }
  return ['training-stability-v1', ...contractsForRun(data, companions, settings)];
}

/** Formats whose trainers, in the versions in use, may end without an evaluation or a checkpoint, and those of an unknown trainer. */
const endAsTheyAre = new Set(['training-arguments', 'nanogpt', 'plain']);

/** The shipped contracts of which only violations are shown, as advice, if the user names none: intervals that are longer than the run. */
export function adviceFor({ format, tables, values }: DataSet): readonly string[] {
  const isSaid = values.has('save_interval') || values.has('eval_interval');
  const isJudged = values.get('keep_best')?.value === true;
  return tables.size === 0 && isSaid && !isJudged && endAsTheyAre.has(format) ? ['training-intervals-v1'] : [];
}

/** Contracts about a log and what else is known of its run. */
function contractsForRun(
  data: DataSet,
  companions: readonly DataSet[],
  settings: ReadonlySet<string>,
): readonly string[] {
  const keepsBest = [data, ...companions].some(({ values }) => values.get('keep_best')?.value === true);
  const ofBest = keepsBest && data.tables.get('eval')?.columns.has('eval_loss') ? ['training-evaluation-v1'] : [];
  const columns = data.tables.get('log')?.columns;
  const ofHealth = columns?.has('silent_adapters') === true ? ['training-health-v1'] : [];
  if (columns?.has('step') !== true) return [...ofHealth, ...ofBest];
  const isPlanned = (name: VocabularyName): boolean => {
    const plans = companions.filter(({ values }) => values.has(name));
    return plans.length > 0 && !plans.some(({ format }) => otherSchedules.has(format));
  };
  const hasPlannedRates = columns.has('learning_rate') && isPlanned('learning_rate');
  const gives = (name: VocabularyName): boolean => [data, ...companions].some(({ values }) => values.has(name));
  // Hugging Face's Trainer logs the whole config of the model in MLflow, also of classifiers.
  const guesses =
    data.format === 'mlflow' ? companions.some(({ values }) => values.has('vocab_size')) : gives('vocab_size');
  const isGuess = settings.has('vocab_size') || (guesses && !ofDistillation.some(gives));
  return [
    ...(hasPlannedRates || isPlanned('max_steps') ? ['training-record-v1'] : []),
    ...(hasPlannedRates ? ['training-schedule-v1'] : []),
    ...(columns.has('loss') && isGuess ? ['training-start-v1'] : []),
    ...ofHealth,
    ...ofBest,
  ];
}
