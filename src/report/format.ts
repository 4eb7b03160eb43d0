import type { Report } from './report.ts';
import type { Tone } from './verdict-mark.ts';

/** Colours a piece of text; the identity without colour. */
export type Paint = (style: Tone | 'dim' | 'strong', text: string) => string;

/** How a report is printed. */
export interface FormatOptions {
  /** Columns of the terminal; only `text` uses it. */
  readonly width: number;
  /** Only `text` uses it. */
  readonly paint: Paint;
  /** The command that shows the same report again, for another format of it; null if there is none. Only `text` uses it. */
  readonly command: string | null;
}

/** One format: the same text for the same report and options. */
export type Format = (report: Report, options: FormatOptions) => string | Promise<string>;
