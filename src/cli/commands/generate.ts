import { defineCommand } from '../command.ts';
import { contractPaths, generateFlags } from '../generate-flags.ts';
import { runGenerate, type GenerateFlags } from '../run-generate.ts';

/** `pv generate PATHS…`: every generated file. */
export const generate = defineCommand<GenerateFlags, readonly string[]>({
  description:
    'Writes the TypeScript interface, the property tests and the falsification tests of every contract, wired to its\n' +
    'bindings. A file that was changed by hand is never overwritten silently; one that nothing generates any more is removed.',
  examples: [
    ['pv generate contracts', 'Everything under contracts/ into generated/'],
    ['pv generate contracts --check', 'For CI: fail when a file is out of date'],
  ],
  flags: generateFlags,
  positional: contractPaths,
  run: (cli, flags, ...paths) =>
    runGenerate(cli, { paths, flags, parts: ['interface', 'tests'], needsBinding: false, removesOrphans: true }),
});
