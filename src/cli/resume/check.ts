import { defineCommand } from '../command.ts';
import type { ResumeFlags } from './run-check.ts';

/** `pv resume check DIR`. */
export const check = defineCommand<ResumeFlags, readonly [string]>({
  description:
    'Checks a checkpoint folder of the Hugging Face Trainer before training resumes from it: whether its files are\n' +
    'complete, trainer, scheduler and optimizer are of the same step, the learning rate is that of the configuration, the\n' +
    'optimizer fits the weights, all numbers are finite, and the resumed run has the same settings. With a log, also whether loss\n' +
    'and learning rate continue; with a probe, what the resumed run has in memory. Pickles are read as data; nothing in them is executed.\n' +
    'Exits with 1 if a check fails or a file is malformed, with 5 if nothing failed but something could not be checked,\n' +
    'and with 2 if the folder cannot be read.',
  examples: [
    ['pv resume check checkpoint-1000', 'Check one checkpoint'],
    ['pv resume check checkpoint-1000 --config train.yaml', 'Also compare the settings of the resumed run'],
    ['pv resume check checkpoint-1000 --probe probe.json', 'Also check what the resumed run has in memory'],
    ['pv resume check checkpoint-1000 --log trainer_log.jsonl', 'Also check that loss and learning rate continue'],
    ['pv resume check checkpoint-1000 --log trainer_log.jsonl --html resume.html', 'Draw loss and learning rate too'],
    ['pv resume check checkpoint-1000 --strict', 'Fail on warnings and on everything that could not be checked'],
  ],
  flags: {
    config: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      optional: true,
      brief: 'Settings of the run that is to resume (YAML or JSON, with the names of TrainingArguments)',
    },
    log: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      optional: true,
      brief: 'Log of the resumed run (JSON Lines, CSV, text, TensorBoard), perhaps with the steps before',
    },
    probe: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      optional: true,
      brief: 'What python/pv_resume_probe.py wrote after the resume',
    },
    strict: {
      kind: 'boolean',
      brief: 'Exit with 1 unless every check passes',
      default: false,
      withNegated: false,
    },
    interactive: {
      kind: 'boolean',
      brief: 'On a terminal, wait ten seconds for Ctrl+C if a check fails, and then exit with 0',
      default: false,
      withNegated: false,
    },
    html: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      optional: true,
      brief: 'Also write the report as one HTML page, with loss and learning rate across the stop',
    },
    json: { kind: 'boolean', brief: 'Print the report as JSON', default: false, withNegated: false },
  },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'checkpoint', brief: 'The folder of a checkpoint' }],
  },
  run: async (cli, flags, folder) => (await import('./run-check.ts')).runResumeCheck(cli, flags, folder),
});
