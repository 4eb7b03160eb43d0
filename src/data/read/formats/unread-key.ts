/** A key of a plain config that its most likely trainer does not read: its value is not used without being asked for. */
import { quoted } from '../../../base/text.ts';
import { diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../../diagnostics/source.ts';
import type { NamedValues } from './apply.ts';

/** The trainer whose config a file most likely is, and the one key that it does not read. */
export interface LikelyFormat {
  readonly name: string;
  readonly key: string;
}

/** Without the values that come from the key, unless the user mapped it; each is a doubt and a warning. */
export function withoutUnread(
  source: SourceFile,
  named: NamedValues,
  { name: format, key }: LikelyFormat,
  mapping: ReadonlyMap<string, string>,
): NamedValues {
  const found = [...named.values].filter(([name, scalar]) => scalar.key === key && mapping.get(name) !== key);
  if (found.length === 0) return named;
  const why = `is not a key of ${format}, which the file resembles`;
  return {
    ...named,
    withoutName: [...named.withoutName, ...found.map(([, scalar]) => scalar)],
    values: new Map([...named.values].filter((one) => !found.some(([name]) => name === one[0]))),
    doubts: new Map([...named.doubts, ...found.map(([name, scalar]) => [name, { scalar, why }] as const)]),
    diagnostics: [
      ...named.diagnostics,
      ...found.map(([name, { span }]) =>
        diagnostic('PV-7040', span, `${quoted(key)} ${why}`, {
          subject: source.path,
          hint: `That trainer does not read it as ${name}, so it is not used. --as ${format} if the file is one; --as plain if its trainer reads the key.`,
        }),
      ),
    ],
  };
}
