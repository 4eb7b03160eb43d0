/** Loads the last checkpoint of a folder, or an earlier one if the last is damaged; nothing is returned before all of it is verified. */
import { asClause } from '../../host/file-problem.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { FileProblem, Host } from '../../host/host.ts';
import { sha256Stream } from '../../merkle/sha256.ts';
import { readTensors } from './read-tensors.ts';
import {
  checkpointName,
  inside,
  listCheckpoints,
  manifestName,
  partFiles,
  pointerName,
  type Listing,
} from './layout.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { readStateFile, type ScalarState } from './state-file.ts';
import { checkState, tensorParts, type TensorPart, type TrainingState } from './training-state.ts';
import type { NamedTensor } from '../../tensors/safetensors.ts';
import { openHashed } from './hashed-file.ts';

/** A checkpoint that was verified. */
export interface LoadedCheckpoint {
  readonly state: TrainingState;
  /** Its folder. */
  readonly path: string;
  readonly sequence: number;
  /** Why later checkpoints, or `latest.json`, were passed over; empty if the last acknowledged checkpoint was loaded. */
  readonly passedOver: readonly Problem[];
}

/** A writer that keeps one checkpoint removes the last one at every save: this many times, the next one is tried. */
const mostAttempts = 20;

/** PV-8544 if the folder has no checkpoint that verifies. */
export async function loadFrom(host: Host, folder: string): Promise<Result<LoadedCheckpoint, Problem>> {
  if (folder.trim() === '') return none('The folder', 'its path is empty');
  for (let attempt = 1; ; attempt++) {
    const listing = await listCheckpoints(host, folder);
    if (!listing.ok) return none(folder, asClause(listing.error));
    const { loaded, passedOver } = await loadListed(host, folder, listing.value);
    // What could not be read may have been removed by a writer that saved the next one.
    const hasChanged = passedOver.length > 0 && !(await isStill(host, folder, listing.value));
    if (hasChanged && attempt < mostAttempts) continue;
    if (loaded !== null) return ok({ ...loaded, passedOver: hasChanged ? [changed(folder)] : passedOver });
    if (hasChanged) return err(changed(folder));
    const [first] = passedOver;
    return none(
      folder,
      first === undefined
        ? 'there is none'
        : `${first.message}${passedOver.length > 1 ? ` ${passedOver.length - 1} more could not be used either.` : ''}`,
    );
  }
}

/** Whether no writer was there since the folder was listed. */
async function isStill(host: Host, folder: string, { pointer, sequences }: Listing): Promise<boolean> {
  const again = await listCheckpoints(host, folder);
  return (
    again.ok && JSON.stringify([again.value.pointer, again.value.sequences]) === JSON.stringify([pointer, sequences])
  );
}

const changed = (folder: string): Problem => ({
  code: 'PV-8544',
  check: 'checkpoint',
  message:
    `${folder} changed while it was read: a writer saved ${mostAttempts} times, and each time removed what was being read. ` +
    'Let it keep more checkpoints (keep), or read while it does not save.',
});

interface Attempt {
  readonly loaded: Omit<LoadedCheckpoint, 'passedOver'> | null;
  readonly passedOver: readonly Problem[];
}

/** The first checkpoint that verifies, and why those before it do not. */
async function loadListed(host: Host, folder: string, listing: Listing): Promise<Attempt> {
  const passedOver: Problem[] = [];
  for (const { name, manifest } of candidatesOf(folder, listing, passedOver)) {
    const loaded = await readCheckpoint(host, inside(folder, name), manifest);
    if (loaded.ok) return { loaded: { ...loaded.value, path: inside(folder, name) }, passedOver };
    passedOver.push(loaded.error);
  }
  return { loaded: null, passedOver };
}

