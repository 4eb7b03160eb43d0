/** Whether a checkpoint can be read: its headers, indexes and archives, without their data. */
import type { Problem } from '../../base/problem.ts';
import { quoted } from '../../base/text.ts';
import type { Host } from '../../host/host.ts';
import { fileName, inFile } from '../checkpoint-files.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { openCheckpoint } from '../open-checkpoint.ts';
import type { ZipEntry } from '../torch/stored-zip.ts';
import type { TreeEntry } from './tree.ts';

/** What was found. */
export interface Structure {
  /** Null if pv does not know it. */
  readonly format: string | null;
  readonly problems: readonly Problem[];
  /** Parts with checksums, by file. */
  readonly entries: ReadonlyMap<string, readonly ZipEntry[]>;
  /** What a resume needs and the checkpoint does not have. */
  readonly lacks: readonly string[];
}

/** Names of files that pv reads, so that one that it cannot read is cut off or damaged. */
const isReadable = (name: string): boolean => /\.(?:safetensors|pt|pth|ckpt|bin)$/u.test(name);

/** `tree` has the files at `path`. */
export async function structureOf(host: Host, path: string, tree: readonly TreeEntry[]): Promise<Structure> {
  const opened = await openCheckpoint(host, path);
  if (opened.ok) {
    const { checkpoint, files, close } = opened.value;
    await close();
    const entries = new Map([...files.opened].map(([name, { file }]) => [name, file.entries]));
    return { format: checkpoint.format, problems: missingWeights(checkpoint), entries, lacks: lackedBy(checkpoint) };
  }
  const unknown = { format: null, entries: new Map(), lacks: [] };
  if (opened.error.code !== 'PV-8510') return { ...unknown, problems: [opened.error] };
  if ((await host.kindOf(path)) === 'file')
    return { ...unknown, problems: isReadable(fileName(path)) ? [opened.error] : [] };
  // A folder of an unknown form may have files of known ones.
  const problems: Problem[] = [];
  for (const { path: name, kind } of tree) {
    if (kind !== 'file' || !isReadable(name)) continue;
    const file = await openCheckpoint(host, `${path}/${name}`);
    if (file.ok) await file.value.close();
    else problems.push(name.includes('/') ? inFolder(name, file.error) : file.error);
  }
  return { ...unknown, problems };
}

/** Names the folder of the file too. */
function inFolder(name: string, problem: Problem): Problem {
  const named = inFile(name.slice(0, -fileName(name).length - 1), problem);
  return named.ok ? problem : named.error;
}

const missingWeights = ({ missingWeights: missing }: Checkpoint): readonly Problem[] =>
  missing.map((name) => ({
    code: 'PV-8516',
    check: 'complete',
    message: `${quoted(name, 200)} is missing, although an index or the name of a shard announces it.`,
  }));

const lackedBy = ({ weights, optimizer, scheduler, randomStates }: Checkpoint): readonly string[] => [
  ...(weights.length === 0 ? ['weights'] : []),
  ...(optimizer === null ? ['optimizer state'] : []),
  ...(scheduler === null ? ['scheduler'] : []),
  ...(randomStates === null ? ['random states'] : []),
];
