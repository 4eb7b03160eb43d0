/** Reads what a verification needs, and reports its verdict. */
import { randomBytes } from 'node:crypto';
import type { Tokenizer } from '../../trace/model/model.ts';
import { noFindings } from '../../trace/verify/check.ts';
import { levels, type Level } from '../../trace/verify/level.ts';
import type { Selection } from '../../trace/verify/selection.ts';
import { legacySource, sourceOf, type ReplaySource } from '../../trace/verify/source.ts';
import { notVerifiedJson, replayJson } from '../../trace/verify/verdict-json.ts';
import { verifyTrace } from '../../trace/verify/verify-trace.ts';
import { print, say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { readAnchor } from './anchor-flags.ts';
import { readAnyTrace, type AnyTrace } from '../../trace/any-trace.ts';
import { readInput, type TellProblem } from './input.ts';
import { engineFor, loadModel, loadTokenizer } from './load-model.ts';
import { checkDemands, samplerAsked, samplingLeftOpen } from './demands.ts';
import { sayProblem } from '../problem-text.ts';
import { replayText } from './replay-text.ts';
import { jsonText } from '../json-text.ts';
import { exitOf, unreadableText } from './verdict-text.ts';
import type { VerifyFlags } from './verify-flags.ts';

/** Exits with 0 only for `verified`, and with 5 for `undetermined`. */
export async function runVerify(cli: Cli, flags: VerifyFlags, path: string): Promise<ExitCode> {
  const which = selectionOf(flags);
  if (typeof which === 'string') return usage(cli, which);
  const anchor = await readAnchor(cli, flags);
  if (typeof anchor === 'number') return anchor;
  const bytes = await readInput(cli, path);
  if (bytes === null) return exitCodes.usage;
  const read = await readAnyTrace(bytes);
  if (!read.ok) {
    print(cli, unreadableText(cli, 'trace', path, read.error, flags.json));
    return exitCodes.findings;
  }
  const tell: TellProblem = (_, problem, file) => {
    sayProblem(cli, problem, file);
    if (flags.json) print(cli, jsonText(notVerifiedJson(path, problem)));
  };
  const model = await loadModel(cli, flags.model, tell);
  // A trace that was not compared with anything has not failed.
  if (typeof model === 'number') return exitCodes.usage;
  const tokenizer =
    flags.tokenizer === undefined ? null : await loadTokenizer(cli, flags.tokenizer, model.config.vocabSize, tell);
  if (typeof tokenizer === 'number') return exitCodes.usage;
  const source = sourceFor(flags, read.value, tokenizer);
  if (typeof source === 'string') return usage(cli, source);
  const demands = read.value.format === 'v2' ? checkDemands(read.value.trace.manifest, flags, tokenizer) : noFindings();
  const verdict = await verifyTrace({
    source,
    engine: engineFor(cli, model),
    files: { modelDigest: model.digest, config: model.config, tokenizer },
    which,
    level: levelOf(flags.level),
    anchor,
    incomplete: flags.incomplete,
    demands,
    ...(flags.require === undefined ? {} : { require: flags.require }),
  });
  const json = (): string => jsonText(replayJson(path, verdict, source, which));
  print(cli, flags.json ? json() : replayText(cli, path, verdict, source, which));
  return exitOf(verdict);
}

function levelOf(name: VerifyFlags['level']): Level | null {
  return name === undefined ? null : (levels.find((level) => level.replace(' ', '-') === name) ?? null);
}

function usage(cli: Cli, message: string): ExitCode {
  say(cli, `pv: ${message}`);
  return exitCodes.usage;
}

/** What is to be compared, or what is wrong with the flags that say it. */
function selectionOf({ iteration, all, sample, challenge }: VerifyFlags): Selection | string {
  const asked = [iteration !== undefined, all, sample !== undefined].filter(Boolean).length;
  if (asked > 1) return 'give one of --iteration, --all and --sample';
  if (challenge !== undefined && sample === undefined) return '--challenge draws the steps of --sample: give it too';
  if (iteration !== undefined) return { kind: 'position', position: iteration };
  // Drawn after the trace was handed over, so that its recorder could not know which steps would be checked.
  if (sample !== undefined)
    return { kind: 'sample', count: sample, seed: challenge ?? randomBytes(6).readUIntLE(0, 6) };
  return { kind: 'all' };
}

/** What the trace says about itself; for llama2-rs, together with the flags. A text says what is missing for that. */
function sourceFor(flags: VerifyFlags, read: AnyTrace, tokenizer: Tokenizer | null): ReplaySource | string {
  const isV2 = read.format === 'v2';
  if (isV2 && tokenizer === null && flags.prompt !== undefined)
    return 'a prompt is compared by the tokens that it encodes to: give --tokenizer';
  if (isV2) return sourceOf(read.trace);
  if (tokenizer === null) return 'a trace of llama2-rs holds its prompt as text: give --tokenizer';
  if (flags.seed === 'random') return 'a replay needs the seed of the recording: give it with --seed';
  const { prompt } = read.trace.metadata;
  return legacySource(read.trace, {
    prompt: tokenizer.encode(flags.prompt ?? prompt),
    promptOfFile: flags.prompt === undefined,
    sampler: samplerAsked(flags),
    assumed: samplingLeftOpen(flags),
  });
}
