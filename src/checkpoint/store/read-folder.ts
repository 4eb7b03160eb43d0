/** A checkpoint that `provable-contracts/checkpoint` saved, as the checks of any trainer's checkpoints see it. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { memorySource } from '../byte-source.ts';
import { fileName, inFile, type CheckpointFiles } from '../checkpoint-files.ts';
import type { Checkpoint, OptimizerState, SchedulerState, StoredTensor } from '../checkpoint.ts';
import { asBytes } from '../whole-file.ts';
import { readSafetensorsFile } from '../weights.ts';
import { manifestName, partFiles, pointerName } from './layout.ts';
import { readManifest } from './manifest.ts';
import { readStateFile, type ScalarState } from './state-file.ts';

const stateName = 'state.json';

/** Whether the folder has the files of one checkpoint. */
export const isStoreFolder = ({ names }: CheckpointFiles): boolean =>
  [manifestName, stateName, partFiles.weights].every((name) => names.includes(name));

/** Whether it is a folder of such checkpoints. */
export const isStore = ({ names }: CheckpointFiles): boolean => names.includes(pointerName);

/** Reads the manifest, the state and the headers of the tensors. No hash is compared. PV-8504 names the file at fault. */
export async function readStoreFolder(files: CheckpointFiles): Promise<Result<Checkpoint, Problem>> {
  const manifest = await read(files, manifestName, readManifest);
  if (!manifest.ok) return manifest;
  const state = await read(files, stateName, readStateFile);
  if (!state.ok) return state;
  const tensors: Record<keyof typeof partFiles, readonly StoredTensor[]> = {
    weights: [],
    optimizer: [],
    gradients: [],
    others: [],
  };
  const listed: readonly string[] = manifest.value.files.map(({ name }) => name);
  for (const part of ['weights', 'optimizer', 'gradients', 'others'] as const) {
    const name = partFiles[part];
    if (!listed.includes(name) || !files.names.includes(name)) continue;
    const source = await files.source(name);
    if (!source.ok) return source;
    const found = await readSafetensorsFile(source.value, name);
    if (!found.ok) return found;
    tensors[part] = found.value.tensors;
  }
  const { weights } = tensors;
  const { position, random = {}, scaler, versions = {} } = state.value;
  const optimizer = optimizerOf(weights, tensors.optimizer, state.value);
  const scale = scaler?.['scale'];
  return ok({
    format: 'checkpoint of provable-contracts',
    position: { globalStep: position.step, epoch: position.epoch, maxSteps: null },
    settings: new Map(),
    scheduler: schedulerOf(state.value),
    optimizer,
    weights,
    others: [...(optimizer === null ? tensors.optimizer : []), ...tensors.gradients, ...tensors.others],
    log: [],
    files: files.names,
    missingWeights: listed.filter((name) => !files.names.includes(name)),
    randomStates: Object.keys(random).length === 0 ? null : Object.keys(random),
    randomBytes: [asBytes('random', memorySource(utf8ToBytes(canonicalJson({ ...random }))))],
    lossScale: typeof scale === 'number' ? scale : null,
    checksums: [],
    // Its number grows with every save, and is not that of a step.
    name: '',
    versions: new Map(Object.entries(versions)),
    refused: [],
  });
}

async function read<T>(
  files: CheckpointFiles,
  name: string,
  parse: (bytes: Uint8Array) => Result<T, string>,
): Promise<Result<T, Problem>> {
  const text = await files.text(name);
  if (!text.ok) return text;
  const parsed = parse(new TextEncoder().encode(text.value));
  return parsed.ok ? parsed : inFile(name, { code: 'PV-8504', check: 'checkpoint', message: `${parsed.error}.` });
}

/** The steps that a count names; null if it is not one. */
const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** A scheduler may keep its state in any keys; pv knows PyTorch's name for its steps and its own. */
function schedulerOf({ scheduler }: ScalarState): SchedulerState | null {
  const lastEpoch = countOf(scheduler?.['last_step']) ?? countOf(scheduler?.['last_epoch']);
  return lastEpoch === null ? null : { lastEpoch, learningRates: [], baseLearningRates: [], countsEpochs: false };
}

/**
 * Tensors named `velocity/WEIGHT` or `WEIGHT.exp_avg`, by weight. Null if one is named otherwise, since then nothing says which weight it
 * belongs to.
 */
function optimizerOf(
  weights: readonly StoredTensor[],
  tensors: readonly StoredTensor[],
  { optimizerNumbers }: ScalarState,
): OptimizerState | null {
  const step = countOf(optimizerNumbers?.['step']);
  const places = new Map(weights.map(({ name }, index) => [name, index]));
  const found = new Map<number, Map<string, StoredTensor>>();
  for (const tensor of tensors) {
    const { name } = tensor;
    const [slash, dot] = [name.indexOf('/'), name.lastIndexOf('.')];
    const before = slash < 0 ? undefined : places.get(name.slice(slash + 1));
    const index = before ?? (dot < 0 ? undefined : places.get(name.slice(0, dot)));
    if (index === undefined) return null;
    const own = found.get(index) ?? new Map<string, StoredTensor>();
    own.set(before === undefined ? name.slice(dot + 1) : name.slice(0, slash), tensor);
    found.set(index, own);
  }
  const group = {
    learningRate: null,
    parameters: weights.map((_, index) => index),
    initialRate: null,
    isStateless: tensors.length === 0,
    isAdam: false,
    unusable: [],
  };
  return { groups: [group], states: [...found].map(([index, own]) => ({ index, step, tensors: own })) };
}

/** The problem with a folder of checkpoints, of which one must be chosen. */
export async function oneOfStore(files: CheckpointFiles): Promise<Result<never, Problem>> {
  const pointer = await files.text(pointerName);
  const [, latest = 'checkpoint-…'] = (pointer.ok && /"(checkpoint-\d{8,15})"/u.exec(pointer.value)) || [];
  return wrong(
    'PV-8510',
    'format',
    `The folder has several checkpoints. Pass one of them; ${pointerName} names ${fileName(files.path)}/${latest}.`,
  );
}
