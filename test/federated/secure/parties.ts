/** Participants and a coordinator in one process, for tests: each step is a function, so that a test can go wrong anywhere. */
import { expect } from 'vitest';
import { present } from '../../../src/base/invariant.ts';
import { ok, type Result } from '../../../src/base/result.ts';
import type { ClientStore } from '../../../src/federated/secure/client-record.ts';
import { openSecureClient, type SecureClient } from '../../../src/federated/secure/client.ts';
import type { Ciphers } from '../../../src/federated/secure/ciphers.ts';
import type { MaskedDelta } from '../../../src/federated/secure/mask-delta.ts';
import type { SecureFault } from '../../../src/federated/secure/secure-fault.ts';
import {
  leastThreshold,
  secureRound,
  type SecureParameters,
  type SecureRound,
} from '../../../src/federated/secure/secure-round.ts';
import { sumOf, type SecureSum } from '../../../src/federated/secure/secure-sum.ts';
import { advance, envelopesFor, listed, openSecureServer, receive } from '../../../src/federated/secure/server.ts';
import type { ServerState } from '../../../src/federated/secure/server-state.ts';
import { generateSigner, parseSignerKey, type Signer } from '../../../src/notes/signer.ts';
import { formatVerifierKey } from '../../../src/notes/key.ts';

/** The value of a success; fails the test with the fault otherwise. */
export function value<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

/** The code of a refusal. */
export const codeOf = (result: Result<unknown, SecureFault>): string => (result.ok ? 'accepted' : result.error.code);

/** The state of a stage; fails the test in any other. */
export function inStage<S extends ServerState['stage']>(
  state: ServerState,
  stage: S,
): Extract<ServerState, { stage: S }> {
  expect(state.stage).toBe(stage);
  return state as Extract<ServerState, { stage: S }>; // as was checked
}

export const signers = (count: number): readonly Signer[] =>
  Array.from({ length: count }, (_, i) => {
    const made = value(generateSigner(`node-${i}.example`, 'ed25519', new Uint8Array(32).fill(i + 1)));
    return value(parseSignerKey(made.signerKey));
  });

export const nameOf = ({ key }: Signer): string => formatVerifierKey(key);

/** A store in memory, with what was saved. */
export function memoryStore(): ClientStore & { readonly saved: Map<string, string>; readonly history: string[] } {
  const saved = new Map<string, string>();
  const history: string[] = [];
  return {
    saved,
    history,
    load: async (name) => ok(saved.get(name) ?? null),
    save: async (name, content) => {
      saved.set(name, content);
      history.push(content);
      return ok(undefined);
    },
  };
}

export type Draft = Partial<Omit<SecureParameters, 'participants'>> & { readonly count: number };

export function parametersOf({ count, ...draft }: Draft): SecureParameters {
  const adversary = draft.adversary ?? 'semi-honest';
  const scheme = draft.scheme ?? 'double_mask';
  return {
    scheme,
    adversary,
    roundId: '01JDX0000000000000000000AA',
    manifestSha: 'ab'.repeat(32),
    participants: signers(count).map(nameOf),
    threshold: leastThreshold(count, adversary, scheme),
    length: 5,
    bound: 1,
    maxWeight: 10,
    fractionBits: 16,
    ...draft,
  };
}

/** Everything about one participant. */
export interface Party {
  readonly signer: Signer;
  readonly name: string;
  readonly store: ReturnType<typeof memoryStore>;
  readonly client: SecureClient;
  readonly delta: Float32Array;
  readonly weight: number;
}

