import { ranges } from '../api/audit-options.ts';
import { quietFlag } from './flags.ts';
import { integerBetween } from './number-parsers.ts';

/** Flags of the commands that write generated files. */
export const generateFlags = {
  binding: {
    kind: 'parsed',
    parse: String,
    placeholder: 'file',
    brief: 'Which function is the kernel of which equation; default: binding.yaml next to the contracts',
    optional: true,
  },
  out: {
    kind: 'parsed',
    parse: (text: string) => text.replace(/(?<=.)\/+$/u, ''),
    placeholder: 'folder',
    brief: "Where the files go; the folder generated in the project's root when absent",
    optional: true,
  },
  check: {
    kind: 'boolean',
    brief: 'Write nothing; exit with 1 when a file is not what its contract generates',
    default: false,
    withNegated: false,
  },
  force: { kind: 'boolean', brief: 'Overwrite files that were changed by hand', default: false, withNegated: false },
  seed: {
    kind: 'parsed',
    parse: integerBetween(...ranges.seed),
    placeholder: 'n',
    brief: 'Seed of the generated tests',
    default: '1',
  },
  quiet: quietFlag,
} as const;

/** The positional arguments of commands that generate files: one or more contracts or folders. */
export const contractPaths = {
  kind: 'array',
  minimum: 1,
  parameter: { brief: 'A contract file, or a folder with contracts', placeholder: 'path', parse: String },
} as const;
