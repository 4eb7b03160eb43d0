/**
 * What secure aggregation costs: `node scripts/run.mjs bench/secure-aggregation.ts [rounds]`.
 *
 * The rate of masks, compared with the cipher alone and with a plain sum of the same numbers; then a whole round of 10 nodes with a
 * million parameters, of which 3 leave after they have shared: the processor time of each node and of the coordinator, in memory, without
 * a bus. Exits with 1 when a target is missed.
 */
import { invariant, present } from '../src/base/invariant.ts';
import type { Result } from '../src/base/result.ts';
import { nodeCiphers } from '../src/federated/secure/ciphers.ts';
import { openSecureClient, type SecureClient } from '../src/federated/secure/client.ts';
import { weightedMean } from '../src/federated/secure/fixed-point.ts';
import { addVector, applyMask } from '../src/federated/secure/mask.ts';
import { leastThreshold, secureRound } from '../src/federated/secure/secure-round.ts';
import { sumOf } from '../src/federated/secure/secure-sum.ts';
import type { ServerState } from '../src/federated/secure/server-state.ts';
import { advance, envelopesFor, listed, openSecureServer, receive } from '../src/federated/secure/server.ts';
import { formatVerifierKey } from '../src/notes/key.ts';
import { generateSigner, parseSignerKey } from '../src/notes/signer.ts';

const rounds = Number(process.argv[2] ?? 5);
const parameters = 1_000_000;
const [nodes, lost] = [10, 3];
const { keystream, randomSecret } = nodeCiphers();

/** Processor time of `work` in milliseconds, and what it gave. */
async function cost<T>(work: () => Promise<T> | T): Promise<readonly [number, T]> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1000, result];
}

function value<T>(result: Result<T, unknown>): T {
  invariant(result.ok, 'nothing is refused in the benchmark');
  return result.value;
}

