/**
 * A checkpoint folder of the Hugging Face Trainer: `trainer_state.json`, weights, `optimizer.pt`, `scheduler.pt`, `rng_state*.pth`
 * and `training_args.bin`. What is missing is left out; what is there and cannot be read is a problem.
 */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Host } from '../../host/host.ts';
import { entriesOf, type Pickled } from '../../pickle/pickled.ts';
import { readSafetensorsHeader, safetensorsDataStart } from '../../tensors/safetensors.ts';
import { byteSource, type ByteSource } from '../byte-source.ts';
import type { Checkpoint, OptimizerState, StoredTensor } from '../checkpoint.ts';
import { scalarOf } from '../numbers.ts';
import { openTorchFile, type TorchFile } from '../torch/torch-file.ts';
import { placeOfTensor, torchTensor } from '../torch/torch-tensors.ts';
import { optimizerState, schedulerState, type FindTensor } from '../torch/training-state.ts';
import { readTrainerState } from './trainer-state.ts';
import { trainingArguments } from './training-args.ts';

/** Logs of long runs have some tens of megabytes. */
const largestState = 256 * 1024 ** 2;

/** Opens files of one folder, and closes them. */
interface Folder {
  readonly host: Host;
  readonly path: string;
  readonly files: readonly string[];
  readonly open: (name: string) => Promise<Result<ByteSource, Problem>>;
}

/** A checkpoint whose files are open. */
export interface OpenCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly close: () => Promise<void>;
}

/** Opens the folder; a problem names the file at fault. */
export async function openTrainerFolder(host: Host, path: string): Promise<Result<OpenCheckpoint, Problem>> {
  const listed = await host.list(path);
  if (!listed.ok) return wrong('PV-8502', 'folder', `The folder cannot be read: it ${listed.error.message}.`);
  const files = listed.value.filter(({ kind }) => kind === 'file').map(({ name }) => name);
  const closing: (() => Promise<void>)[] = [];
  const open: Folder['open'] = async (name) => {
    const file = await host.openFile(`${path}/${name}`);
    if (!file.ok) return wrong('PV-8502', 'file', `${name} cannot be read: it ${file.error.message}.`);
    closing.push(file.value.close);
    return ok(byteSource(file.value));
  };
  const close = async (): Promise<void> => void (await Promise.all(closing.map((one) => one())));
  const checkpoint = await readFolder({ host, path, files, open });
  if (checkpoint.ok) return ok({ checkpoint: checkpoint.value, close });
  await close();
  return checkpoint;
}

async function readFolder(folder: Folder): Promise<Result<Checkpoint, Problem>> {
  const { host, path, files } = folder;
  const text = await host.readText(`${path}/trainer_state.json`, { maxBytes: largestState });
  if (!text.ok)
    return wrong('PV-8504', 'trainer_state.json', `trainer_state.json cannot be read: it ${text.error.message}.`);
  const state = readTrainerState(text.value);
  if (!state.ok) return state;
  const [settings, scheduler] = [await pickleIn(folder, 'training_args.bin'), await pickleIn(folder, 'scheduler.pt')];
  if (!settings.ok) return settings;
  if (!scheduler.ok) return scheduler;
  const optimizer = await readOptimizer(folder);
  if (!optimizer.ok) return optimizer;
  const weights = await readWeights(folder);
  if (!weights.ok) return weights;
  const { position, log, scalars } = state.value;
  return ok({
    format: 'Hugging Face Trainer folder',
    position,
    log,
    settings: new Map([...scalars, ...trainingArguments(settings.value?.value ?? null)]),
    scheduler: scheduler.value && schedulerState(scheduler.value.value),
    optimizer: optimizer.value?.state ?? null,
    weights: weights.value,
    files,
    refused: [...new Set([settings, scheduler, optimizer].flatMap(({ value }) => value?.refused ?? []))].toSorted(),
  });
}

interface Read {
  readonly value: Pickled;
  readonly refused: readonly string[];
}

/** Null if the file is missing. */
async function pickleIn(folder: Folder, name: string): Promise<Result<Read | null, Problem>> {
  const opened = await openIn(folder, name);
  return opened.ok
    ? ok(opened.value && { value: opened.value.file.pickle.value, refused: refusedIn(opened.value.file) })
    : opened;
}

