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
import type { Checkpoint, OptimizerState, SchedulerState, StoredTensor } from '../checkpoint.ts';
import { scalarOf } from '../numbers.ts';
import { openTorchFile, type TorchFile } from '../torch/torch-file.ts';
import { placeOfTensor, torchTensor } from '../torch/torch-tensors.ts';
import { optimizerState, schedulerState, type FindTensor } from '../torch/training-state.ts';
import { parsePythonJson } from './python-json.ts';
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
  /** Files of torch.save that were opened. */
  readonly torch: Map<string, OpenedTorch>;
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
  const checkpoint = await readFolder({ host, path, files, open, torch: new Map() });
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
  const settings = await pickleIn(folder, 'training_args.bin');
  if (!settings.ok) return settings;
  const scheduler = await readScheduler(folder);
  if (!scheduler.ok) return scheduler;
  const scaler = await pickleIn(folder, 'scaler.pt');
  if (!scaler.ok) return scaler;
  const random = await readRandomStates(folder);
  if (!random.ok) return random;
  const optimizer = await readOptimizer(folder);
  if (!optimizer.ok) return optimizer;
  const weights = await readWeights(folder);
  if (!weights.ok) return weights;
  const missing = await missingWeights(folder, weights.value);
  if (!missing.ok) return missing;
  const { position, log, scalars } = state.value;
  const scale = entriesOf(scaler.value)?.get('scale');
  return ok({
    format: 'Hugging Face Trainer folder',
    position,
    log,
    settings: new Map([...scalars, ...trainingArguments(settings.value ?? null)]),
    scheduler: scheduler.value,
    optimizer: optimizer.value,
    weights: weights.value,
    files,
    missingWeights: missing.value,
    randomStates: random.value,
    lossScale: typeof scale === 'number' ? scale : null,
    checksums: [...folder.torch].flatMap(
      ([
        file,
        {
          source,
          file: { entries },
        },
      ]) => entries.map((entry) => ({ ...entry, name: `${file}: ${entry.name}`, source })),
    ),
    name: path.split('/').findLast((part) => part !== '') ?? path,
    refused: [...new Set([...folder.torch.values()].flatMap(({ file }) => refusedIn(file)))].toSorted(),
  });
}

/** The pickle of a file; null if the file is missing. */
async function pickleIn(folder: Folder, name: string): Promise<Result<Pickled, Problem>> {
  const opened = await openIn(folder, name);
  return opened.ok ? ok(opened.value && opened.value.file.pickle.value) : opened;
}

async function readScheduler(folder: Folder): Promise<Result<SchedulerState | null, Problem>> {
  const name = 'scheduler.pt';
  const value = await pickleIn(folder, name);
  if (!value.ok || !folder.files.includes(name)) return value.ok ? ok(null) : value;
  const state = schedulerState(value.value);
  return state === null
    ? wrong(
        'PV-8504',
        'scheduler',
        `${name} is not the state of a scheduler: it has no last_epoch that is a whole number.`,
      )
    : ok(state);
}

/** The names of the generators that every `rng_state*.pth` has saved; null without such a file. */
async function readRandomStates(folder: Folder): Promise<Result<readonly string[] | null, Problem>> {
  const names = folder.files.filter((name) => /^rng_state(?:_\d+)?\.pth$/u.test(name));
  const saved: (readonly string[])[] = [];
  for (const name of names) {
    const value = await pickleIn(folder, name);
    if (!value.ok) return value;
    saved.push([...(entriesOf(value.value)?.keys() ?? [])].filter((key) => typeof key === 'string'));
  }
  const [first, ...others] = saved;
  return ok(first?.filter((key) => others.every((keys) => keys.includes(key))) ?? null);
}

/** Tensors and shards that an index names, and shards that the name of another one counts. */
async function missingWeights(
  { host, path, files }: Folder,
  weights: readonly StoredTensor[],
): Promise<Result<readonly string[], Problem>> {
  const missing: string[] = [];
  for (const file of files) {
    const [, before = '', count = '', after = ''] = /^(.*-)\d+-of-(\d+)(\..*)$/u.exec(file) ?? [];
    // Names are a stranger's: a count beyond all sense is not counted up to.
    for (let i = 1; i <= Math.min(Number(count), 10_000); i++) {
      const shard = `${before}${String(i).padStart(count.length, '0')}-of-${count}${after}`;
      if (!files.includes(shard)) missing.push(shard);
    }
  }
  for (const index of files.filter((file) => /\.(?:safetensors|bin)\.index\.json$/u.test(file))) {
    const text = await host.readText(`${path}/${index}`, { maxBytes: largestState });
    if (!text.ok) return wrong('PV-8502', 'file', `${index} cannot be read: it ${text.error.message}.`);
    const json = parsePythonJson(text.value, index);
    if (!json.ok) return json;
    const there = new Set(weights.map(({ name, file }) => `${name} in ${file}`));
    for (const [name, file] of Object.entries(Object(Object(json.value).weight_map)))
      if (!there.has(`${name} in ${String(file)}`)) missing.push(`${name} in ${String(file)}`);
  }
  return ok([...new Set(missing)]);
}

interface OpenedTorch {
  readonly source: ByteSource;
  readonly file: TorchFile;
}

async function openIn({ files, open, torch }: Folder, name: string): Promise<Result<OpenedTorch | null, Problem>> {
  if (!files.includes(name)) return ok(null);
  const source = await open(name);
  if (!source.ok) return source;
  const file = await openTorchFile(source.value);
  if (!file.ok) return inFile(name, file.error);
  const opened = { source: source.value, file: file.value };
  torch.set(name, opened);
  return ok(opened);
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

async function readOptimizer(folder: Folder): Promise<Result<OptimizerState | null, Problem>> {
  const name = 'optimizer.pt';
  const opened = await openIn(folder, name);
  if (!opened.ok || opened.value === null) return opened.ok ? ok(null) : opened;
  const { value: torch } = opened;
  const { file } = torch;
  const find: FindTensor = (value, called) => findTensor(torch, name, value, called);
  const state = await optimizerState(file.pickle.value, find, scalarOf);
  return state.ok ? state : inFile(name, state.error);
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
