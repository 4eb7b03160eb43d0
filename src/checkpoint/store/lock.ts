/**
 * Keeps a second writer out of a folder of checkpoints: a folder `lock-TOKEN` with the owner's identity, put there whole by a rename,
 * which fails if it exists. Tokens grow, so a writer that was taken for dead finds a later one and stops.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonical-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { count, decodeJson, record, text, type Decoder } from '../../evidence/decoder.ts';
import type { DirectoryEntry, FileProblem, Host, ProcessIdentity } from '../../host/host.ts';
import { writeSynced } from '../../host/write-synced.ts';
import { inside, listCheckpoints } from './layout.ts';
import { removeFolder } from './remove-folder.ts';
import { unwritable } from './unwritable.ts';

const ownerName = 'owner.json';

/** Locks before they get their names. */
export const temporaryLock = '.lock-';

const lockName = (token: number): string => `lock-${String(token).padStart(8, '0')}`;

function tokenOf({ name, kind }: DirectoryEntry): readonly number[] {
  const [, digits = ''] = /^lock-(\d{8,15})$/.exec(name) ?? [];
  return kind === 'directory' && digits !== '' ? [Number(digits)] : [];
}

const identity: Decoder<ProcessIdentity> = record<ProcessIdentity>({
  machine: text,
  boot: text,
  namespace: text,
  pid: (value, at) => (value === 0 ? err(`${at} is 0`) : count(value, at)),
  started: text,
});

/** The right to write to a folder. */
export interface Lock {
  readonly token: number;
  /** PV-8543 if another writer has taken over. */
  readonly check: () => Promise<Result<void, Problem>>;
  readonly release: () => Promise<Result<void, FileProblem>>;
}

/** Tells apart the writers of this process. */
let attempts = 0;

/** Takes the lock of a folder; PV-8542 if a process that may still run has it, PV-8541 if nothing can be written there. */
export async function acquireLock(host: Host, folder: string): Promise<Result<Lock, Problem>> {
  const listing = await listCheckpoints(host, folder);
  if (!listing.ok) return unwritable(listing.error);
  const { entries, pointer } = listing.value;
  const before = entries.flatMap(tokenOf);
  for (const token of before) {
    const owner = await ownerOf(host, folder, token);
    if (owner !== null && !host.isOver(owner)) return held(folder, token, owner, host.self());
  }
  const token = 1 + Math.max(0, pointer?.ok === true ? pointer.value.token : 0, ...before);
  const installed = await install(host, folder, token);
  if (!installed.ok) return installed;
  const lock = lockOf(host, folder, token);
  // Between the look and the rename, another writer may have come and taken a later token.
  const checked = await lock.check();
  if (!checked.ok) {
    await lock.release();
    return checked;
  }
  for (const stale of before) {
    const removed = await removeFolder(host, inside(folder, lockName(stale)));
    if (!removed.ok) return unwritable(removed.error);
  }
  return ok(lock);
}

/** Puts the lock in its place, whole. Its names are not synced: after a crash of the machine, the owner is over anyway. */
async function install(host: Host, folder: string, token: number): Promise<Result<void, Problem>> {
  attempts += 1;
  const { pid } = host.self();
  const temporary = inside(folder, `${temporaryLock}${pid}-${attempts}`);
  // In a container that starts again, an earlier process had the same number.
  const cleared = await removeFolder(host, temporary);
  if (!cleared.ok) return unwritable(cleared.error);
  const made = await host.perform({ kind: 'make-folder', path: temporary });
  const owner = utf8ToBytes(canonicalJson({ ...host.self() }));
  const written = made.ok ? await writeSynced(host, inside(temporary, ownerName), [owner]) : made;
  const put = written.ok
    ? await host.perform({ kind: 'rename', from: temporary, to: inside(folder, lockName(token)) })
    : written;
  if (put.ok) return ok(undefined);
  await removeFolder(host, temporary);
  // Another process was faster: it has the name, or has removed everything unfinished since then.
  if (put.error.kind !== 'exists' && put.error.kind !== 'missing') {
    const why = written.ok ? ' (renaming a folder failed)' : '';
    return unwritable({ ...put.error, message: put.error.message + why });
  }
  return held(folder, token, await ownerOf(host, folder, token), host.self());
}

function lockOf(host: Host, folder: string, token: number): Lock {
  return {
    token,
    async check() {
      const listed = await host.list(folder);
      if (!listed.ok) return unwritable(listed.error);
      const tokens = listed.value.flatMap(tokenOf);
      if (tokens.includes(token) && Math.max(...tokens) === token) return ok(undefined);
      const message = tokens.includes(token)
        ? `Another writer has taken over ${folder} with the token ${Math.max(...tokens)}; this one has ${token}.`
        : `The lock of this writer, ${inside(folder, lockName(token))}, is gone.`;
      return wrong('PV-8543', 'lock', `${message} Nothing was published: end this run, or open the folder again.`);
    },
    release: () => removeFolder(host, inside(folder, lockName(token))),
  };
}

/** Null if it cannot be read: locks appear whole, so only a crash of the machine or half a removal leaves one that is not. */
async function ownerOf(host: Host, folder: string, token: number): Promise<ProcessIdentity | null> {
  const content = await host.readText(inside(inside(folder, lockName(token)), ownerName), { maxBytes: 4096 });
  if (!content.ok) return null;
  const decoded = decodeJson(content.value, identity);
  return decoded.ok ? decoded.value : null;
}

function held(
  folder: string,
  token: number,
  owner: ProcessIdentity | null,
  self: ProcessIdentity,
): Result<never, Problem> {
  const who =
    owner === null
      ? 'another process'
      : owner.machine === self.machine
        ? `process ${owner.pid} of this machine`
        : `process ${owner.pid} of ${owner.machine.split('/', 1)[0] ?? ''}`;
  return wrong(
    'PV-8542',
    'lock',
    `${folder} is being written by ${who}. Wait until it ends, or choose another folder; if it is certainly over, remove ` +
      `${inside(folder, lockName(token))}.`,
  );
}