/** Participants in the order of their names, with deltas that fit. */
export async function partiesOf(round: SecureRound, ciphers?: Ciphers): Promise<readonly Party[]> {
  const all = signers(round.participants.length).map(async (signer, i): Promise<Party> => {
    const store = memoryStore();
    const options = { round, signer, store, ...(ciphers === undefined ? {} : { ciphers }) };
    const delta = Float32Array.from({ length: round.length }, (_, k) => round.bound * Math.sin(1 + 7 * i + 3 * k));
    const weight = 1 + ((3 * i) % round.maxWeight);
    return { signer, name: nameOf(signer), store, client: value(await openSecureClient(options)), delta, weight };
  });
  return (await Promise.all(all)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export async function roundAndParties(draft: Draft): Promise<{ round: SecureRound; parties: readonly Party[] }> {
  const round = value(secureRound(parametersOf(draft)));
  return { round, parties: await partiesOf(round) };
}

/** JSON and back: what a bus does to messages. */
export const travel = (message: unknown): unknown => JSON.parse(JSON.stringify(message));

/** Who takes part in which step; by default all in all of them. */
export interface Plan {
  readonly keys?: (party: Party) => boolean;
  readonly shares?: (party: Party) => boolean;
  readonly masked?: (party: Party) => boolean;
  readonly attests?: (party: Party) => boolean;
  readonly unmasks?: (party: Party) => boolean;
}

/** What has happened until a stage. */
export interface Played {
  readonly round: SecureRound;
  readonly parties: readonly Party[];
  readonly state: ServerState;
  readonly vectors: Map<string, Uint8Array>;
  /** Everything that the coordinator was sent, in order. */
  readonly sent: { readonly message: unknown; readonly vector?: Uint8Array }[];
}

const everybody = (): boolean => true;

async function take(played: Played, state: ServerState, message: unknown, vector?: Uint8Array): Promise<ServerState> {
  const copy = travel(message);
  played.sent.push(vector === undefined ? { message: copy } : { message: copy, vector });
  return value(await receive(state, copy, vector));
}

/** The round until the given stage waits for messages. */
export async function playUntil(
  stage: ServerState['stage'] | 'end',
  { round, parties }: Pick<Played, 'round' | 'parties'>,
  plan: Plan = {},
): Promise<Played> {
  let state: ServerState = openSecureServer(round);
  const played: Played = { round, parties, state, vectors: new Map(), sent: [] };
  const until = (): Played => ({ ...played, state });
  const { keys = everybody, shares = everybody, masked = everybody, attests = everybody, unmasks = everybody } = plan;
  const isPairwise = round.scheme === 'additive_pairwise';

  if (stage === 'keys') return until();
  const advertised = parties.filter(keys);
  for (const { client } of advertised) state = await take(played, state, value(await client.advertise()));
  state = value(advance(state));
  if (stage === 'shares') return until();
  if (!isPairwise) {
    const { keyList } = inStage(state, 'shares');
    for (const { client } of advertised.filter(shares)) {
      for (const envelope of value(await client.share(travel(keyList)))) state = await take(played, state, envelope);
    }
    state = value(advance(state));
  }
  if (stage === 'masked') return until();
  const dealt = inStage(state, 'masked');
  const sharers = parties.filter(({ name }) => dealt.sharers.includes(name));
  for (const party of sharers.filter(masked)) {
    const { message, vector } = await maskOf(party, dealt);
    played.vectors.set(party.name, vector);
    state = await take(played, state, message, vector);
  }
  state = value(advance(state));
  if (stage === 'survivors') return until();
  if (!isPairwise) {
    const { survivors } = inStage(state, 'survivors');
    const signing = parties.filter(({ name }) => survivors.includes(name));
    for (const { client } of signing.filter(attests))
      state = await take(played, state, value(await client.attest(travel(survivors))));
    state = value(advance(state));
    if (stage === 'unmask') return until();
    const { attestations } = inStage(state, 'unmask');
    for (const { client } of signing.filter(unmasks))
      state = await take(played, state, value(await client.unmask(travel(listed(attestations)))));
  }
  return until();
}

/** A party's masked delta for what the coordinator passes on. */
export async function maskOf(
  { client, name, delta, weight }: Party,
  stage: Extract<ServerState, { stage: 'masked' }>,
): Promise<MaskedDelta> {
  const input = { delta, weight };
  return value(
    stage.round.scheme === 'additive_pairwise'
      ? await client.maskPairwise(travel(stage.keyList), input)
      : await client.mask(travel(envelopesFor(stage, name)), input),
  );
}

/** The sum of a round that was played to its end. */
export const endOf = ({ state, vectors }: Played): Promise<Result<SecureSum, SecureFault>> =>
  sumOf(inStage(state, 'unmask'), async (name) => vectors.get(name) ?? null);

/** What the sum must be: Σ round(x·w·2^s) in whole numbers, by arithmetic that shares nothing with the code under test. */
export function plainSum({ fractionBits, length }: SecureRound, survivors: readonly Party[]): bigint[] {
  return Array.from({ length }, (_, k) =>
    survivors.reduce((sum, { delta, weight }) => {
      const exact = present(delta[k], 'an entry') * weight * 2 ** fractionBits;
      const below = Math.floor(exact);
      const rest = exact - below;
      const up = rest > 0.5 || (rest === 0.5 && below % 2 !== 0);
      return sum + BigInt(below) + (up ? 1n : 0n);
    }, 0n),
  );
}
