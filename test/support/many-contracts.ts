import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes `count` contracts into `folder`: our own under new names, so that ids stay unique and dependencies resolve. */
export async function writeManyContracts(contracts: string, folder: string, count: number): Promise<void> {
  const files = (await readdir(contracts)).filter((name) => name.endsWith('-kernel-v1.yaml'));
  const read = await Promise.all(
    files.map(async (name) => ({ name, text: await readFile(join(contracts, name), 'utf8') })),
  );
  // Contracts over data name obligations of each other by id, which renaming would break.
  const kernels = read.filter(({ text }) => !/^data:/m.test(text));
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
      renamed.replaceAll(/\brule: ([A-Z][A-Z0-9-]+)/g, `rule: C${copy}-$1`),
    );
  }
}
