/** Reads the settings that a person wrote in YAML or JSON, and refuses a file that readers would understand differently. */
import { parseYaml } from '../contract/yaml/parse.ts';
import type { FileKind } from '../contract/yaml/hygiene.ts';
import type { YamlMapping } from '../contract/yaml/node.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import { say, type Cli } from './cli.ts';

/** A page is usual; a configuration that a program wrote takes more. */
const maxBytes = 1024 ** 2;

/** A file that was read whole. */
interface YamlFile {
  readonly source: SourceFile;
  readonly root: YamlMapping;
}

/** Null after reporting what is wrong with the file. Warnings are reported, too. */
export async function readYamlFile(cli: Cli, path: string, kind: FileKind): Promise<YamlFile | null> {
  const text = await cli.host.readText(path, { maxBytes, pipes: true });
  if (!text.ok) {
    say(cli, `pv: ${path}: ${text.error.message}`);
    return null;
  }
  const source: SourceFile = { path, text: text.value };
  const { value: root, diagnostics } = parseYaml(source, kind);
  if (diagnostics.length > 0) await cli.show(diagnostics);
  return root === null || diagnostics.some(({ severity }) => severity === 'error') ? null : { source, root };
}
