import { defineCommand } from '../command.ts';
import { formatFlag, jobsFlag, quietFlag } from '../flags.ts';
import { secondsBetween } from '../number-parsers.ts';
import { runProve, type ProveFlags } from '../prove/run-prove.ts';

/** `pv prove PATHS…`: proofs over the reals, checked by Rocq. */
export const prove = defineCommand<ProveFlags, readonly string[]>({
  description:
    'Proves claims over the reals, for inputs of every size: pv writes what the contract claims as a proposition of Rocq, and\n' +
    "Rocq's compiler checks the script next to the contract (proofs/<contract>/<claim>.v). A proof over the\n" +
    'reals says nothing about rounding, so it raises no status of a kernel. Exits with 1 unless every proof holds.',
  examples: [
    ['pv prove contracts', 'Every proof that the contracts ask for'],
    ['pv prove contracts/softmax-kernel-v1.yaml --claim SM-INV-001', 'One claim'],
    ['pv prove contracts/softmax-kernel-v1.yaml --claim SM-INV-001 --write', 'Write the beginning of its script'],
  ],
  flags: {
    claim: {
      kind: 'parsed',
      parse: String,
      placeholder: 'id',
      brief: 'Only this obligation, even if the contract requires no proof of it',
      optional: true,
    },
    coqc: {
      kind: 'parsed',
      parse: String,
      placeholder: 'program',
      brief: "Rocq's compiler: a path, or a name that is looked up in PATH",
      default: 'coqc',
    },
    timeout: {
      kind: 'parsed',
      parse: secondsBetween(1, 86_400),
      placeholder: 'seconds',
      brief: 'Time limit of one file',
      default: '60',
    },
    jobs: jobsFlag,
    fresh: {
      kind: 'boolean',
      brief: 'Check every proof again and ignore stored evidence',
      default: false,
      withNegated: false,
    },
    write: {
      kind: 'boolean',
      brief: 'Write the beginning of a script for each claim that has none; checks nothing',
      default: false,
      withNegated: false,
    },
    files: {
      kind: 'parsed',
      parse: String,
      placeholder: 'folder',
      brief: 'Leave the files that Rocq reads in this folder, to work on a proof in an editor',
      optional: true,
    },
    quiet: quietFlag,
    format: formatFlag(['text', 'json']),
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { brief: 'A contract file, or a folder with contracts', placeholder: 'path', parse: String },
  },
  run: (cli, flags, ...paths) => runProve(cli, flags, paths),
});
