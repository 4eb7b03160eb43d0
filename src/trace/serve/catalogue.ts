/** The content of a folder of models, read and hashed once, when a server starts. */
import { ok, type Result } from '../../base/result.ts';
import type { FileProblem, Host } from '../../host/host.ts';
import { otherKind } from '../kind/other-kind.ts';
import { readModel } from '../model/checkpoint.ts';
import type { ModelConfig } from '../model/model.ts';
import { readTokenizer } from '../model/tokenizer.ts';
import type { Problem } from '../../base/problem.ts';
import type { Shelved, Shelves } from './shelf.ts';

/** A file that clients may name by its digest. */
interface CatalogueEntry {
  readonly digest: string;
  /** Of the file, without its folder. */
  readonly name: string;
  readonly bytes: number;
}

/** What `GET /v1/models` lists. */
export interface Catalogue {
  readonly models: readonly (CatalogueEntry & { readonly config: ModelConfig })[];
  readonly tokenizers: readonly (CatalogueEntry & { readonly vocabSize: number })[];
}

/** A folder of models that was read. */
export interface LoadedFolder {
  readonly catalogue: Catalogue;
  readonly shelves: Shelves;
  /** Files that are neither, with what keeps them from being a model. */
  readonly leftOut: readonly { readonly name: string; readonly problem: Problem | FileProblem }[];
}

/** Weights of two billion parameters, below what a shared buffer holds. */
const largestFile = 8 * 1024 ** 3;

/** Reads the files that lie in `folder` itself; links are followed, folders are not. */
export async function loadFolder(host: Host, folder: string): Promise<Result<LoadedFolder, FileProblem>> {
  const listed = await host.list(folder);
  if (!listed.ok) return listed;
  const models: Catalogue['models'][number][] = [];
  const tokenizers: Catalogue['tokenizers'][number][] = [];
  const shelves = { models: [] as Shelved[], tokenizers: [] as Shelved[] };
  const leftOut: LoadedFolder['leftOut'][number][] = [];
  for (const { name, kind } of listed.value) {
    if (kind === 'directory') continue;
    const read = await host.readBytes(`${folder}/${name}`, { maxBytes: largestFile });
    if (!read.ok) {
      leftOut.push({ name, problem: read.error });
      continue;
    }
    const bytes = read.value.length;
    const model = readModel(read.value);
    const tokenizer = model.ok ? null : readTokenizer(read.value);
    if (model.ok) {
      const { digest, config } = model.value;
      models.push({ digest, name, bytes, config });
      shelves.models.push({ digest, bytes: sharedCopy(read.value) });
    } else if (tokenizer?.ok === true) {
      const { digest, vocabSize } = tokenizer.value;
      tokenizers.push({ digest, name, bytes, vocabSize });
      shelves.tokenizers.push({ digest, bytes: sharedCopy(read.value) });
    } else leftOut.push({ name, problem: otherKind(read.value, 'model', 'tokenizer') ?? model.error });
  }
  return ok({ catalogue: { models, tokenizers }, shelves, leftOut });
}

function sharedCopy(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}
