/**
 * Configs in YAML, read by pv's own reader; what it says about the habits of contracts is left out.
 */
import type { Code } from '../../../diagnostics/codes.ts';
import type { Staged } from '../../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../../diagnostics/source.ts';
import { parseYaml } from '../../../contract/yaml/parse.ts';
import type { DataNode } from './tree.ts';

/**
 * Remarks that do not touch a config: 1_000 and 3e-4 are numbers here, `on` is text until a name asks for a boolean,
 * and merge keys and tags are everyday YAML of training frameworks, whose readers know them.
 */
const beside: ReadonlySet<Code> = new Set<Code>(['PV-1011', 'PV-1013', 'PV-1015', 'PV-1016', 'PV-1018', 'PV-1020']);

export function parseYamlConfig(source: SourceFile): Staged<DataNode | null> {
  const { value, diagnostics } = parseYaml(source);
  return { value, diagnostics: diagnostics.filter(({ code }) => !beside.has(code)) };
}
