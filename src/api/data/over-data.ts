/** Which contract files may be about data, determined without parsing them: most files of a folder are about kernels. */
import type { Host } from '../../host/host.ts';
import { findContractFiles, readSources } from '../contract-files.ts';

/**
 * The files that `paths` denote and whose text has a key `data` anywhere, which includes every contract over data and perhaps
 * others. Files that cannot be found or read are kept, so that their reader reports them.
 */
export async function mayBeOverData(host: Host, paths: readonly string[]): Promise<readonly string[]> {
  const files = await findContractFiles(host, paths);
  if (files.problems.length > 0) return paths;
  const { value } = await readSources(host, files.paths);
  const others = new Set(value.filter(({ text }) => !hasDataKey.test(text)).map(({ path }) => path));
  return files.paths.filter((path) => !others.has(path));
}

/** Plain, quoted or of a flow mapping; no one writes the key with an escape. */
const hasDataKey = /\bdata["']?\s*:/;
