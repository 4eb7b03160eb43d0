/**
 * `pv.scan.yaml`: which files a project declares bit-reproducible.
 */
import { closest, quoted } from '../base/text.ts';
import type { FileKind } from '../contract/yaml/hygiene.ts';
import { parseYaml } from '../contract/yaml/parse.ts';
import type { YamlNode } from '../contract/yaml/node.ts';
import { diagnostic, type Diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';

export const settingsPath = 'pv.scan.yaml';

export interface ScanSettings {
  /** Whether a path, relative to the settings and with `/`, is declared bit-reproducible. */
  readonly isReproducible: (path: string) => boolean;
}

export const noSettings: ScanSettings = { isReproducible: () => false };

const key = 'bit_reproducible';
const settingsFile: FileKind = { name: 'a file of settings', start: `Its only key is \`${key}\`, a list of paths.` };

/** Reads the settings; what is wrong with them is reported, and the rest is used. */
export function readSettings(source: SourceFile): Staged<ScanSettings> {
  const yaml = parseYaml(source, settingsFile);
  const diagnostics: Diagnostic[] = [...yaml.diagnostics];
  const patterns: RegExp[] = [];
  const report = (node: Pick<YamlNode, 'range'>, message: string, hint: string): void =>
    void diagnostics.push(diagnostic('PV-9113', { source, range: node.range }, message, { hint }));
  for (const entry of yaml.value?.entries ?? []) {
    if (entry.key !== key) {
      const near = closest(entry.key, [key]);
      const hint = near === null ? `the only key is \`${key}\`` : `did you mean \`${near}\`?`;
      report({ range: entry.keyRange }, `the key ${quoted(entry.key)} is not read`, hint);
      continue;
    }
    const items = entry.value.kind === 'sequence' ? entry.value.items : [];
    if (items.length === 0) report(entry.value, `\`${key}\` is a list of paths`, `${key}: ['src/numeric/**']`);
    for (const item of items) {
      if (item.kind === 'scalar' && typeof item.value === 'string' && item.value !== '')
        patterns.push(pattern(item.value));
      else report(item, 'a path is a text that is not empty', "write 'src/numeric/**'");
    }
  }
  return { value: { isReproducible: (path) => patterns.some((one) => one.test(normal(path))) }, diagnostics };
}

const normal = (path: string): string => path.replaceAll('\\', '/').replace(/^(\.\/+)+/, '');

/** `*` matches any name, `**` any folders; a path without an extension matches everything under it. */
function pattern(glob: string): RegExp {
  const parts = normal(glob)
    .replace(/\/+$/, '')
    .split(/(\*\*\/|\*\*|\*|\?)/);
  const written = parts.map((part) => wildcards.get(part) ?? part.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${written.join('')}(?:/.*)?$`, 'u');
}

const wildcards: ReadonlyMap<string, string> = new Map([
  ['**/', '(?:[^/]+/)*'],
  ['**', '.*'],
  ['*', '[^/]*'],
  ['?', '[^/]'],
]);
