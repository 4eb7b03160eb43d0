import type { Tokenizer } from '../../trace/model/model.ts';
import { print, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { openTrace } from './open-trace.ts';
import { jsonFlag } from './json-flag.ts';
import { loadTokenizer, tokenizerFlag } from './load-model.ts';
import { showText } from './show-text.ts';
import { shownOf } from './shown.ts';
import { jsonText } from '../json-text.ts';

type Flags = { readonly tokenizer?: string; readonly json: boolean };

/** `pv trace show TRACE`: what a trace holds. */
export const show = defineCommand<Flags, readonly [string]>({
  description:
    'Prints what a trace says: its root, its manifest, and one line for each step; with a tokenizer, the text that each token\n' +
    'adds. The hashes of the tree are computed anew and compared with the file; nothing is replayed.',
  examples: [
    ['pv trace show run.trace --tokenizer tok512.bin', 'With the texts of tokens'],
    ['pv trace show run.trace --json', 'For the next program'],
  ],
  flags: { tokenizer: { ...tokenizerFlag, optional: true }, json: jsonFlag },
  aliases: { z: 'tokenizer' },
  positional: { kind: 'tuple', parameters: [{ brief: 'A trace', placeholder: 'trace', parse: String }] },
  run: showTrace,
});

async function showTrace(cli: Cli, flags: Flags, path: string): Promise<ExitCode> {
  const read = await openTrace(cli, path);
  if (typeof read === 'number') return read;
  let tokenizer: Tokenizer | null = null;
  if (flags.tokenizer !== undefined) {
    const loaded = await loadTokenizer(cli, flags.tokenizer);
    if (typeof loaded === 'number') return loaded;
    tokenizer = loaded;
  }
  const shown = shownOf(read, tokenizer);
  print(cli, flags.json ? jsonText({ format: 'pv-trace-show/1', ...shown.json }) : showText(path, shown));
  return exitCodes.ok;
}
