/**
 * An exhaustive proof with more inputs than one job runs: its ranges on all runners, what is finished kept on the disk, and
 * its end once all are run, or one has failed.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { joinScans, type Scan } from '../evidence/scan.ts';
import type { EvidenceStore } from '../evidence/store.ts';
import type { JobResult, ScanPart, Scanned } from './check.ts';

/** What became of a job. */
export interface Ran {
  /** Null if the run was over before the job had its full time. */
  readonly result: JobResult | null;
  readonly finding: Diagnostic | null;
}

/** A check that was divided into ranges, and what is already known about them. */
export interface RangesRequest {
  /** The id of the check. */
  readonly check: string;
  readonly ranges: Extract<Scanned, { kind: 'ranges' }>;
  readonly store: Pick<EvidenceStore, 'scans' | 'writeScans'>;
  /** Runs all inputs again, whatever the store holds. */
  readonly fresh: boolean;
  /** Runs a part once a runner is free, unless `wanted` says by then that it is not needed any more. */
  readonly runPart: (part: ScanPart, wanted: () => boolean) => Promise<Ran>;
  readonly onProgress: (done: number, total: number) => void;
}

/** Runs what is missing of the ranges, all of them at once as far as there are runners, and then the end of the check. */
export async function runRanges(request: RangesRequest): Promise<Ran> {
  const { check, ranges, store, runPart, onProgress } = request;
  const scans = request.fresh ? [] : withoutOverlaps(await store.scans(check), ranges.count);
  const missing = missingRanges(scans, ranges);
  let done = Math.ceil(ranges.count / ranges.step) - missing.length;
  let elapsedMs = 0;
  /** A job that has no scan: it hung, it crashed, or the run is over. */
  let stopped: Ran | null = null;
  /** Whether a range did not reach its end. */
  let isOver = false;
  const troubled: Scan[] = [];
  let finding: Diagnostic | null = null;
  let written: Promise<void> = Promise.resolve();
  const firstFailing = (): number => Math.min(Infinity, ...scans.map(({ failing }) => failing ?? Infinity));
  const keep = (scan: Scan): void => {
    scans.push(scan);
    const now = scans.toSorted((a, b) => a.from - b.from);
    written = written.then(async () => {
      finding ??= (await store.writeScans(check, now)).diagnostics[0] ?? null;
    });
  };
  const total = done + missing.length;
  onProgress(done, total);
  await Promise.all(
    missing.map(async ({ from, to }) => {
      const wanted = (): boolean => stopped === null && !isOver && firstFailing() > from;
      const ran = await runPart({ kind: 'range', from, to }, wanted);
      const { result } = ran;
      if (result?.scanned?.kind !== 'range') {
        // Null if it was not wanted any more, and where the whole run is over.
        if (result !== null || wanted()) stopped ??= ran;
        return;
      }
      const { scan } = result.scanned;
      elapsedMs += result.receipt.timing.elapsedMs;
      // What could not be run is not remembered: the next run may be able to.
      if (scan.trouble === null) keep(scan);
      else troubled.push(scan);
      if (scan.reached < to && scan.failing === null) isOver = true;
      onProgress(++done, total);
    }),
  );
  await written;
  const last = stopped ?? (await concluded(request, [...scans, ...troubled], elapsedMs));
  return { ...last, finding: last.finding ?? finding };
}

/** The receipt of what was run. */
async function concluded({ runPart }: RangesRequest, scans: readonly Scan[], elapsedMs: number): Promise<Ran> {
  const scan = joinScans(scans);
  const ran = await runPart({ kind: 'conclude', scan }, () => true);
  if (ran.result === null) return ran;
  const { receipt } = ran.result;
  const timing = { elapsedMs: elapsedMs + receipt.timing.elapsedMs };
  return { ...ran, result: { ...ran.result, receipt: { ...receipt, timing } } };
}

/** The store may contain ranges from a version of pv that divided the inputs differently. */
function withoutOverlaps(scans: readonly Scan[], count: number): Scan[] {
  const kept: Scan[] = [];
  for (const scan of scans.toSorted((a, b) => a.from - b.from))
    if (scan.from >= (kept.at(-1)?.reached ?? 0) && scan.reached > scan.from && scan.reached <= count) kept.push(scan);
  return kept;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** What no scan has reached, cut at the multiples of `step`, up to the first input that failed. */
function missingRanges(scans: readonly Scan[], { count, step }: RangesRequest['ranges']): readonly Range[] {
  const ranges: Range[] = [];
  let at = 0;
  const add = (end: number): void => {
    while (at < end) {
      const to = Math.min(end, (Math.floor(at / step) + 1) * step);
      ranges.push({ from: at, to });
      at = to;
    }
  };
  for (const { from, reached, failing } of scans) {
    add(from);
    if (failing !== null) return ranges;
    at = reached;
  }
  add(count);
  return ranges;
}
