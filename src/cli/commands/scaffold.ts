import { defineCommand } from '../command.ts';
import { contractPaths, generateFlags } from '../generate-flags.ts';
import { runGenerate, type GenerateFlags } from '../run-generate.ts';

/** `pv scaffold PATHS…`: the interface, and tests that fail until a kernel is bound. */
export const scaffold = defineCommand<GenerateFlags, readonly string[]>({
  description:
    'Writes the TypeScript interface of a contract (a method per equation, shapes and obligations in its docs) and tests of\n' +
    'every claim. Without a binding the tests fail and say what to bind.',
  examples: [['pv scaffold contracts/softmax-kernel-v1.yaml', 'Into generated/softmax-kernel-v1/']],
  flags: generateFlags,
  positional: contractPaths,
  run: (cli, flags, ...paths) => runGenerate(cli, { paths, flags, parts: ['interface', 'tests'], needsBinding: false }),
});
