/** The kinds of files. */
export type FileRole =
  'trace' | 'proof' | 'checkpoint' | 'consistency' | 'verifier key' | 'signer key' | 'model' | 'tokenizer';

/**
 * A kind of ours by its role, a foreign one by its name. `text`, `json` (which does not parse) and `binary` are
 * recognised as nothing else; null may be of llama2-rs, whose files have no mark.
 */
export type FileKind = { readonly role: FileRole } | { readonly name: string } | 'text' | 'json' | 'binary' | null;
