import { defineCommand } from '../command.ts';
import { contractPaths, generateFlags } from '../generate-flags.ts';
import { runGenerate, type GenerateFlags } from '../run-generate.ts';

/** `pv probar PATHS…`: property tests that assert the property, wired to the binding. */
export const probar = defineCommand<GenerateFlags, readonly string[]>({
  description:
    'Writes property tests and falsification tests that assert what the contract claims, on the kernels that the binding\n' +
    'names: vitest runs them, with the generators and predicates of pv audit.',
  examples: [
    [
      'pv probar contracts/softmax-kernel-v1.yaml --binding contracts/binding.yaml',
      'Into generated/softmax-kernel-v1/',
    ],
  ],
  flags: generateFlags,
  positional: contractPaths,
  run: (cli, flags, ...paths) => runGenerate(cli, { paths, flags, parts: ['interface', 'tests'], needsBinding: true }),
});
