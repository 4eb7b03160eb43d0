/**
 * A checkpoint folder of the Hugging Face Trainer: `trainer_state.json`, weights, `optimizer.pt`, `scheduler.pt`, `rng_state*.pth`
 * and `training_args.bin`. What is missing is left out; what is there and cannot be read is a problem.
 */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { entriesOf, type Pickled } from '../../pickle/pickled.ts';
import { fileName, inFile, type CheckpointFiles } from '../checkpoint-files.ts';
import type { Checkpoint, OptimizerState, SchedulerState, StoredTensor } from '../checkpoint.ts';
import { scalarOf } from '../numbers.ts';
import { checksummedParts, refusedBy } from '../torch/opened-files.ts';
import { optimizerState, schedulerState, type FindTensor } from '../torch/training-state.ts';
import { asBytes } from '../whole-file.ts';
import { findTensor, weightsIn } from '../weights.ts';
import { modelConfig } from './model-config.ts';
import { readTrainerState } from './trainer-state.ts';
import { trainingArguments } from './training-args.ts';

const stateFile = 'trainer_state.json';

const asSafetensors = /^(?:adapter_)?model(?:-\d+-of-\d+)?\.safetensors$/u;
const asTorch = /^(?:pytorch|adapter)_model(?:-\d+-of-\d+)?\.bin$/u;

/** Whether the Trainer wrote this folder: a model alone may have its training_args.bin too. */
export const isTrainerFolder = ({ names }: CheckpointFiles): boolean =>
  [stateFile, 'optimizer.pt', 'scheduler.pt'].some((name) => names.includes(name));

/** Reads the folder; a problem names the file at fault. */
export async function readTrainerFolder(files: CheckpointFiles): Promise<Result<Checkpoint, Problem>> {
  if (!files.names.includes(stateFile))
    return wrong('PV-8504', stateFile, `${stateFile}, which says where training stopped, is missing.`);
  const text = await files.text(stateFile);
  if (!text.ok) return text;
  const state = readTrainerState(text.value);
  if (!state.ok) return state;
  const settings = await pickleIn(files, 'training_args.bin');
  if (!settings.ok) return settings;
  const scheduler = await readScheduler(files);
  if (!scheduler.ok) return scheduler;
  const scaler = await pickleIn(files, 'scaler.pt');
  if (!scaler.ok) return scaler;
  const random = await readRandomStates(files);
  if (!random.ok) return random;
  const optimizer = await readOptimizer(files);
  if (!optimizer.ok) return optimizer;
  const weights = await weightsIn(files, asSafetensors, asTorch);
  if (!weights.ok) return weights;
  const model = await modelConfig(files);
  if (!model.ok) return model;
  const { position, log, scalars } = state.value;
  const scale = entriesOf(scaler.value)?.get('scale');
  return ok({
    format: 'Hugging Face Trainer folder',
    position,
    log,
    settings: new Map([...scalars, ...trainingArguments(settings.value ?? null)]),
    scheduler: scheduler.value,
    optimizer: optimizer.value,
    weights: weights.value.tensors,
    others: [],
    files: files.names,
    missingWeights: weights.value.missing,
    randomStates: random.value.generators,
    randomBytes: random.value.files,
    lossScale: typeof scale === 'number' ? scale : null,
    checksums: checksummedParts(files),
    name: fileName(files.path),
    versions: model.value.versions,
    refused: refusedBy(files),
  });
}

/** The pickle of a file; null if the file is missing. */
async function pickleIn(files: CheckpointFiles, name: string): Promise<Result<Pickled, Problem>> {
  const opened = await files.torch(name);
  return opened.ok ? ok(opened.value && opened.value.file.pickle.value) : opened;
}

async function readScheduler(files: CheckpointFiles): Promise<Result<SchedulerState | null, Problem>> {
  const name = 'scheduler.pt';
  const value = await pickleIn(files, name);
  if (!value.ok || !files.names.includes(name)) return value.ok ? ok(null) : value;
  const state = schedulerState(value.value);
  return state === null
    ? wrong(
        'PV-8504',
        'scheduler',
        `${name} is not the state of a scheduler: it has no last_epoch that is a whole number.`,
      )
    : ok(state);
}

/** The names of the generators that every `rng_state*.pth` has saved, null without such a file; and these files. */
async function readRandomStates(
  files: CheckpointFiles,
): Promise<
  Result<{ readonly generators: readonly string[] | null; readonly files: readonly StoredTensor[] }, Problem>
> {
  const names = files.names.filter((name) => /^rng_state(?:_\d+)?\.pth$/u.test(name));
  const saved: (readonly string[])[] = [];
  const found: StoredTensor[] = [];
  for (const name of names) {
    const value = await pickleIn(files, name);
    if (!value.ok) return value;
    const source = await files.source(name);
    if (!source.ok) return source;
    found.push(asBytes(name, source.value));
    saved.push([...(entriesOf(value.value)?.keys() ?? [])].filter((key) => typeof key === 'string'));
  }
  const [first, ...others] = saved;
  const generators = first?.filter((key) => others.every((keys) => keys.includes(key))) ?? null;
  return ok({ generators, files: found });
}

async function readOptimizer(files: CheckpointFiles): Promise<Result<OptimizerState | null, Problem>> {
  const name = 'optimizer.pt';
  const opened = await files.torch(name);
  if (!opened.ok || opened.value === null) return opened.ok ? ok(null) : opened;
  const { value: torch } = opened;
  const find: FindTensor = (value, called) => findTensor(torch, name, value, called);
  const state = await optimizerState(torch.file.pickle.value, find, scalarOf);
  return state.ok ? state : inFile(name, state.error);
}
