import type { ScanOutcome } from '../../api/scan-outcome.ts';
import type { Cli } from '../cli.ts';
import { diagnosticPalette } from '../color.ts';
import { findingsAsText } from '../findings/text.ts';
import type { ScanFlags } from './scan-flags.ts';
import { summaryOf } from './summary.ts';

/** What a scan found, in a format. */
export async function showScan(cli: Cli, { format, quiet }: ScanFlags, outcome: ScanOutcome): Promise<string> {
  if (format === 'text') return scanAsText(outcome, cli.process.stdout.color, quiet);
  if (format === 'json') return (await import('./json.ts')).scanAsJson(outcome);
  const diagnostics = outcome.findings.map((one) => one.diagnostic);
  if (format === 'github') return (await import('../findings/github.ts')).findingsAsGithub({ diagnostics });
  const { unverifiedReport } = await import('../../api/unverified-report.ts');
  return (await import('../../report/formats.ts')).formatReport(format, unverifiedReport([], diagnostics));
}

/** Code frames, and a line that counts what was looked at. */
function scanAsText(outcome: ScanOutcome, color: boolean, quiet: boolean): string {
  const diagnostics = outcome.findings.map((one) => one.diagnostic);
  const frames = findingsAsText({ diagnostics }, diagnosticPalette(color));
  return quiet ? frames : [frames, summaryOf(outcome)].filter((part) => part !== '').join('\n');
}
