import { createMemoryHost } from '../../src/host/memory-host.ts';
import type { RuleName } from '../../src/scan/rules.ts';
import { everyRule, scan, type Scan } from '../../src/scan/scan.ts';
import { noSettings, type ScanSettings } from '../../src/scan/settings.ts';

export interface ScanCodeOptions {
  readonly rules?: readonly RuleName[];
  readonly types?: boolean;
  readonly settings?: ScanSettings;
}

/** Scans texts as files of a project in memory. */
export async function scanCode(
  files: Readonly<Record<string, string>>,
  { rules = everyRule, types = false, settings = noSettings }: ScanCodeOptions = {},
): Promise<Scan> {
  const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
  return scan(createMemoryHost(files), sources, { rules, types, settings });
}

/** What one rule finds in one file: the text that each finding points at. */
export async function pointedAt(rule: RuleName, text: string, types: boolean = false): Promise<readonly string[]> {
  const { findings } = await scanCode({ 'src/sample.ts': text }, { rules: [rule], types });
  return findings.map(({ diagnostic: { span, code } }) =>
    span ? span.source.text.slice(span.range.start, span.range.end) : code,
  );
}