const row = (...cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
let missed = 0;
function verdict(met: boolean): string {
  missed += met ? 0 : 1;
  return met ? 'met' : '**missed**';
}

const vector = new Int32Array(10 * parameters);
const other = new Uint8Array(4 * vector.length).fill(1);
const works = [
  { name: 'a plain sum', work: () => addVector(vector, other), times: [] as number[] },
  { name: 'AES-256-CTR alone', work: cipherAlone, times: [] as number[] },
  { name: 'masks', work: () => applyMask(keystream, vector, randomSecret(), 1), times: [] as number[] },
];
function cipherAlone(): void {
  const next = keystream(randomSecret());
  const piece = 128 * 1024;
  for (let done = 0; done < other.length; done += piece) next(Math.min(piece, other.length - done));
}
for (let round = 0; round <= rounds; round++) {
  // The first round compiles, and does not count.
  for (const { work, times } of works) {
    const [time] = await cost(work);
    if (round > 0) times.push(time);
  }
}
row('10 × 1,000,000 numbers of 32 bits', 'ms', 'MB/s', 'target');
row('---', '---', '---', '---');
for (const { name, times } of works) {
  const best = Math.min(...times);
  const rate = other.length / 1e6 / (best / 1000);
  row(name, best.toFixed(0), rate.toFixed(0), name === 'masks' ? `≥ 500 MB/s: ${verdict(rate >= 500)}` : '');
}

interface Node {
  readonly name: string;
  readonly client: SecureClient;
  readonly delta: Float32Array;
  time: number;
}

async function nodesOf(): Promise<{ readonly all: Node[]; readonly server: ServerState }> {
  const signers = Array.from({ length: nodes }, (_, i) =>
    value(parseSignerKey(value(generateSigner(`node-${i}.example`)).signerKey)),
  );
  const round = value(
    secureRound({
      scheme: 'double_mask',
      adversary: 'active',
      roundId: 'bench',
      manifestSha: '00'.repeat(32),
      participants: signers.map(({ key }) => formatVerifierKey(key)),
      threshold: leastThreshold(nodes, 'active', 'double_mask'),
      length: parameters,
      bound: 1,
      maxWeight: 100,
      fractionBits: 20,
    }),
  );
  const store = {
    load: async () => ({ ok: true, value: null }) as const,
    save: async () => ({ ok: true, value: undefined }) as const,
  };
  const all: Node[] = [];
  for (const signer of signers) {
    const [time, client] = await cost(async () => value(await openSecureClient({ round, signer, store })));
    const delta = Float32Array.from({ length: parameters }, (_, i) => Math.sin(i));
    all.push({ name: formatVerifierKey(signer.key), client, delta, time });
  }
  return { all: all.toSorted((a, b) => (a.name < b.name ? -1 : 1)), server: openSecureServer(round) };
}

async function secureRoundOnce(): Promise<{ readonly node: number; readonly server: number }> {
  const { all, server } = await nodesOf();
  let state = server;
  let serverTime = 0;
  const vectors = new Map<string, Uint8Array>();
  const at = async <T>(node: Node, step: () => Promise<Result<T, unknown>>): Promise<T> => {
    const [time, answer] = await cost(step);
    node.time += time;
    return value(answer);
  };
  const take = async (message: unknown, bytes?: Uint8Array): Promise<void> => {
    const [time, next] = await cost(() => receive(state, message, bytes));
    serverTime += time;
    state = value(next);
  };
  const inStage = <S extends ServerState['stage']>(stage: S): Extract<ServerState, { stage: S }> => {
    invariant(state.stage === stage, 'the benchmark follows the stages');
    return state as Extract<ServerState, { stage: S }>; // as was checked
  };

  for (const node of all) await take(await at(node, node.client.advertise));
  state = value(advance(state));
  const { keyList } = inStage('shares');
  for (const node of all) for (const envelope of await at(node, () => node.client.share(keyList))) await take(envelope);
  state = value(advance(state));
  const dealt = inStage('masked');
  const left = all.slice(lost);
  for (const node of left) {
    const input = { delta: node.delta, weight: 3 };
    const { message, vector: bytes } = await at(node, () => node.client.mask(envelopesFor(dealt, node.name), input));
    vectors.set(node.name, bytes);
    await take(message, bytes);
  }
  state = value(advance(state));
  const { survivors } = inStage('survivors');
  for (const node of left) await take(await at(node, () => node.client.attest(survivors)));
  state = value(advance(state));
  const { attestations } = inStage('unmask');
  for (const node of left) await take(await at(node, () => node.client.unmask(listed(attestations))));
  const last = inStage('unmask');
  const [time, result] = await cost(async () => value(await sumOf(last, async (name) => vectors.get(name) ?? null)));
  const [divided, mean] = await cost(() => weightedMean(result.sum, result.totalWeight, last.round.fractionBits));
  invariant(Math.abs(present(mean[1], 'an entry') - Math.sin(1)) < 1e-6, 'the mean of equal deltas is the delta');
  return { node: Math.max(...left.map((node) => node.time)), server: serverTime + time + divided };
}

const measured: { readonly node: number; readonly server: number }[] = [];
for (let round = 0; round <= rounds; round++) {
  const one = await secureRoundOnce();
  if (round > 0) measured.push(one);
}
const [node, coordinator] = [
  Math.min(...measured.map((one) => one.node)) / 1000,
  Math.min(...measured.map((one) => one.server)) / 1000,
];
console.log('');
row(`round of ${nodes} × 1,000,000 parameters, ${lost} dropped`, 'processor seconds', 'target');
row('---', '---', '---');
row('the slowest node', node.toFixed(2), `≤ 1.5: ${verdict(node <= 1.5)}`);
row('the coordinator, with the sum', coordinator.toFixed(2), `≤ 1.5: ${verdict(coordinator <= 1.5)}`);
process.exitCode = missed > 0 ? 1 : 0;
