/**
 * The result of running every input of a range. Ranges are positions in the enumeration order of a finite domain.
 */
import { canonicalJson } from '../base/canonical-json.ts';
import { anyNumber, count, decodeJson, list, matching, nullable, oneOf, record, text } from './decoder.ts';
import { sha256 } from './digest.ts';
import { toJsonForm } from './json-form.ts';

/** The progress of a scan over the positions `from` to `reached`. */
export interface Scan {
  readonly from: number;
  /** The first position that was not run. */
  readonly reached: number;
  /** Inputs that were run and held. */
  readonly cases: number;
  /** Positions whose inputs the preconditions exclude. */
  readonly filtered: number;
  /** Inputs at which a premise holds; all of them for a claim without one. */
  readonly premiseHits: number;
  /**
   * The position of the largest error/allowed, or the start of its block of inputs; null if nothing was compared with a
   * tolerance.
   */
  readonly worst: {
    readonly at: number;
    readonly error: number;
    readonly allowed: number;
    readonly ratio: number;
  } | null;
  /** The first position at which the claim is false; nothing beyond it was run. */
  readonly failing: number | null;
  /** Why the inputs cannot be run; null if they can. */
  readonly trouble: string | null;
}

interface ScanFile {
  readonly schema: 'pv.scans/1';
  readonly check: string;
  readonly scans: readonly Scan[];
}

const scan = record<Scan>({
  from: count,
  reached: count,
  cases: count,
  filtered: count,
  premiseHits: count,
  worst: nullable(
    record<NonNullable<Scan['worst']>>({ at: count, error: anyNumber, allowed: anyNumber, ratio: anyNumber }),
  ),
  failing: nullable(count),
  trouble: nullable(text),
});

const scanFile = record<ScanFile>({
  schema: oneOf('pv.scans/1'),
  check: matching(/^sha256:[0-9a-f]{64}$/, 'a digest'),
  scans: list(scan),
});

const envelope = record<{ readonly digest: string; readonly file: ScanFile }>({ digest: text, file: scanFile });

/** The text of the file that keeps the finished ranges of a check: canonical JSON and its digest. */
export function writeScans(check: string, scans: readonly Scan[]): string {
  const file = toJsonForm({ schema: 'pv.scans/1', check, scans } satisfies ScanFile);
  return `${canonicalJson({ digest: sha256(canonicalJson(file)), file })}\n`;
}

/**
 * The finished ranges of `check` in `content`. A file that is not as pv wrote it yields none: running a range again costs time,
 * trusting a false one costs the truth.
 */
export function readScans(content: string, check: string): readonly Scan[] {
  const decoded = decodeJson(content, envelope);
  if (!decoded.ok || decoded.value.file.check !== check) return [];
  const { digest, file } = decoded.value;
  return digest === sha256(canonicalJson(toJsonForm(file))) ? file.scans : [];
}

/**
 * The combined scan from the first position, as if run in order: up to the first position that failed or was not run. Whatever
 * lies beyond does not count, in whichever order ranges were run.
 */
export function joinScans(scans: readonly Scan[]): Scan {
  let joined = emptyScan(0);
  for (const next of scans.toSorted((a, b) => a.from - b.from)) {
    if (next.from !== joined.reached || joined.failing !== null || joined.trouble !== null) break;
    joined = {
      from: joined.from,
      reached: next.reached,
      cases: joined.cases + next.cases,
      filtered: joined.filtered + next.filtered,
      premiseHits: joined.premiseHits + next.premiseHits,
      worst: next.worst && next.worst.ratio > (joined.worst?.ratio ?? -1) ? next.worst : joined.worst,
      failing: next.failing,
      trouble: next.trouble,
    };
  }
  return joined;
}

/** A scan that has run nothing yet. */
export function emptyScan(from: number): Scan {
  return { from, reached: from, cases: 0, filtered: 0, premiseHits: 0, worst: null, failing: null, trouble: null };
}
