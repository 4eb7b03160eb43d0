/** The files of a checkpoint, opened when they are read. A checkpoint of ten thousand shards has few of them open at once. */
import { asClause } from '../host/file-problem.ts';
import { wrong, type Problem } from '../base/problem.ts';
import { ok, type Result } from '../base/result.ts';
import { shortened } from '../base/text.ts';
import type { FileProblem, Host, OpenFile } from '../host/host.ts';
import { byteSource, type ByteSource } from './byte-source.ts';
import type { TorchFile } from './torch/saved-file.ts';
import { openTorchFile } from './torch/torch-file.ts';

/** Logs of long runs and indexes of many shards have some tens of megabytes. */
const largestText = 256 * 1024 ** 2;

/** More than are read at the same time. */
const mostOpen = 64;

/** A file of torch.save. */
export interface OpenedTorch {
  readonly source: ByteSource;
  readonly file: TorchFile;
}

/** The files of one folder, or one file of it. */
export interface CheckpointFiles {
  /** As the caller gave it. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Names of the regular files, sorted; links to files are followed, as in the cache of the Hugging Face Hub. */
  readonly names: readonly string[];
  /** Those of the names that are links. */
  readonly links: readonly string[];
  readonly source: (name: string) => Promise<Result<ByteSource, Problem>>;
  readonly text: (name: string) => Promise<Result<string, Problem>>;
  /** A file of torch.save; null if there is no such file. */
  readonly torch: (name: string) => Promise<Result<OpenedTorch | null, Problem>>;
  /** Files of torch.save that were opened, by name. */
  readonly opened: ReadonlyMap<string, OpenedTorch>;
  readonly close: () => Promise<void>;
}

/** The files at `path`, a folder or a file; PV-8502 if it cannot be read. */
export async function checkpointFiles(host: Host, path: string): Promise<Result<CheckpointFiles, Problem>> {
  const isFolder = (await host.kindOf(path)) === 'directory';
  const listed = isFolder ? await namesIn(host, path) : ok({ names: [fileName(path)], links: [] });
  if (!listed.ok) return listed;
  const { names, links } = listed.value;
  const pathOf = (name: string): string =>
    isFolder ? `${path}/${name}` : path.slice(0, -fileName(path).length) + name;
  const pool = filePool(host);
  const sources = new Map<string, ByteSource>();
  const source: CheckpointFiles['source'] = async (name) => {
    const known = sources.get(name);
    const found = known === undefined ? await pool.open(pathOf(name), name) : ok(known);
    if (found.ok) sources.set(name, found.value);
    return found;
  };
  const opened = new Map<string, OpenedTorch>();
  return ok({
    path,
    isFolder,
    names,
    links,
    source,
    text: async (name) => {
      const text = await host.readText(pathOf(name), { maxBytes: largestText });
      return text.ok ? text : unreadable(name, text.error);
    },
    torch: async (name) => {
      const known = opened.get(name);
      if (known !== undefined || !names.includes(name)) return ok(known ?? null);
      const bytes = await source(name);
      if (!bytes.ok) return bytes;
      const file = await openTorchFile(bytes.value);
      if (!file.ok) return inFile(name, file.error);
      const torch = { source: bytes.value, file: file.value };
      opened.set(name, torch);
      return ok(torch);
    },
    opened,
    close: pool.close,
  });
}

/** The last part of a path. */
export const fileName = (path: string): string => path.split(/[/\\]/u).findLast((part) => part !== '') ?? path;

async function namesIn(
  host: Host,
  path: string,
): Promise<Result<{ readonly names: readonly string[]; readonly links: readonly string[] }, Problem>> {
  const listed = await host.list(path);
  if (!listed.ok) return wrong('PV-8502', 'folder', `The folder cannot be read: ${asClause(listed.error)}.`);
  const [names, links]: [string[], string[]] = [[], []];
  for (const { name, kind } of listed.value) {
    if (kind === 'link' && (await host.kindOf(`${path}/${name}`)) === 'file') links.push(name);
    if (kind === 'file' || links.at(-1) === name) names.push(name);
  }
  return ok({ names, links });
}

const unreadable = (name: string, problem: FileProblem): Result<never, Problem> =>
  wrong('PV-8502', 'file', `${shortened(name)} cannot be read: ${asClause(problem)}.`);

/** The problem with the name of the file at fault. */
export const inFile = (name: string, problem: Problem): Result<never, Problem> =>
  wrong(
    problem.code,
    problem.check,
    `${shortened(name)}: ${problem.message}`,
    problem.offset === undefined ? {} : { offset: problem.offset },
  );

interface FilePool {
  readonly open: (path: string, name: string) => Promise<Result<ByteSource, Problem>>;
  readonly close: () => Promise<void>;
}

/** Opens files again that it had closed: the least recently used one is closed when there are too many. */
function filePool(host: Host): FilePool {
  const open = new Map<string, ReturnType<Host['openFile']>>();
  const closeOne = async (path: string): Promise<void> => {
    const file = await open.get(path);
    if (file?.ok === true) await file.value.close();
  };
  const take = async (path: string, name: string): Promise<Result<OpenFile, Problem>> => {
    const promised = open.get(path) ?? host.openFile(path);
    open.delete(path);
    open.set(path, promised);
    const [oldest] = open.keys();
    if (open.size > mostOpen && oldest !== undefined) {
      const closing = closeOne(oldest);
      open.delete(oldest);
      await closing;
    }
    const file = await promised;
    return file.ok ? file : unreadable(name, file.error);
  };
  return {
    open: async (path, name) => {
      const first = await take(path, name);
      if (!first.ok) return first;
      const { size } = first.value;
      const read: ByteSource['read'] = async (offset, length) => {
        const file = await take(path, name);
        if (!file.ok) return file;
        return file.value.size === size
          ? byteSource(file.value).read(offset, length)
          : wrong('PV-8502', 'file', `${shortened(name)} changed while it was read.`);
      };
      return ok({ size, read });
    },
    close: async () => void (await Promise.all([...open.keys()].map(closeOne))),
  };
}
