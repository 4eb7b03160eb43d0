import { join } from 'node:path';
import { tinyModel } from '../../trace/model/tiny-model.ts';
import { print, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { integerBetween } from '../number-parsers.ts';
import { forceFlag, targetOf, writeOutput, type Target } from './output-file.ts';

type Flags = {
  readonly out: string;
  readonly seed: number;
  readonly force: boolean;
};

/** `pv trace tiny-model`: a checkpoint of 100 KB whose weights are random, so that nothing need be downloaded. */
export const tinyModelCommand = defineCommand<Flags, []>({
  description:
    'Writes tiny-model.bin, a llama2.c checkpoint of two layers with weights drawn from a seed, and tiny-tokenizer.bin, its\n' +
    'tokenizer. What it generates means nothing; it is recorded, proved and replayed as any other.',
  examples: [['pv trace tiny-model', 'The two files, here']],
  flags: {
    out: { kind: 'parsed', parse: String, placeholder: 'folder', brief: 'Folder to write to', default: '.' },
    seed: {
      kind: 'parsed',
      parse: integerBetween(0),
      placeholder: 'n',
      brief: 'Seed of the weights: one seed, one model, byte for byte',
      default: '1',
    },
    force: forceFlag,
  },
  aliases: { s: 'seed' },
  positional: { kind: 'tuple', parameters: [] },
  run: writeTinyModel,
});

async function writeTinyModel(cli: Cli, { out, seed, force }: Flags): Promise<ExitCode> {
  const { checkpoint, tokenizer } = tinyModel(seed);
  const files = [
    { path: join(out, 'tiny-model.bin'), bytes: checkpoint },
    { path: join(out, 'tiny-tokenizer.bin'), bytes: tokenizer },
  ];
  const targets: { readonly target: Target; readonly bytes: Uint8Array }[] = [];
  for (const { path, bytes } of files) {
    const target = await targetOf(cli, path, force);
    if (target === null) return exitCodes.usage;
    targets.push({ target, bytes });
  }
  for (const { target, bytes } of targets) {
    const ended = await writeOutput(cli, target, bytes);
    if (ended !== exitCodes.ok) return ended;
    print(cli, `wrote ${target.name}: ${bytes.length} bytes`);
  }
  return exitCodes.ok;
}
