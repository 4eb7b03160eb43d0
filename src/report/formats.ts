/**
 * The formats of a report. Each is one file, loaded when it is asked for.
 */
import type { Format, FormatOptions } from './format.ts';
import type { Report } from './report.ts';

/** Without colour, 100 columns wide. */
export const plainOptions: FormatOptions = { width: 100, paint: (_, text) => text };

interface FormatRow {
  readonly summary: string;
  /** The usual ending of a file in this format. */
  readonly extension: string;
  readonly load: () => Promise<Format>;
}

export const formats = {
  text: { summary: 'a summary for the terminal', extension: 'txt', load: async () => (await import('./text.ts')).formatText },
  json: { summary: 'everything, as data (src/report/report.schema.json)', extension: 'json', load: async () => (await import('./json.ts')).formatJson },
  mermaid: { summary: 'the graph, for Markdown pages', extension: 'mmd', load: async () => (await import('./mermaid.ts')).formatMermaid },
  dot: { summary: 'the graph, for Graphviz', extension: 'dot', load: async () => (await import('./dot.ts')).formatDot },
} as const satisfies Readonly<Record<string, FormatRow>>;

export type FormatName = keyof typeof formats;

export const formatNames: readonly FormatName[] = Object.keys(formats).filter(isFormatName);

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}

/** `report` in the format called `name`: the same bytes for the same report. */
export async function formatReport(name: FormatName, report: Report, options: Partial<FormatOptions> = {}): Promise<string> {
  const format: Format = await formats[name].load();
  return format(report, { ...plainOptions, ...options });
}
