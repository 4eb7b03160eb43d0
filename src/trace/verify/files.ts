/** Whether the verifier's files and prompt are those that the trace names. */
import { count } from '../../base/text.ts';
import type { Artefact } from '../format/trace.ts';
import { configDigest } from '../model/config-digest.ts';
import type { ModelConfig, Tokenizer } from '../model/model.ts';
import { fail, leave, pass, type Findings } from './check.ts';
import type { ReplaySource } from './source.ts';

/** The verifier's own. */
export interface ReplayFiles {
  /** `sha256:` of the checkpoint's bytes. */
  readonly modelDigest: string;
  readonly config: ModelConfig;
  /** Null if the verifier has none: a replay works on token ids. */
  readonly tokenizer: Tokenizer | null;
}

/** Adds a check for each of model, configuration, vocabulary, tokenizer and prompt. */
export function checkFiles({ recorded }: ReplaySource, files: ReplayFiles, findings: Findings): void {
  compareDigest('model', recorded.model, files.modelDigest, findings);
  if (recorded.config !== null) {
    compareDigest('model configuration', { name: '', digest: recorded.config }, configDigest(files.config), findings);
  }
  const { vocabSize } = files.config;
  if (recorded.vocabSize !== null && recorded.vocabSize !== vocabSize) {
    const message = `The trace is of a vocabulary of ${count(recorded.vocabSize, 'token')}, and this model has ${vocabSize}.`;
    const details = { expected: String(recorded.vocabSize), actual: String(vocabSize) };
    fail(findings, { code: 'PV-8062', check: 'vocabulary', message, ...details });
  }
  if (files.tokenizer === null) {
    leave(findings, 'tokenizer', 'None was given: the replay works on token ids.');
    return;
  }
  checkTokenizer(recorded, files.tokenizer, findings);
}

/** Whether a tokenizer is the recorded one, and makes the recorded tokens of the recorded prompt. */
export function checkTokenizer(
  { tokenizer: recorded, prompt }: Pick<ReplaySource['recorded'], 'tokenizer' | 'prompt'>,
  tokenizer: Tokenizer,
  findings: Findings,
): void {
  compareDigest('tokenizer', recorded, tokenizer.digest, findings);
  checkPromptText(prompt, tokenizer, findings);
}

function compareDigest(what: string, { name, digest }: Artefact, actual: string, findings: Findings): void {
  if (digest === null) {
    leave(findings, what, 'The trace does not say which one it was.');
  } else if (digest === actual) {
    pass(findings, what, `It is the recorded one, ${actual}.`);
  } else {
    const recorded = name === '' ? 'the recorded one' : `the recorded ${name}`;
    const message = `The ${what} is not ${recorded}: ${digest} was recorded, and this one is ${actual}.`;
    fail(findings, { code: 'PV-8062', check: what, message, expected: digest, actual });
  }
}

function checkPromptText(
  { tokens, text }: ReplaySource['recorded']['prompt'],
  tokenizer: Tokenizer,
  findings: Findings,
): void {
  if (tokens === null || text === null) return;
  const encoded = tokenizer.encode(text);
  const at = encoded.findIndex((token, i) => token !== tokens[i]);
  const position = at >= 0 ? at : encoded.length === tokens.length ? -1 : Math.min(encoded.length, tokens.length);
  if (position < 0) return pass(findings, 'prompt', 'The recorded text encodes to the recorded tokens.');
  const message = `The recorded prompt does not encode to the recorded tokens: they differ at position ${position}.`;
  const expected = String(tokens[position] ?? 'no token');
  const actual = String(encoded[position] ?? 'no token');
  fail(findings, { code: 'PV-8063', check: 'prompt', message, position, expected, actual });
}
