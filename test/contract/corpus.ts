/**
 * Contracts that others wrote, when the folder that holds them stands beside the repository.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from '../../src/diagnostics/source.ts';

const folders = ['contracts-provable-contracts', 'contracts-albor'];
const root = '../shared/data';

export const corpusPresent = folders.every((folder) => existsSync(join(root, folder)));

/** Sorted by path; binding registries are not contracts. Empty when the data is absent. */
export const corpus: readonly SourceFile[] = (corpusPresent ? folders : []).flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.yaml') && !name.startsWith('binding'))
    .toSorted()
    .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(join(root, folder, name), 'utf8') })),
);
