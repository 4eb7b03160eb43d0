/** Reads the configuration of a run that is to resume: the scalars at the top level of a YAML or JSON file. */
import type { Setting } from '../../checkpoint/checkpoint.ts';
import { parseYaml } from '../../contract/yaml/parse.ts';
import { say, type Cli } from '../cli.ts';

const largestConfig = 1024 ** 2;

/** Null after reporting what is wrong with the file. */
export async function readConfig(cli: Cli, path: string): Promise<ReadonlyMap<string, Setting> | null> {
  const text = await cli.host.readText(path, { maxBytes: largestConfig, pipes: true });
  if (!text.ok) {
    say(cli, `pv: ${path}: ${text.error.message}`);
    return null;
  }
  const { value: root, diagnostics } = parseYaml({ path, text: text.value });
  if (root === null) {
    await cli.show(diagnostics);
    return null;
  }
  const scalars = root.entries.flatMap(({ key, value }) =>
    value.kind === 'scalar' ? [[key, value.value] as const] : [],
  );
  return new Map(scalars);
}
