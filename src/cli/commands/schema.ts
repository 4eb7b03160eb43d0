import { defineCommand } from '../command.ts';
import { print, type NoFlags } from '../cli.ts';
import { exitCodes } from '../exit-code.ts';
import contractSchema from '../../contract/schema/contract.schema.json' with { type: 'json' };

/** `pv schema`: the JSON Schema (2020-12) that contracts are checked against, as this version ships it. */
export const schema = defineCommand<NoFlags, []>({
  description:
    'Prints the JSON Schema (2020-12) of contract files. Editors read it through a first line such as\n' +
    '  # yaml-language-server: $schema=./contract.schema.json',
  examples: [['pv schema > contract.schema.json', 'Keep a copy beside the contracts for the editor']],
  flags: {},
  positional: { kind: 'tuple', parameters: [] },
  run: async (cli) => {
    print(cli, JSON.stringify(contractSchema, null, 2));
    return exitCodes.ok;
  },
});
