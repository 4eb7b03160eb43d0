/** The rows of a log that a user's pattern finds. Lines are matched in batches, each within what time is left. */
import { quoted } from '../../../base/text.ts';
import { createLimiter } from '../../../host/limited-time.ts';
import { numberFromText } from '../number-text.ts';
import type { Findings } from './findings.ts';
import type { RecordReader } from './json-lines.ts';
import type { LogRows } from './log-rows.ts';
import { MAX_MATCHED_LENGTH } from './pattern.ts';

/** Per amount of text; ordinary patterns take milliseconds for it. */
const BATCH_LENGTH = 256 * 1024;
/** Ordinary patterns match a hundred times as fast. */
const MS_PER_CHARACTER = 1000 / 2 ** 20;
/** The time that a pattern may always take, however short the log is. */
export const PATTERN_MS = 5000;

/** The user's pattern and the time that it may take. */
export interface PatternLogOptions {
  /** As the user wrote it; it compiles to `pattern`. */
  readonly source: string;
  readonly pattern: RegExp;
  /** Milliseconds for matching, plus one second per MiB of text. */
  readonly budgetMs: number;
  readonly now: () => number;
}

/** A reader whose matching can be stopped when the pattern backtracks too long. */
export interface PatternLog extends RecordReader {
  /** After the last line; false when the rows are too many. */
  readonly end: () => boolean;
  /** Whether the pattern was stopped: then nothing is known about the log. */
  readonly wasStopped: () => boolean;
}

type Groups = Readonly<Record<string, string | undefined>>;

interface Line {
  readonly text: string;
  readonly number: number;
}

/** One row per line that the pattern matches. */
export function createPatternLog(options: PatternLogOptions, rows: LogRows, findings: Findings): PatternLog {
  const { pattern, now } = options;
  const limiter = createLimiter();
  let lines: Line[] = [];
  let length = 0;
  let leftMs = options.budgetMs;
  let stopped = false;

  const putRow = ({ text, number }: Line, groups: Groups): boolean => {
    for (const [name, part] of Object.entries(groups)) {
      if (part === undefined) continue;
      const value = numberFromText(part);
      if (value !== null) rows.put(rows.slot(name), value);
      else {
        rows.putText(rows.slot(name));
        const message = `The group ${name} took ${quoted(part, 40)}, which is not a number`;
        findings.atLine('PV-7037', number, text, message, { hint: 'Let the group match the number alone.' });
      }
    }
    return rows.endRow(number);
  };
  const matchBatch = (batch: readonly Line[], characters: number): readonly (Groups | undefined)[] | null => {
    const found: (Groups | undefined)[] = [];
    const match = (): void => {
      for (const { text } of batch) found.push(pattern.exec(text.slice(0, MAX_MATCHED_LENGTH))?.groups);
    };
    leftMs += characters * MS_PER_CHARACTER;
    const start = now();
    const isDone = limiter(match, Math.max(1, Math.ceil(leftMs)));
    leftMs -= now() - start;
    if (isDone) return found;
    const at = batch[found.length];
    if (at) tellStopped(options.source, at, findings);
    return null;
  };
  const readBatch = (): boolean => {
    const [batch, characters] = [lines, length];
    [lines, length] = [[], 0];
    const found = matchBatch(batch, characters);
    stopped = found === null;
    return (
      found?.every((groups, i) => {
        const line = batch[i];
        return !groups || !line || putRow(line, groups);
      }) ?? false
    );
  };
  return {
    readLine: (raw, number) => {
      const text = raw.includes('\x1b') ? raw.replace(/\x1b\[[0-?]*[ -/]*[@-~]/g, '') : raw;
      lines.push({ text, number });
      length += text.length + 1;
      return length < BATCH_LENGTH || readBatch();
    },
    end: () => lines.length === 0 || readBatch(),
    wasStopped: () => stopped,
  };
}

function tellStopped(pattern: string, { text, number }: Line, findings: Findings): void {
  findings.atLine('PV-7038', number, text, `The pattern ${quoted(pattern, 120)} takes too long on this line`, {
    hint: String.raw`It tries a line in too many ways. Replace .* and .+ by the text between the numbers, or exclude characters: step (?<step>\d+)[^=]*loss=(?<loss>\S+).`,
  });
}
