import { print, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import type { ExitCode } from '../../api/exit-code.ts';
import { formatFlag, quietFlag } from '../flags.ts';
import { ruleNames } from '../../scan/rules.ts';
import type { ScanFlags } from '../scan/scan-flags.ts';

/** `pv scan PATHS…`: static rules over TypeScript, JavaScript and Python. */
export const scan = defineCommand<ScanFlags, readonly string[]>({
  description:
    'Finds bugs in TypeScript, JavaScript and Python that have cost training runs: optimizers with implicit hyper-parameters, metrics on a console,\n' +
    'models left in evaluation mode, resumes that lose state, textures read after reuse, readbacks that do not wait, buffers of the wrong size,\n' +
    'swapped sizes, unseeded randomness, approximated functions in code declared bit-reproducible, and gpu.js kernels\n' +
    'that some device computes differently.\n' +
    'Suppress a finding with `// pv-scan-ignore RULE: reason`. Rules and their limits: docs/scan.md.\n' +
    'Exits with 1 when something is found, and with 2 when a path cannot be read or holds no source file.',
  examples: [
    ['pv scan src/', 'Every rule over every TypeScript, JavaScript and Python file under src/'],
    ['pv scan src/ --no-types', 'Faster: calls are resolved by syntax alone'],
    ['pv scan src/ --rule platform-math --rule buffer-size', 'Two rules'],
    ['pv scan src/ --fix', 'Fix what can be fixed without a choice, and report the rest'],
    ['pv scan src/ --format sarif > scan.sarif', 'For code scanning'],
  ],
  flags: {
    format: formatFlag(['text', 'json', 'github', 'sarif', 'gitlab']),
    fix: { kind: 'boolean', brief: 'Write the safe fixes to the files', default: false, withNegated: false },
    tests: {
      kind: 'boolean',
      brief: 'Read tests and fixtures too',
      default: false,
      withNegated: false,
    },
    types: {
      kind: 'boolean',
      brief: 'Resolve calls with the type checker where syntax is not enough',
      default: true,
      withNegated: true,
    },
    rule: {
      kind: 'enum',
      values: ruleNames,
      variadic: true,
      optional: true,
      brief: 'Run this rule; when absent, all but console-diagnostics and optimizer-defaults',
    },
    quiet: quietFlag,
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { brief: 'A source file, or a folder with source files', placeholder: 'path', parse: String },
  },
  run: async (cli: Cli, flags, ...paths): Promise<ExitCode> => {
    const { scanPaths } = await import('../../api/scan.ts');
    const { showScan } = await import('../scan/show-scan.ts');
    const outcome = await scanPaths(cli, paths, flags);
    print(cli, await showScan(cli, flags, outcome), flags.format);
    return outcome.exitCode;
  },
});
