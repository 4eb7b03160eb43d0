/**
 * The formats of a report. Each is one file, loaded when it is requested.
 */
import type { Format, FormatOptions } from './format.ts';
import type { Report } from './report.ts';

/** Without colour, 100 columns wide. */
export const plainOptions: FormatOptions = { width: 100, paint: (_, text) => text, command: null };

interface FormatRow {
  readonly summary: string;
  /** The usual ending of a file in this format. */
  readonly extension: string;
  readonly load: () => Promise<Format>;
}

/** Every format, with its summary for help and its file extension. */
export const formats = {
  text: {
    summary: 'a summary for the terminal',
    extension: 'txt',
    load: async () => (await import('./text.ts')).formatText,
  },
  json: {
    summary: 'everything, as data (src/report/report.schema.json)',
    extension: 'json',
    load: async () => (await import('./json.ts')).formatJson,
  },
  mermaid: {
    summary: 'the graph, for Markdown pages',
    extension: 'mmd',
    load: async () => (await import('./mermaid.ts')).formatMermaid,
  },
  dot: { summary: 'the graph, for Graphviz', extension: 'dot', load: async () => (await import('./dot.ts')).formatDot },
  markdown: {
    summary: "a page for a job's summary on GitHub, at most 1 MB",
    extension: 'md',
    load: async () => (await import('./markdown.ts')).formatMarkdown,
  },
  comment: {
    summary: 'the same for a comment on a pull request, at most 60 kB',
    extension: 'md',
    load: async () => (await import('./markdown.ts')).formatComment,
  },
  html: {
    summary: 'one page for people, without requests',
    extension: 'html',
    load: async () => (await import('./html/page.ts')).formatHtml,
  },
  junit: {
    summary: 'test results for CI servers',
    extension: 'xml',
    load: async () => (await import('./junit.ts')).formatJunit,
  },
  sarif: {
    summary: 'SARIF 2.1.0 for code scanning',
    extension: 'sarif',
    load: async () => (await import('./sarif.ts')).formatSarif,
  },
  github: {
    summary: 'annotations of a GitHub workflow',
    extension: 'log',
    load: async () => (await import('./github.ts')).formatGithub,
  },
  gitlab: {
    summary: 'a Code Quality report of GitLab',
    extension: 'json',
    load: async () => (await import('./gitlab.ts')).formatGitlab,
  },
} as const satisfies Readonly<Record<string, FormatRow>>;

/** A value of `--format`. */
export type FormatName = keyof typeof formats;

/** The values of `--format`, in the order of help. */
export const formatNames: readonly FormatName[] = Object.keys(formats).filter(isFormatName);

/** Whether `name` is a value of `--format`. */
export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}

/** `report` in the format called `name`: the same bytes for the same report. */
export async function formatReport(
  name: FormatName,
  report: Report,
  options: Partial<FormatOptions> = {},
): Promise<string> {
  if (!isFormatName(name))
    throw new RangeError(`'${String(name)}' is not a format; one of ${formatNames.join(', ')} is expected`);
  const format: Format = await formats[name].load();
  return format(report, { ...plainOptions, ...options });
}
