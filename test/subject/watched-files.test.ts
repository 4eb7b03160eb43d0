import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordingHost, replay } from '../../src/cli/validation/recording-host.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import { typeProjects } from '../../src/subject/type-project.ts';

it('what the compiler reads past the host is asked again: a change of it is seen, another file is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pv-watched-'));
  try {
    const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
    const text = "import type { Row } from './row.ts';\nexport function kernel(x: Row): number { return x[0]; }\n";
    await write('kernel.ts', text);
    await write('row.ts', 'export type Row = number[];\n');
    await write('tsconfig.json', '{ "compilerOptions": { "types": [], "allowImportingTsExtensions": true } }');
    const host = createNodeHost(folder);
    const { host: seen, questions } = recordingHost(host);
    const module = await typeProjects(seen, folder).moduleAt(join(folder, 'kernel.ts'), text);
    const type = module.ok ? module.value.getFunctionOrThrow('kernel').getParameterOrThrow('x').getType() : null;
    expect(type?.getArrayElementType()?.getText()).toBe('number');
    const asked = (await questions()) ?? [];
    const holds = async (): Promise<boolean> => (await replay(host, asked)) !== null;
    expect(await holds()).toBe(true);
    await write('report.html', 'of no concern');
    expect(await holds()).toBe(true);
    await write('row.ts', 'export type Row = string[];\n');
    expect(await holds()).toBe(false);
    await write('row.ts', 'export type Row = number[];\n');
    await write('tsconfig.json', '{ "compilerOptions": { "strict": true } }');
    expect(await holds()).toBe(false);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
