/** Which contract files may be about data, told without reading them as contracts: most of a folder are about kernels. */
import type { Host } from '../../host/host.ts';
import { findContractFiles, readSources } from '../contract-files.ts';

/**
 * The files that `paths` stand for and whose text has a key `data` anywhere: a contract over data is among them, some
 * that are not may be. Those that cannot be found or read stay, for their reader to say so.
 */
export async function mayBeOverData(host: Host, paths: readonly string[]): Promise<readonly string[]> {
  const files = await findContractFiles(host, paths);
  if (files.problems.length > 0) return paths;
  const { value } = await readSources(host, files.paths);
  const others = new Set(value.filter(({ text }) => !hasDataKey.test(text)).map(({ path }) => path));
  return files.paths.filter((path) => !others.has(path));
}

/** Plain, quoted or of a flow mapping; an escape in a quoted key is nobody's way to write it. */
const hasDataKey = /\bdata["']?\s*:/;