interface OpenedTorch {
  readonly source: ByteSource;
  readonly file: TorchFile;
}

async function openIn({ files, open }: Folder, name: string): Promise<Result<OpenedTorch | null, Problem>> {
  if (!files.includes(name)) return ok(null);
  const source = await open(name);
  if (!source.ok) return source;
  const file = await openTorchFile(source.value);
  return file.ok ? ok({ source: source.value, file: file.value }) : inFile(name, file.error);
}

const inFile = (name: string, problem: Problem): Result<never, Problem> =>
  wrong(
    problem.code,
    problem.check,
    `${name}: ${problem.message}`,
    problem.offset === undefined ? {} : { offset: problem.offset },
  );

/** What PyTorch itself loads without being asked. */
const plain = /^(?:torch\.(?:_utils\._rebuild_\w+|\w+Storage|Size|device)|collections\.OrderedDict)$/u;

const refusedIn = ({ pickle }: TorchFile): readonly string[] => pickle.globals.filter((name) => !plain.test(name));

async function readOptimizer(
  folder: Folder,
): Promise<Result<{ readonly state: OptimizerState; readonly refused: readonly string[] } | null, Problem>> {
  const name = 'optimizer.pt';
  const opened = await openIn(folder, name);
  if (!opened.ok || opened.value === null) return opened.ok ? ok(null) : opened;
  const { value: torch } = opened;
  const { file } = torch;
  const find: FindTensor = (value, called) => findTensor(torch, name, value, called);
  const state = await optimizerState(file.pickle.value, find, scalarOf);
  return state.ok ? ok({ state: state.value, refused: refusedIn(file) }) : inFile(name, state.error);
}

/** All weights: of one file or of several shards, as safetensors or as files of `torch.save`. */
async function readWeights(folder: Folder): Promise<Result<readonly StoredTensor[], Problem>> {
  const names = folder.files.filter((name) => /^(?:adapter_)?model(?:-\d+-of-\d+)?\.safetensors$/u.test(name));
  if (names.length === 0) return readTorchWeights(folder);
  const weights: StoredTensor[] = [];
  for (const name of names) {
    const source = await folder.open(name);
    if (!source.ok) return source;
    const header = await readHeader(source.value);
    if (!header.ok) return inFile(name, header.error);
    const { tensors, dataStart } = header.value;
    for (const [called, { dtype, shape, start, end }] of tensors)
      weights.push({
        name: called,
        dtype,
        shape,
        source: source.value,
        offset: dataStart + start,
        bytes: end - start,
        file: name,
      });
  }
  return ok(weights);
}

async function readTorchWeights(folder: Folder): Promise<Result<readonly StoredTensor[], Problem>> {
  const names = folder.files.filter((name) => /^(?:pytorch|adapter)_model(?:-\d+-of-\d+)?\.bin$/u.test(name));
  const weights: StoredTensor[] = [];
  for (const name of names) {
    const opened = await openIn(folder, name);
    if (!opened.ok) return opened;
    for (const [called, value] of entriesOf(opened.value?.file.pickle.value) ?? []) {
      const tensor =
        opened.value && findTensor(opened.value, name, value, typeof called === 'string' ? called : 'a weight');
      if (tensor?.ok === false) return tensor;
      if (tensor?.value) weights.push(tensor.value);
    }
  }
  return ok(weights);
}

/** The tensor that `value` describes, in the file `name`; null if it is something else. */
function findTensor(
  { source, file }: OpenedTorch,
  name: string,
  value: Pickled,
  called: string,
): Result<StoredTensor | null, Problem> {
  const tensor = torchTensor(value);
  if (tensor === null) return ok(null);
  const place = placeOfTensor(file, tensor);
  if (!place.ok) return inFile(`${name}: ${called}`, place.error);
  return ok({ name: called, dtype: tensor.dtype, shape: tensor.shape, source, file: name, ...place.value });
}

async function readHeader(source: ByteSource): Promise<ReturnType<typeof readSafetensorsHeader>> {
  const first = await source.read(0, Math.min(8, source.size));
  const start = first.ok ? safetensorsDataStart(first.value, source.size) : first;
  if (!start.ok) return start;
  const header = await source.read(8, start.value - 8);
  return header.ok ? readSafetensorsHeader(header.value, source.size) : header;
}
