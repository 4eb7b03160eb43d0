import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes `count` contracts into `folder`: our own under new names, so that ids stay unique and dependencies resolve. */
export async function writeManyContracts(contracts: string, folder: string, count: number): Promise<void> {
  const files = (await readdir(contracts)).filter((name) => name.endsWith('-kernel-v1.yaml'));
  const read = await Promise.all(
    files.map(async (name) => ({ name, text: await readFile(join(contracts, name), 'utf8') })),
  );
  // Contracts over data name obligations of each other by id, which renaming would break.
  const kernels = dependenciesFirst(read.filter(({ text }) => !/^data:/m.test(text)));
  const [names, texts] = [kernels.map(({ name }) => name), kernels.map(({ text }) => text)];
  await mkdir(folder, { recursive: true });
  for (let i = 0; i < count; i++) {
    const copy = Math.floor(i / names.length);
    const text = texts[i % names.length] ?? '';
    const name = names[i % names.length] ?? '';
    const renamed = text
      .replaceAll(/\b([a-z-]+-kernel)-v1\b/g, `$1-${copy}-v1`)
      .replaceAll(/\bid: ([A-Z][A-Z0-9-]+)/g, `id: C${copy}-$1`);
    await writeFile(
      join(folder, name.replace('-v1', `-${copy}-v1`)),
      renamed.replaceAll(/\b(rule|obligation): ([A-Z][A-Z0-9-]+)/g, `$1: C${copy}-$2`),
    );
  }
}

interface Named {
  readonly name: string;
  readonly text: string;
}

/** The last copy may be cut off anywhere: what is left of it must not depend on what is not. */
function dependenciesFirst(contracts: readonly Named[]): readonly Named[] {
  const ordered = new Set<Named>();
  const visit = (contract: Named): void => {
    const below = /^ *depends_on: \[(.*)\]$/m.exec(contract.text)?.[1]?.split(/, */) ?? [];
    for (const other of contracts) if (below.includes(other.name.replace('.yaml', ''))) visit(other);
    ordered.add(contract);
  };
  contracts.forEach(visit);
  return [...ordered];
}