/** The checkpoint that `latest.json` names, then all others from the latest. */
function candidatesOf(
  folder: string,
  { pointer, sequences }: Listing,
  passedOver: Problem[],
): readonly { readonly name: string; readonly manifest: string | null }[] {
  const names = sequences.map((sequence) => ({ name: checkpointName(sequence), manifest: null }));
  if (pointer === null) return names;
  if (!pointer.ok) {
    passedOver.push(damage(inside(folder, pointerName), pointer.error));
    return names;
  }
  const { checkpoint, manifest } = pointer.value;
  if (!names.some(({ name }) => name === checkpoint)) {
    passedOver.push(damage(inside(folder, pointerName), `it names ${checkpoint}, which is missing or not a folder`));
    return names;
  }
  return [{ name: checkpoint, manifest }, ...names.filter(({ name }) => name !== checkpoint)];
}

const largestManifest = 64 * 1024;

/** Verifies and reads one checkpoint; PV-8545 says what is wrong. `digest` is that of its manifest, if it is known. */
async function readCheckpoint(
  host: Host,
  path: string,
  digest: string | null,
): Promise<Result<{ readonly state: TrainingState; readonly sequence: number }, Problem>> {
  const listed = await host.list(path);
  if (!listed.ok) return err(damage(path, asClause(listed.error)));
  const isFile = (name: string): boolean => listed.value.some((one) => one.name === name && one.kind === 'file');
  if (!isFile(manifestName)) return err(damage(path, `${manifestName} is missing or not a regular file`));
  const bytes = await host.readBytes(inside(path, manifestName), { maxBytes: largestManifest });
  if (!bytes.ok) return err(damage(path, fileFault(bytes.error)));
  const hash = sha256Stream();
  hash.update(bytes.value);
  if (digest !== null && hash.hex() !== digest)
    return err(damage(path, `${manifestName} is not the one that ${pointerName} names`));
  const manifest = readManifest(bytes.value);
  if (!manifest.ok) return err(damage(path, manifest.error));
  if (!path.endsWith(`/${checkpointName(manifest.value.sequence)}`))
    return err(damage(path, `${manifestName} is that of ${checkpointName(manifest.value.sequence)}`));
  for (const { name } of manifest.value.files)
    if (!isFile(name)) return err(damage(path, `${name} is missing or not a regular file`));
  const state = await readState(host, path, manifest.value);
  return state.ok ? ok({ state: state.value, sequence: manifest.value.sequence }) : err(damage(path, state.error));
}

async function readState(host: Host, path: string, manifest: Manifest): Promise<Result<TrainingState, string>> {
  const tensors: { [part in TensorPart]?: readonly NamedTensor[] } = {};
  let scalars: ScalarState | null = null;
  for (const listed of manifest.files) {
    const file = await openHashed(host, inside(path, listed.name), listed);
    if (!file.ok) return file;
    try {
      const part = tensorParts.find((one) => partFiles[one] === listed.name);
      if (part === undefined) {
        const read = await file.value.verified(async () => readScalars(await file.value.take(listed.bytes)));
        if (!read.ok) return read;
        scalars = read.value;
      } else {
        const read = await file.value.verified(() => readTensors(file.value));
        if (!read.ok) return err(`${listed.name}: ${read.error}`);
        tensors[part] = read.value;
      }
    } finally {
      await file.value.close();
    }
  }
  if (scalars === null) return err('state.json is missing');
  const state: TrainingState = { ...scalars, weights: [], ...tensors };
  const sound = checkState(state);
  if (!sound.ok) return err(sound.error.message);
  return state.position.step === manifest.step ? ok(state) : err('state.json and manifest.json name different steps');
}

function readScalars(bytes: Result<Uint8Array, string>): Result<ScalarState, string> {
  return bytes.ok ? readStateFile(bytes.value) : bytes;
}

const fileFault = ({ path, message }: FileProblem): string => `${path} ${message}`;

const damage = (path: string, why: string): Problem => ({
  code: 'PV-8545',
  check: 'checkpoint',
  message: `${path} is damaged: ${why.replace(/[.]$/, '')}.`,
});

const none = (folder: string, why: string): Result<never, Problem> =>
  wrong('PV-8544', 'checkpoint', `${folder} has no checkpoint that can be loaded: ${why.replace(/[.]$/, '')}.`);
