/** Opens a checkpoint of any trainer that pv knows. Its contents decide what it is; names only where contents do not. */
import { wrong, type Problem } from '../base/problem.ts';
import type { Result } from '../base/result.ts';
import { ok } from '../base/result.ts';
import { listOf, shortened } from '../base/text.ts';
import type { Host } from '../host/host.ts';
import { checkpointFiles, fileName, inFile, type CheckpointFiles } from './checkpoint-files.ts';
import type { Checkpoint } from './checkpoint.ts';
import { isDistributed, readDistributed } from './distributed/read-folder.ts';
import { accelerateState, isAccelerateFolder } from './hugging-face/accelerate.ts';
import { modelConfig } from './hugging-face/model-config.ts';
import { isTrainerFolder, readTrainerFolder } from './hugging-face/read-folder.ts';
import { isStore, isStoreFolder, oneOfStore, readStoreFolder } from './store/read-folder.ts';
import { isLegacy } from './torch/legacy-file.ts';
import { isTarArchive } from './torch/torch-file.ts';
import { checksummedParts, refusedBy } from './torch/opened-files.ts';
import { readSavedDict } from './torch/saved-dict.ts';
import { readSafetensorsFile, weightsIn, type Weights } from './weights.ts';

/** A checkpoint whose files are open. */
export interface OpenCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly files: CheckpointFiles;
  readonly close: () => Promise<void>;
}

/** Opens a folder or a file; a problem names the file at fault. PV-8510 if pv does not know its format. */
export async function openCheckpoint(host: Host, path: string): Promise<Result<OpenCheckpoint, Problem>> {
  const files = await checkpointFiles(host, path);
  if (!files.ok) return files;
  const { close, isFolder } = files.value;
  const checkpoint = await (isFolder ? readFolder(files.value) : readFile(files.value));
  if (checkpoint.ok) return ok({ checkpoint: checkpoint.value, files: files.value, close });
  await close();
  return checkpoint;
}

const anySafetensors = /\.safetensors$/u;
/** Not the states that others save next to them. */
const anyTorch = /^(?!optimizer|scheduler|scaler|sampler|training_args).*\.bin$/u;

/** Files of torch.save that are not weights. */
const isSingle = (name: string): boolean => /\.(?:pt|pth|ckpt|bin)$/u.test(name) && name !== 'training_args.bin';

async function readFolder(files: CheckpointFiles): Promise<Result<Checkpoint, Problem>> {
  const { names } = files;
  if (isDistributed(files)) return readDistributed(files);
  if (isTrainerFolder(files)) return readTrainerFolder(files);
  if (isStoreFolder(files)) return readStoreFolder(files);
  const hasWeights = names.some((name) => anySafetensors.test(name) || /(?:model.*\.bin|\.index\.json)$/u.test(name));
  if (hasWeights) return readWeightsFolder(files);
  const singles = names.filter(isSingle);
  if (singles.length === 0 && isStore(files)) return oneOfStore(files);
  if (singles.length === 1 && singles[0] !== undefined) return readSavedDict(files, singles[0]);
  return unknown(
    singles.length > 0
      ? `The folder has several files of torch.save (${listOf(
          singles.map((name) => shortened(name, 60)),
          5,
        )}). Pass the path of one of them.`
      : 'The folder has no trainer_state.json, no safetensors and no files of torch.save. Pass the folder that has the files of the checkpoint.',
  );
}

async function readWeightsFolder(files: CheckpointFiles): Promise<Result<Checkpoint, Problem>> {
  const model = await modelConfig(files);
  if (!model.ok) return model;
  const weights = await weightsIn(files, anySafetensors, anyTorch);
  if (!weights.ok) return weights;
  const isAdapter = files.names.includes('adapter_config.json');
  const shards = new Set(weights.value.tensors.map(({ file }) => file)).size;
  const isAccelerate = isAccelerateFolder(files);
  const state = isAccelerate ? await accelerateState(files) : ok({});
  if (!state.ok) return state;
  const format = isAccelerate
    ? 'folder of accelerate'
    : isAdapter
      ? 'PEFT adapter'
      : shards <= 1
        ? 'folder of weights'
        : `weights in ${shards} shards`;
  return ok({ ...weightsAlone(files, weights.value), ...model.value, ...state.value, format });
}

async function readFile(files: CheckpointFiles): Promise<Result<Checkpoint, Problem>> {
  const [name = ''] = files.names;
  const source = await files.source(name);
  if (!source.ok) return source;
  const { size, read } = source.value;
  if (size === 0) return inFile(name, { code: 'PV-8510', check: 'format', message: 'The file is empty.', offset: 0 });
  const first = await read(0, Math.min(size, 16));
  if (!first.ok) return first;
  const starts = (text: string, at = 0): boolean => [...text].every((c, i) => first.value[at + i] === c.charCodeAt(0));
  const isTar = await isTarArchive(source.value);
  if (!isTar.ok) return isTar;
  if (starts('PK') || isLegacy(first.value) || isTar.value) return readSavedDict(files, name);
  if (starts('{', 8) || anySafetensors.test(name)) {
    const weights = await readSafetensorsFile(source.value, name);
    return weights.ok ? ok(weightsAlone(files, { ...weights.value, missing: [] })) : weights;
  }
  return inFile(name, {
    code: 'PV-8510',
    check: 'format',
    message:
      'The file begins neither like safetensors nor like a file of torch.save. ' +
      (name.endsWith('.json')
        ? 'Pass the folder that has it.'
        : 'It may be cut off, or of a format that pv does not read.'),
    offset: 0,
  });
}

/** A checkpoint that has only weights. */
const weightsAlone = (files: CheckpointFiles, { tensors, missing, metadata }: Weights): Checkpoint => ({
  format: 'safetensors file',
  position: null,
  settings: new Map(),
  scheduler: null,
  optimizer: null,
  weights: tensors,
  others: [],
  log: [],
  files: files.names,
  missingWeights: missing,
  randomStates: null,
  lossScale: null,
  checksums: checksummedParts(files),
  name: fileName(files.path),
  versions: new Map(Object.entries(metadata).filter(([key]) => key === 'format' || key.endsWith('version'))),
  refused: refusedBy(files),
});

const unknown = (message: string): Result<never, Problem> => wrong('PV-8510', 'format', message);
