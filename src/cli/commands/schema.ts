import { closest, listOf, quoted } from '../../base/text.ts';
import { defineCommand } from '../command.ts';
import { print, type NoFlags } from '../cli.ts';
import { exitCodes } from '../../api/exit-code.ts';
import contractSchema from '../../contract/schema/contract.schema.json' with { type: 'json' };
import reportSchema from '../../report/report.schema.json' with { type: 'json' };
import bindingSchema from '../../subject/binding.schema.json' with { type: 'json' };

const schemas = { contract: contractSchema, binding: bindingSchema, report: reportSchema } as const;

type SchemaName = keyof typeof schemas;

function parseName(text: string): SchemaName {
  const names = Object.keys(schemas);
  if (isName(text)) return text;
  const near = closest(text, names);
  throw new RangeError(
    `${quoted(text)} has no schema; ${near === null ? `one of ${listOf(names)}` : `did you mean ${quoted(near)}?`}`,
  );
}

function isName(text: string): text is SchemaName {
  return Object.hasOwn(schemas, text);
}

/** `pv schema [contract|binding|report]`: a JSON Schema (2020-12) as this version ships it. */
export const schema = defineCommand<NoFlags, [SchemaName?]>({
  description:
    'Prints the JSON Schema (2020-12) of contract files, of binding files, or of the report that --format json writes.\n' +
    'Editors read the first two through a first line such as\n' +
    '  # yaml-language-server: $schema=./contract.schema.json',
  examples: [
    ['pv schema > contract.schema.json', 'Keep a copy next to the contracts for the editor'],
    ['pv schema binding > binding.schema.json', 'The same for the binding file'],
  ],
  flags: {},
  positional: {
    kind: 'tuple',
    parameters: [
      { brief: 'contract (when absent), binding or report', placeholder: 'of', parse: parseName, optional: true },
    ],
  },
  run: async (cli, _flags, name = 'contract') => {
    print(cli, JSON.stringify(schemas[name], null, 2));
    return exitCodes.ok;
  },
});
