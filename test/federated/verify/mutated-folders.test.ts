/** A node's folder in which one byte, or one field of a log that was chained again, is another: it never verifies, and never crashes. */
import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, type JsonObject, type JsonValue } from '../../../src/base/canonical-json.ts';
import { sha256 } from '../../../src/merkle/sha256.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { verifyFolders } from '../../../src/federated/verify/verify-folders.ts';
import { readNodeFolder } from '../../../src/federated/verify/verify-round.ts';
import { createWorld, draftOf, enabled, good, idOf, startNode, vectorRules } from '../nodes.ts';
import { mutations } from '../mutations.ts';

const names = ['ada', 'bernd', 'clara'];
const log = '/project/node/events.jsonl';
const numRuns = Number(process.env['PV_RUNS'] ?? 150);
let files: ReadonlyMap<string, Uint8Array>;
let lines: readonly JsonObject[];

beforeAll(async () => {
  const world = createWorld(names);
  const host = createMemoryHost();
  const nodes = [
    await startNode(world, 'ada', { host }),
    await startNode(world, 'bernd'),
    await startNode(world, 'clara'),
  ];
  const [ada] = nodes;
  const id = good(await (ada ?? expect.fail()).coordinator.announceRound(draftOf()));
  for (const { node, participant } of nodes) {
    good(await node.replica.discover());
    good(await participant.join(id, true));
    good(await participant.train(id));
    good(await participant.submit(id));
  }
  good(await (ada ?? expect.fail()).coordinator.finalizeAndPublish(id));
  files = new Map([...host.files].filter(([path]) => path === log || path.includes('/blobs/')));
  const text = new TextDecoder().decode(files.get(log));
  lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
});

/** `verified` if every round is and nothing is cut short; else the codes, or what is missing. */
async function verdictOf(changed: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const host = createMemoryHost();
  for (const [path, bytes] of changed) host.files.set(path, bytes);
  const folder = await readNodeFolder(host, 'node');
  if (!folder.ok) return folder.error.code;
  const verdicts = await verifyFolders(
    { host, trusts: (id) => names.map(idOf).includes(id), config: enabled(), rules: vectorRules },
    [folder.value],
  );
  const failed = verdicts.flatMap(({ verified }) => (verified.ok ? [] : [verified.error.code]));
  if (failed.length > 0) return failed.join();
  if (folder.value.tornBytes > 0) return 'torn';
  const isWhole = verdicts.length > 0 && verdicts.every(({ verified }) => verified.ok && verified.value.recomputed);
  return isWhole ? 'verified' : 'no result';
}

/** The log of these events, each at its time, chained as a node chains it. */
function chained(events: readonly { readonly at: JsonValue; readonly event: JsonValue }[]): Uint8Array {
  let prev = '0'.repeat(64);
  const texts = events.map(({ at, event }, seq) => {
    const rest = { seq, at, event, prev };
    prev = bytesToHex(sha256(new TextEncoder().encode(`provable-contracts fedlearn log v1\n${canonicalJson(rest)}`)));
    return `${canonicalJson({ ...rest, sha256: prev })}\n`;
  });
  return new TextEncoder().encode(texts.join(''));
}

const withLog = (bytes: Uint8Array) => new Map(files).set(log, bytes);
const entries = () => lines.map(({ at, event }) => ({ at: at ?? null, event: event ?? null }));
function typeOf(event: JsonValue): string {
  const { type } = event as JsonObject;
  return typeof type === 'string' ? type : '';
}

/** What nobody signs is the node's own word. */
const isOwnWord = (event: JsonValue): boolean => typeOf(event) === 'fedlearn.privacy.spent';

describe('a folder that was changed', () => {
  it('verifies as it is, and chained again', async () => {
    expect(await verdictOf(files)).toBe('verified');
    expect(chained(entries())).toEqual(files.get(log));
  });

  it('in any byte does not verify', async () => {
    const place = fc
      .constantFrom(...files.keys())
      .chain((path) =>
        fc.tuple(fc.constant(path), fc.nat((files.get(path)?.length ?? 1) - 1), fc.integer({ min: 1, max: 255 })),
      );
    await fc.assert(
      fc.asyncProperty(place, async ([path, at, flip]) => {
        const bytes = (files.get(path) ?? expect.fail()).map((byte, i) => (i === at ? byte ^ flip : byte));
        expect(await verdictOf(new Map(files).set(path, bytes))).toMatch(/^PV-860[04]$|^torn$|^no result$/);
      }),
      { numRuns, examples: [[[log, (files.get(log)?.length ?? 1) - 1, 1]]] },
    );
  });

  it('in any field of a signed event does not verify, though the log is chained again', async () => {
    const all = entries();
    const mutants = all.flatMap(({ event }, i) =>
      isOwnWord(event) ? [] : mutations(event).map((one) => [i, one] as const),
    );
    expect(mutants.length).toBeGreaterThan(500);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...mutants), async ([i, event]) => {
        const bytes = chained(all.with(i, { at: all[i]?.at ?? null, event }));
        expect(await verdictOf(withLog(bytes)), JSON.stringify(event)).toMatch(/^PV-860[04]/);
      }),
      { numRuns },
    );
  });

  it('by removing or repeating an event that others rely on does not verify', async () => {
    const all = entries();
    for (const [i, entry] of all.entries()) {
      const { event } = entry;
      if (isOwnWord(event) || typeOf(event) === 'fedlearn.consent.granted') continue;
      const isOfNodeAlone = /trained|aggregated$/.test(typeOf(event));
      if (!isOfNodeAlone)
        expect(await verdictOf(withLog(chained(all.toSpliced(i, 1)))), typeOf(event)).not.toBe('verified');
      if (!isOfNodeAlone && !typeOf(event).endsWith('announced'))
        expect(await verdictOf(withLog(chained(all.toSpliced(i, 0, entry)))), typeOf(event)).not.toBe('verified');
    }
  });

  it('into anything else gets a code', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 400 }),
          fc.json().map((text) => new TextEncoder().encode(`${text}\n`)),
        ),
        async (bytes) => {
          expect(await verdictOf(withLog(bytes))).not.toBe('verified');
        },
      ),
      { numRuns: 100 },
    );
    for (const path of files.keys()) {
      if (path === log) continue;
      const rest = new Map(files);
      rest.delete(path);
      // The adapter itself follows from the deltas.
      expect(['PV-8604', 'verified']).toContain(await verdictOf(rest));
    }
  });
});
