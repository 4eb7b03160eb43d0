import { diagnosticPalette } from '../color.ts';
import { findingsAsText } from '../findings/text.ts';
import { summaryOf, type ScanOutcome } from './scan-outcome.ts';

/** Code frames, and a line that counts what was looked at. */
export function scanAsText(outcome: ScanOutcome, color: boolean, quiet: boolean): string {
  const diagnostics = outcome.findings.map((one) => one.diagnostic);
  const frames = findingsAsText({ diagnostics }, diagnosticPalette(color));
  return quiet ? frames : [frames, summaryOf(outcome)].filter((part) => part !== '').join('\n');
}
