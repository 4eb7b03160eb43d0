/** Models and tokenizers by their digests: what a server replays with. */
import { invariant } from '../../base/invariant.ts';
import type { Engine } from '../engine/engine.ts';
import { readModel } from '../model/checkpoint.ts';
import type { Model, ModelConfig, Tokenizer } from '../model/model.ts';
import { readTokenizer } from '../model/tokenizer.ts';
import { createFastEngine } from '../wasm/fast.ts';

/** Bytes that every worker sees without a copy; the main thread has read and hashed them. */
export interface Shelved {
  readonly digest: string;
  readonly bytes: SharedArrayBuffer;
}

/** All files that a server replays with. */
export interface Shelves {
  readonly models: readonly Shelved[];
  readonly tokenizers: readonly Shelved[];
}

/** Models and tokenizers, read when they are requested. */
export interface Shelf {
  /** Null if no file has this digest. The engine starts from position 0 and serves one replay at a time. */
  readonly model: (digest: string) => { readonly engine: Engine; readonly config: ModelConfig } | null;
  readonly tokenizer: (digest: string) => Tokenizer | null;
}

/** Reads a file on first use. Only one engine is kept, since each holds a copy of its weights. */
export function createShelf({ models, tokenizers }: Shelves): Shelf {
  let kept: { readonly model: Model; readonly engine: Engine } | null = null;
  const readTokenizers = new Map<string, Tokenizer>();
  return {
    model(digest) {
      if (kept?.model.digest !== digest) {
        const found = models.find((model) => model.digest === digest);
        if (found === undefined) return null;
        const model = readModel(new Uint8Array(found.bytes));
        invariant(model.ok, 'the main thread has read this model');
        kept = { model: model.value, engine: createFastEngine(model.value).engine };
      }
      return { engine: kept.engine, config: kept.model.config };
    },
    tokenizer(digest) {
      const known = readTokenizers.get(digest);
      if (known !== undefined) return known;
      const found = tokenizers.find((tokenizer) => tokenizer.digest === digest);
      if (found === undefined) return null;
      const tokenizer = readTokenizer(new Uint8Array(found.bytes));
      invariant(tokenizer.ok, 'the main thread has read this tokenizer');
      readTokenizers.set(digest, tokenizer.value);
      return tokenizer.value;
    },
  };
}
