import { readModel } from '../../src/trace/model/checkpoint.ts';
import type { Model, Tokenizer } from '../../src/trace/model/model.ts';
import { readTokenizer } from '../../src/trace/model/tokenizer.ts';

/** Where others' model, tokenizer and traces are, if they are: its README says what they are. */
export const llamaData = '../shared/data/llama';

export function modelOf(checkpoint: Uint8Array): Model {
  const read = readModel(checkpoint);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

export function tokenizerOf(bytes: Uint8Array, vocabSize?: number): Tokenizer {
  const read = readTokenizer(bytes, vocabSize);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}
