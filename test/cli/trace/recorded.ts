/** A world in memory with the tiny model, and what was recorded with it. */
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';

export const modelFlags = ['--model', 'tiny-model.bin', '--tokenizer', 'tiny-tokenizer.bin'] as const;

const tiny = tinyModel(1);

export function tinyWorld(): MemoryHost {
  const host = createMemoryHost();
  put(host, 'tiny-model.bin', tiny.checkpoint);
  put(host, 'tiny-tokenizer.bin', tiny.tokenizer);
  return host;
}

export function put(host: MemoryHost, path: string, bytes: Uint8Array): void {
  host.files.set(`/project/${path}`, bytes);
}

export function bytesAt(host: MemoryHost, path: string): Uint8Array {
  const bytes = host.files.get(`/project/${path}`);
  if (bytes === undefined) throw new Error(`nothing was written at ${path}`);
  return bytes;
}

export const textAt = (host: MemoryHost, path: string): string => new TextDecoder().decode(bytesAt(host, path));

/** `pv trace …`. */
export const pvTrace = (host: MemoryHost, ...argv: readonly string[]): Promise<Ran> =>
  runPv(['trace', ...argv], { host });

/** Records to `run.trace`: twelve steps after `Once upon`, unless `more` says otherwise. */
export async function recorded(...more: readonly string[]): Promise<{ readonly host: MemoryHost; readonly ran: Ran }> {
  const host = tinyWorld();
  const has = (letter: string, name: string): boolean => more.some((one) => one === letter || one.startsWith(name));
  const usual = [...(has('-i', '--prompt') ? [] : ['-i', 'Once upon']), ...(has('-n', '--steps') ? [] : ['-n', '12'])];
  const ran = await pvTrace(host, 'record', ...modelFlags, ...usual, '--out', 'run.trace', ...more);
  return { host, ran };
}

/** The root that a command told. */
export function rootIn(text: string): string {
  const root = /^\s*root:?\s+([0-9a-f]{64})$/m.exec(text)?.[1];
  if (root === undefined) throw new Error(`no root in ${text}`);
  return root;
}
