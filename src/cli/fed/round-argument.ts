import { parseUlid, type RoundId } from '../../federated/ulid.ts';

/** A round on the command line. */
export const roundArgument = {
  kind: 'tuple',
  parameters: [{ parse: parseRound, placeholder: 'round', brief: 'The ID of the round, a ULID' }],
} as const;

function parseRound(text: string): RoundId {
  const id = parseUlid(text);
  if (id === null)
    throw new RangeError(
      `'${text}' is not the ID of a round: 26 digits and capital letters, as pv fed list prints them`,
    );
  return id;
}
