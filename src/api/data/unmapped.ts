/** Mappings of the command line: the names that they map may only come from the given keys. */
import { closest, quoted } from '../../base/text.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DataSet } from '../../data/read/data-set.ts';
import type { Mapping } from './options.ts';

/**
 * A finding for each mapping whose key is neither a value nor a column of any of the data sets; the first set is the one that
 * is checked.
 */
export function unmapped(map: readonly Mapping[], sets: readonly [DataSet, ...DataSet[]]): readonly Diagnostic[] {
  return map
    .filter(({ name, key }) => !sets.some((data) => takes(data, name, key)))
    .map(({ name, key }) => {
      const near = closest(key, sets.flatMap(keysOf));
      return diagnostic('PV-7030', null, `The mapping takes ${name} from ${quoted(key)}, which the data do not have`, {
        subject: sets[0].path,
        hint:
          near === null
            ? 'Nothing is checked: another value would not be the one that was meant.'
            : `Did you mean '${near}'?`,
      });
    });
}

/** The key of a flag `--map` must be in any of the files, not in each. A file's own mapping applies only to that file. */
export function withoutFlags(found: readonly Diagnostic[], map: readonly Mapping[]): readonly Diagnostic[] {
  const ofFlag = ({ code, message }: Diagnostic): boolean =>
    code === 'PV-7030' && map.some(({ name, key }) => message.includes(` ${name} from ${quoted(key)}`));
  return found.filter((one) => !ofFlag(one));
}

function takes({ values, tables }: DataSet, name: string, key: string): boolean {
  const columns = [...tables.values()].map((table) => table.columns.get(name));
  return [values.get(name), ...columns].some((found) => found?.key === key);
}

function keysOf({ values, tables, unused }: DataSet): readonly string[] {
  const columns = [...tables.values()].flatMap((table) => [...table.columns.values()]);
  return [...values.values(), ...unused, ...columns].map(({ key }) => key);
}
