/** Generates and records; trace-output.ts writes the steps. */
import { basename } from 'node:path';
import { bytesToHex } from '@noble/hashes/utils.js';
import { count, visible } from '../../base/text.ts';
import { version } from '../../base/version.ts';
import { generate, type GenerationStep } from '../../trace/engine/generate.ts';
import type { Engine } from '../../trace/engine/engine.ts';
import type { Manifest } from '../../trace/format/trace.ts';
import { configDigest } from '../../trace/model/config-digest.ts';
import type { Model, Tokenizer } from '../../trace/model/model.ts';
import { beginOfSequence } from '../../trace/model/tokenizer.ts';
import type { Problem } from '../../base/problem.ts';
import type { SignHead } from '../../trace/record/sink.ts';
import { signBy } from '../../trace/record/sign-with.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { nextTurns } from '../event-loop.ts';
import { engineFor, loadModel, loadTokenizer } from './load-model.ts';
import { targetOf } from './output-file.ts';
import { sayProblem } from '../problem-text.ts';
import type { RecordFlags } from './record-flags.ts';
import { legacyOutput, v2Output, type TraceOutput } from './trace-output.ts';
import { samplerOf } from './sampling-flags.ts';
import { chosenSeed } from './seed.ts';
import { readSigners } from './signing.ts';

/** Exits with 1 if the generation fails, with 2 if a flag or file cannot be used, with 130 if interrupted. */
export async function runRecord(cli: Cli, flags: RecordFlags): Promise<ExitCode> {
  const inputs = [flags.model, flags.tokenizer, ...(flags.key ?? [])];
  const target = await targetOf(cli, flags.out, flags.force, inputs);
  if (target === null) return exitCodes.usage;
  const sign = await signerOf(cli, flags);
  if (typeof sign === 'number') return sign;
  const model = await loadModel(cli, flags.model);
  if (typeof model === 'number') return model;
  const tokenizer = await loadTokenizer(cli, flags.tokenizer, model.config.vocabSize);
  if (typeof tokenizer === 'number') return tokenizer;
  const seed = chosenSeed(flags.seed);
  saySeed(cli, flags, seed);

  const engine = engineFor(cli, model);
  const manifest = manifestOf(flags, seed, model, tokenizer, engine.profile);
  sayLeftOut(cli, manifest);
  const output =
    flags.format === 'v2'
      ? await v2Output(cli, target, manifest, sign)
      : legacyOutput(cli, target, flags, manifest, tokenizer);
  if (typeof output === 'number') return output;
  const started = cli.host.monotonicMs();
  const ended = await recordSteps(cli, engine, manifest, tokenizer, output);
  const seconds = (cli.host.monotonicMs() - started) / 1000;
  if (ended.problem !== null) {
    sayProblem(cli, ended.problem);
    await output.abandon();
    return exitCodes.findings;
  }
  if (cli.signal.aborted) {
    await output.abandon();
    return exitCodes.interrupted;
  }
  const file = await output.finish();
  if (typeof file === 'number') return file;
  say(
    cli,
    `${count(ended.steps, 'step')} in ${seconds.toFixed(2)} s: ${Math.round(ended.steps / Math.max(seconds, 1e-6))} tok/s`,
  );
  const leaves = file.leaves === null ? '' : `, ${count(file.leaves, 'leaf', 'leaves')}`;
  say(cli, `wrote ${target.name}: ${file.bytes} bytes${leaves}\nroot: ${bytesToHex(file.root)}`);
  return exitCodes.ok;
}

/** Who signs the trace as it ends; the exit code where a key cannot be used, before anything is generated. */
async function signerOf(cli: Cli, { key = [], format }: RecordFlags): Promise<SignHead | null | ExitCode> {
  if (key.length === 0) return null;
  if (format !== 'v2') {
    say(cli, 'pv: the format of llama2-rs has no place for a signature: record v2, or leave --key away');
    return exitCodes.usage;
  }
  const signers = await readSigners(cli, key);
  return typeof signers === 'number' ? signers : signBy(signers, cli.host.posixSeconds());
}

function saySeed(cli: Cli, { temperature, seed: asked }: RecordFlags, seed: string): void {
  if (temperature === 0) say(cli, 'greedy: no seed is drawn from');
  else say(cli, `seed: ${seed}${asked === 'random' ? ' (chosen at random)' : ''}`);
}

function sayLeftOut(cli: Cli, { prompt, steps }: Manifest): void {
  // Arguments are already decoded, so the two can no longer be distinguished.
  if (prompt.text?.includes('\ufffd') === true) {
    say(
      cli,
      'warning: the prompt contains U+FFFD, which also replaces bytes that are not UTF-8; it is recorded as it is',
    );
  }
  const [tokens, positions] = [prompt.tokens?.length ?? 0, steps ?? 0];
  if (tokens <= positions) return;
  say(cli, `warning: the prompt has ${tokens} tokens, but only ${positions} are fed in: nothing is generated`);
}

function manifestOf(flags: RecordFlags, seed: string, model: Model, tokenizer: Tokenizer, profile: string): Manifest {
  const { config } = model;
  const { sequenceLength, vocabSize } = config;
  return {
    format: 'pv-trace/2',
    tool: { name: 'pv', version },
    model: { name: basename(flags.model), digest: model.digest },
    tokenizer: { name: basename(flags.tokenizer), digest: tokenizer.digest },
    config: configDigest(config),
    vocabSize,
    prompt: { tokens: tokenizer.encode(flags.prompt), text: flags.prompt },
    steps: flags.steps === 0 ? sequenceLength : Math.min(flags.steps, sequenceLength),
    sampler: samplerOf(flags, seed),
    profile,
    sketch: flags.sketch,
  };
}

interface Ended {
  readonly steps: number;
  readonly problem: Problem | null;
}

/** How long generation continues without asking whether someone pressed Ctrl-C. */
const turnMs = 50;

async function recordSteps(
  cli: Cli,
  engine: Engine,
  { prompt, steps, sampler }: Manifest,
  tokenizer: Tokenizer,
  output: TraceOutput,
): Promise<Ended> {
  // Tokens may contain parts of characters.
  const decoder = new TextDecoder();
  const { stdout } = cli.process;
  const show = (text: string): void => {
    // A model's output must not control a terminal; a pipe gets it unchanged.
    if (text !== '') stdout.write(stdout.isTerminal ? text.split('\n').map(visible).join('\n') : text);
  };
  let recorded = 0;
  let problem: Problem | null = null;
  let turned = cli.host.monotonicMs();
  for (const step of generate(engine, { prompt: prompt.tokens ?? [], steps: steps ?? 0, sampler })) {
    problem = step.ok ? output.step(step.value) : step.error;
    if (problem !== null || !step.ok) break;
    recorded++;
    show(decoder.decode(bytesOf(tokenizer, step.value), { stream: true }));
    if (cli.host.monotonicMs() - turned < turnMs) continue;
    await nextTurns();
    turned = cli.host.monotonicMs();
    if (cli.signal.aborted) break;
  }
  show(decoder.decode());
  if (recorded > 0) show('\n');
  return { steps: recorded, problem };
}

/** What a step adds to the text; BOS ends a text and is not a part of it. */
function bytesOf(tokenizer: Tokenizer, { inputToken, outputToken }: GenerationStep): Uint8Array {
  return outputToken === beginOfSequence ? new Uint8Array(0) : tokenizer.decode(inputToken, outputToken);
}
