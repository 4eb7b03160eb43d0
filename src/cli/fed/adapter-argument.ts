import { isDigest } from '../../federated/wire/codec.ts';

/** An adapter on the command line. */
export const adapterArgument = {
  kind: 'tuple',
  parameters: [{ parse: parseSha, placeholder: 'sha', brief: 'The SHA-256 of the adapter' }],
} as const;

function parseSha(text: string): string {
  if (!isDigest(text)) throw new RangeError(`'${text}' is not a SHA-256: 64 digits and letters from a to f`);
  return text;
}
