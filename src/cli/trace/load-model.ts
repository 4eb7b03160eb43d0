import type { Engine } from '../../trace/engine/engine.ts';
import { readModel } from '../../trace/model/checkpoint.ts';
import type { Model, Tokenizer } from '../../trace/model/model.ts';
import { readTokenizer } from '../../trace/model/tokenizer.ts';
import { createFastEngine } from '../../trace/wasm/fast.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { largestFile, readInputOf, type TellProblem } from './input.ts';
import { sayProblem } from '../problem-text.ts';

/** `--model`. */
export const modelFlag = {
  kind: 'parsed',
  parse: String,
  placeholder: 'file',
  brief: 'The model, as llama2.c stores it',
} as const;

/** `--tokenizer`. */
export const tokenizerFlag = {
  kind: 'parsed',
  parse: String,
  placeholder: 'file',
  brief: 'Its tokenizer.bin',
} as const;

/** The model at `path`, or the exit code after saying what is wrong with it. */
export async function loadModel(cli: Cli, path: string, tell: TellProblem = sayProblem): Promise<Model | ExitCode> {
  const bytes = await readInputOf(cli, path, 'model', largestFile, tell);
  if (typeof bytes === 'number') return bytes;
  const model = readModel(bytes);
  if (model.ok) return model.value;
  tell(cli, model.error, path);
  return exitCodes.findings;
}

/** The tokenizer at `path`, of `vocabSize` tokens where that is known; else the same. */
export async function loadTokenizer(
  cli: Cli,
  path: string,
  vocabSize?: number,
  tell: TellProblem = sayProblem,
): Promise<Tokenizer | ExitCode> {
  const bytes = await readInputOf(cli, path, 'tokenizer', largestFile, tell);
  if (typeof bytes === 'number') return bytes;
  const tokenizer = readTokenizer(bytes, vocabSize);
  if (tokenizer.ok) return tokenizer.value;
  tell(cli, tokenizer.error, path);
  return exitCodes.findings;
}

/** The fastest engine that runs here; reports why it is not the fast one, which affects the speed but not the results. */
export function engineFor(cli: Cli, model: Model): Engine {
  const { engine, fallback } = createFastEngine(model);
  if (fallback !== null) say(cli, `warning[${fallback.code}]: ${fallback.message}`);
  return engine;
}
