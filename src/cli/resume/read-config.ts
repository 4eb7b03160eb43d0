/** Reads the configuration of a run that is to resume: the scalars at the top level of a YAML or JSON file. */
import type { Setting } from '../../checkpoint/checkpoint.ts';
import type { FileKind } from '../../contract/yaml/hygiene.ts';
import type { Cli } from '../cli.ts';
import { readYamlFile } from '../read-yaml-file.ts';

const configFile: FileKind = {
  name: 'a configuration',
  start: 'Write the settings of the run that resumes, such as `learning_rate: 1e-4`.',
};

/** Null after reporting what is wrong with the file. */
export async function readConfig(cli: Cli, path: string): Promise<ReadonlyMap<string, Setting> | null> {
  const file = await readYamlFile(cli, path, configFile);
  if (file === null) return null;
  const scalars = file.root.entries.flatMap(({ key, value }) =>
    value.kind === 'scalar' ? [[key, value.value] as const] : [],
  );
  return new Map(scalars);
}
