/** The first line of every verdict, the same on a terminal, in JSON, from a server and in a page. */
import { headline, markedHeadline, type Coverage, type VerdictWord } from './headline.ts';
import { replayHeadline } from './replay-coverage.ts';
import type { TraceVerdict } from './verify-trace.ts';

/** A verdict of any kind; one on a trace has a replay and its scope as well. */
type Told =
  | Pick<TraceVerdict, 'verdict' | 'covers' | 'level' | 'scope' | 'replayed'>
  | { readonly verdict: VerdictWord; readonly covers: Coverage };

/** `VERIFIED (step of position 7 and path; nothing replayed)`. */
export const firstLine = (found: Told): string =>
  'scope' in found ? replayHeadline(found) : headline(found.verdict, found.covers);

/** The same with the mark that people see before it. */
export const markedFirstLine = (found: Told): string => markedHeadline(found.verdict, firstLine(found));
