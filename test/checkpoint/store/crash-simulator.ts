/**
 * What a disk may hold after the power is cut, in the manner of ALICE (Pillai et al., OSDI 2014): a file keeps what was synced, and of
 * the rest all, nothing, a part or zeros; a folder keeps the names that were synced, and of later changes any subset.
 */
import type { FileOperation } from '../../../src/host/host.ts';

/** A moment of a recorded run: an operation, or that save number `saved` has returned. */
export type Moment = FileOperation | { readonly kind: 'acknowledged'; readonly saved: number };

/** The files after a crash, by path. */
export type Crashed = ReadonlyMap<string, Uint8Array>;

interface File {
  durable: Uint8Array;
  current: Uint8Array;
}

/** A file or folder, whatever its names. */
type Node = File | Folder;

interface Folder {
  readonly durable: Map<string, Node>;
  readonly current: Map<string, Node>;
}

/** Changes of the names in a folder that are not synced; those of one operation happen together. */
interface Change {
  readonly folder: Folder;
  readonly names: readonly (readonly [name: string, node: Node | null])[];
}

const isFolder = (node: Node): node is Folder => node.current instanceof Map;

/** Hands every distinct crash state to `visit`, after each moment, with the number of the last acknowledged save; ends when it returns true. */
export async function crashStates(
  root: string,
  moments: readonly Moment[],
  visit: (state: Crashed, acknowledged: number) => Promise<boolean>,
): Promise<void> {
  const top: Folder = { durable: new Map(), current: new Map() };
  const files = new Set<File>();
  let pending: Change[] = [];
  let acknowledged = 0;
  let seen = new Set<string>();

  const folderAt = (path: string): Folder => {
    let folder = top;
    for (const name of path.slice(root.length).split('/').filter(Boolean)) {
      const found = folder.current.get(name);
      if (found === undefined || !isFolder(found)) throw new Error(`${path} is not a folder`);
      folder = found;
    }
    return folder;
  };
  const parted = (path: string): readonly [Folder, string] => {
    const at = path.lastIndexOf('/');
    return [folderAt(path.slice(0, at)), path.slice(at + 1)];
  };
  const fileAt = (path: string): File => {
    const [folder, name] = parted(path);
    const found = folder.current.get(name);
    if (found === undefined || isFolder(found)) throw new Error(`${path} is not a file`);
    return found;
  };
  const change = (folder: Folder, ...names: Change['names']): void => {
    apply(folder.current, names);
    pending.push({ folder, names });
  };

  function perform(moment: Moment): void {
    if (moment.kind === 'acknowledged') {
      acknowledged = moment.saved;
      seen = new Set();
    } else if (moment.kind === 'rename') {
      const [[folder, from], [, to]] = [parted(moment.from), parted(moment.to)];
      change(folder, [from, null], [to, folder.current.get(from) ?? null]);
    } else if (moment.kind === 'write') {
      const file = fileAt(moment.path);
      file.current = Buffer.concat([file.current, moment.bytes]);
    } else if (moment.kind === 'sync') {
      const file = fileAt(moment.path);
      file.durable = file.current;
    } else if (moment.kind === 'sync-folder') {
      const folder = folderAt(moment.path);
      for (const { names } of pending.filter((one) => one.folder === folder)) apply(folder.durable, names);
      pending = pending.filter((one) => one.folder !== folder);
    } else if (moment.kind !== 'close') {
      const [folder, name] = parted(moment.path);
      if (moment.kind === 'create') {
        const file: File = { durable: new Uint8Array(0), current: new Uint8Array(0) };
        files.add(file);
        change(folder, [name, file]);
      } else if (moment.kind === 'make-folder') change(folder, [name, { durable: new Map(), current: new Map() }]);
      else change(folder, [name, null]);
    }
  }

  for (const moment of moments) {
    perform(moment);
    const unsynced = [...files].filter(({ durable, current }) => durable !== current);
    for (const applied of choices(pending)) {
      for (const content of contentsOf(unsynced)) {
        const state = stateOf(top, root, applied, content);
        const key = [...state].map(([path, bytes]) => `${path}:${Buffer.from(bytes).toString('base64')}`).join('|');
        if (seen.has(key)) continue;
        seen.add(key);
        if (await visit(state, acknowledged)) return;
      }
    }
  }
}

function apply(names: Map<string, Node>, changes: Change['names']): void {
  for (const [name, node] of changes) {
    if (node === null) names.delete(name);
    else names.set(name, node);
  }
}

/** Every subset; of many changes every prefix, every one alone, and all but each one. */
function choices(pending: readonly Change[]): readonly (readonly Change[])[] {
  if (pending.length <= 7)
    return Array.from({ length: 2 ** pending.length }, (_, bits) => pending.filter((_change, i) => bits & (1 << i)));
  return [
    ...pending.map((_, i) => pending.slice(0, i)),
    pending,
    ...pending.map((one) => [one]),
    ...pending.map((_, i) => pending.toSpliced(i, 1)),
  ];
}

type ContentOf = (file: File) => Uint8Array;

/** What unsynced files hold: all of them alike, and each one alone torn while the others are whole. */
function contentsOf(unsynced: readonly File[]): readonly ContentOf[] {
  if (unsynced.length === 0) return [({ durable }) => durable];
  const torn: ContentOf = ({ current }) => current.subarray(0, Math.floor(current.length / 2));
  return [
    ({ durable }) => durable,
    ({ current }) => current,
    torn,
    ({ durable, current }) => Buffer.concat([durable, new Uint8Array(current.length - durable.length)]),
    ...unsynced.map(
      (one): ContentOf =>
        (file) =>
          file === one ? torn(file) : file.current,
    ),
  ];
}

/** All files that can be reached by durable names and by those of the chosen changes. */
function stateOf(top: Folder, root: string, applied: readonly Change[], content: ContentOf): Crashed {
  const state = new Map<string, Uint8Array>();
  const walk = (folder: Folder, path: string): void => {
    const names = new Map(folder.durable);
    for (const change of applied) if (change.folder === folder) apply(names, change.names);
    for (const [name, node] of names) {
      if (isFolder(node)) walk(node, `${path}/${name}`);
      else state.set(`${path}/${name}`, node.durable === node.current ? node.durable : content(node));
    }
  };
  walk(top, root);
  return state;
}
