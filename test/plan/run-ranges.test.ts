/** Holds src/plan/run-exhaustive.ts. */
import { functionBackend } from '../../src/backends/function-kernel.ts';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import { createStore, type EvidenceStore } from '../../src/evidence/store.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import type { Check, Job, JobResult, ScanPart } from '../../src/plan/check.ts';
import { runJob } from '../../src/plan/run-job.ts';
import { runRanges, type Ran, type RangesRequest } from '../../src/plan/run-ranges.ts';
import { exhaustiveCheck } from '../methods/bounded/exhaustive/half-goals.ts';
import { planOptions } from './projects.ts';
import { ourTrust } from '../evidence/sample-receipt.ts';

const finite16 = 2 ** 16 - 2 ** 11;
const right = await exhaustiveCheck({
  formal: 'D(x) ≈ D_ref(x)',
  tolerance: '{ rel: 0.6 }',
  kernel: 'return x[this.thread.x] * 1.9990234375;',
});
const wrong = await exhaustiveCheck({
  kernel: 'const v = x[this.thread.x]; return v === 3.5 ? 8 : v === -3.5 ? 9 : 2 * v;',
  formal: 'D(x)_i = 2·x_i',
});

const noTime = { timeoutMs: 60_000, tool: planOptions.tool, replay: [] };
const runPart = (check: Check, part: ScanPart): Promise<JobResult> => {
  const job: Job = { ...noTime, check, part };
  return runJob(job, () => 0, functionBackend);
};

const memoryStore = (): EvidenceStore => createStore(createMemoryHost(), '/', ourTrust);

interface Machine {
  readonly check: Check;
  readonly store?: EvidenceStore;
  /** How many ranges run at once. */
  readonly runners?: number;
  /** After so many parts the run is over. */
  readonly until?: number;
  readonly fresh?: boolean;
  /** Whether ranges start in order; else the last that came is served first, and results come in no order at all. */
  readonly inOrder?: boolean;
}

/** Runs ranges of 4096 inputs on so many runners, and counts the parts. */
async function run({
  check,
  store = memoryStore(),
  runners = 1,
  until = Infinity,
  fresh = false,
  inOrder = false,
}: Machine) {
  const ran: ScanPart[] = [];
  const waiting: (() => void)[] = [];
  let busy = 0;
  const request: RangesRequest = {
    check: check.id,
    ranges: { kind: 'ranges', count: finite16, step: 4096 },
    store,
    fresh,
    runPart: async (part, wanted): Promise<Ran> => {
      if (busy >= runners) await new Promise<void>((resolve) => waiting.push(resolve));
      busy++;
      const over = ran.length >= until || !wanted();
      if (!over) ran.push(part);
      const result = over ? null : await runPart(check, part);
      busy--;
      (inOrder ? waiting.shift() : waiting.pop())?.();
      return { result, finding: null };
    },
    onProgress: () => undefined,
  };
  const { result } = await runRanges(request);
  return { receipt: result?.receipt ?? null, ranges: ran.filter(({ kind }) => kind === 'range').length };
}

describe('an exhaustive proof in ranges', () => {
  it('gives the receipt of a run from end to end, on however many runners', async () => {
    for (const check of [right, wrong]) {
      const { receipt: whole } = await runJob({ ...noTime, check }, () => 0, functionBackend);
      for (const runners of [1, 2, 5]) expect((await run({ check, runners })).receipt).toEqual(whole);
    }
  });

  it('runs each range once, and none beyond the first known failure', async () => {
    expect((await run({ check: right })).ranges).toBe(Math.ceil(finite16 / 4096));
    const { receipt, ranges } = await run({ check: wrong, inOrder: true });
    expect(receipt?.counterexample?.input.values['x']?.text).toBe('[3.5]');
    // 3.5 is pattern 17152, in the fifth range; by then the next has begun.
    expect(ranges).toBe(6);
  });

  it('continues where it was interrupted, and ends with the same receipt', async () => {
    const store = memoryStore();
    const whole = await run({ check: right });
    const cut = await run({ check: right, store, until: 4 });
    expect(cut).toEqual({ receipt: null, ranges: 4 });
    expect(await store.scans(right.id)).toHaveLength(4);
    const rest = await run({ check: right, store, runners: 2 });
    expect(rest.ranges).toBe(whole.ranges - 4);
    expect(rest.receipt).toEqual(whole.receipt);
    expect((await run({ check: right, store, fresh: true })).ranges).toBe(whole.ranges);
  });

  it('believes no stored range that was changed', async () => {
    const host = createMemoryHost();
    const store = createStore(host, '/', ourTrust);
    await run({ check: right, store, until: 4 });
    const [, hex] = right.id.split(':');
    invariant(hex, 'an id is a digest');
    const path = `/.pv/scans/${hex.slice(0, 2)}/${hex}.json`;
    const text = await host.readText(path);
    invariant(text.ok, 'the ranges are stored there');
    await host.writeFileAtomic(path, text.value.replace('"cases":4096', '"cases":4097'));
    expect(await store.scans(right.id)).toEqual([]);
    await store.writeScans(right.id, []);
    expect(await store.scans(wrong.id)).toEqual([]);
    await store.removeScans(right.id);
    expect((await host.readText(path)).ok).toBe(false);
  });

  it('is incomplete when a range did not come to its end', async () => {
    let now = 0;
    const request: RangesRequest = {
      check: right.id,
      ranges: { kind: 'ranges', count: finite16, step: 40_000 },
      store: memoryStore(),
      fresh: false,
      // The clock goes forward at each look, and the time of a range is over after a few.
      runPart: async (part, wanted) => {
        if (!wanted()) return { result: null, finding: null };
        const timeoutMs = part.kind === 'range' ? 5 : 60_000;
        return {
          result: await runJob({ ...noTime, check: right, part, timeoutMs }, () => now++, functionBackend),
          finding: null,
        };
      },
      onProgress: () => undefined,
    };
    const { result } = await runRanges(request);
    expect(result?.receipt.verdict).toBe('incomplete');
    expect(result?.receipt.reason).toMatch(/^the time ended after \d+ of 63488 inputs$/);
    expect(result?.receipt.cases).toBeLessThan(finite16);
  });
});
