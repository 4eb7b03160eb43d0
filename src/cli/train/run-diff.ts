/** Compares the ledgers of two runs, and reports where they part. */
import { canonicalJson, type JsonValue } from '../../base/canonical-json.ts';
import { count, shortened, visible } from '../../base/text.ts';
import { readCertificate } from '../../training/certificate/read-certificate.ts';
import type { CompactedLedger } from '../../training/ledger/compact.ts';
import { differencesOf, divergenceOf, lineOf, type Difference } from '../../training/ledger/divergence.ts';
import { headerOf, recordOfLine, type LedgerFile } from '../../training/ledger/read-ledger.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { print, type Cli } from '../cli.ts';
import { readAnyLedger } from './read-run.ts';
import { inFolder, runFiles } from './run-folder.ts';

/** Flags of `pv certificate diff`. */
export type DiffFlags = Readonly<{ json: boolean }>;

type AnyLedger = LedgerFile | CompactedLedger;

/** The result, as JSON prints it. */
interface Comparison {
  readonly same: boolean;
  /** The first step that differs, or that only one run has; 0 for the header. Null if they are the same. */
  readonly step: number | null;
  /** The earliest step that may differ: the same as `step`, unless lines in between were compacted away. */
  readonly notBefore: number | null;
  readonly steps: readonly [number, number];
  /** Prefixes that the search compared. */
  readonly compared: number;
  /** What differs before the first step: initial weights, and settings if both runs have a certificate. */
  readonly header: readonly Difference[];
  readonly differences: readonly Difference[];
}

/** Exits with 0 if both ledgers have the same lines. */
export async function runDiff(cli: Cli, { json }: DiffFlags, folderA: string, folderB: string): Promise<ExitCode> {
  const a = await readAnyLedger(cli, folderA);
  const b = await readAnyLedger(cli, folderB);
  if (typeof a === 'number') return a;
  if (typeof b === 'number') return b;
  const result = compare(a, b, [await configOf(cli, folderA), await configOf(cli, folderB)]);
  print(cli, json ? `${JSON.stringify(result, null, 2)}\n` : comparisonText(result, folderA, folderB));
  return result.same ? exitCodes.ok : exitCodes.findings;
}

function compare(a: AnyLedger, b: AnyLedger, configs: readonly [JsonValue, JsonValue]): Comparison {
  const steps = [stepsOf(a), stepsOf(b)] as const;
  const divergence = divergenceOf(a, b);
  if (divergence === null)
    return { same: true, step: null, notBefore: null, steps, compared: 0, header: [], differences: [] };
  const { same, compared } = divergence;
  // Attestations bind the header, so without a common one no line is the same, and the records themselves are compared.
  const step = divergence.differs === 0 ? firstRecordThatDiffers(a, b) : divergence.differs;
  const [recordA, recordB] = [a, b].map((ledger) => recordOfLine(lineOf(ledger, step) ?? ''));
  return {
    same: false,
    step,
    notBefore: divergence.differs === 0 ? step : same,
    steps,
    compared,
    header: same === 0 ? headerDifferences(a, b, configs) : [],
    differences: recordA && recordB ? differencesOf(recordA, recordB) : [],
  };
}

/** The first step whose records differ, whatever their attestations; 0 if none does. */
function firstRecordThatDiffers(a: AnyLedger, b: AnyLedger): number {
  const indices = 'kept' in a ? a.kept.map(({ index }) => index) : a.lines.keys();
  for (const index of indices) {
    const [x, y] = [a, b].map((ledger) => recordOfLine(lineOf(ledger, index) ?? ''));
    if (x && y && differencesOf(x, y).length > 0) return index;
  }
  return 0;
}

function headerDifferences(a: AnyLedger, b: AnyLedger, [configA, configB]: readonly [JsonValue, JsonValue]) {
  const [ofA, ofB] = [headerOf(lineOf(a, 0) ?? ''), headerOf(lineOf(b, 0) ?? '')];
  const found: Difference[] = [];
  if (ofA.initial !== ofB.initial) found.push({ what: 'initial weights', a: ofA.initial, b: ofB.initial });
  if (ofA.config === ofB.config) return found;
  const settings = settingsThatDiffer('configuration', configA, configB);
  return [...found, ...(settings.length > 0 ? settings : [{ what: 'configuration', a: ofA.config, b: ofB.config }])];
}

/** The innermost settings that differ, each named by its path. */
function settingsThatDiffer(path: string, a: JsonValue | undefined, b: JsonValue | undefined): readonly Difference[] {
  const [textA, textB] = [a, b].map((value) => (value === undefined ? null : canonicalJson(value)));
  if (textA === textB) return [];
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return [{ what: path, a: textA ?? null, b: textB ?? null }];
  const [ofA, ofB] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return [...new Set([...ofA.keys(), ...ofB.keys()])].flatMap((key) =>
    settingsThatDiffer(`${path}.${key}`, ofA.get(key), ofB.get(key)),
  );
}

/** The configuration in the certificate of a run; null without a readable one. */
async function configOf(cli: Cli, folder: string): Promise<JsonValue> {
  const file = await cli.host.readBytes(inFolder(folder, runFiles.certificate));
  const certificate = file.ok ? readCertificate(file.value) : file;
  return certificate.ok ? certificate.value.config : null;
}

const stepsOf = (ledger: AnyLedger): number => ('kept' in ledger ? ledger.leaves : ledger.lines.length) - 1;

/** More would not be read; `--json` has all of them. */
const mostShown = 20;

function comparisonText(result: Comparison, folderA: string, folderB: string): string {
  const [a, b] = [visible(folderA), visible(folderB)];
  const [stepsA, stepsB] = result.steps;
  if (result.same) return `${a} and ${b} are the same: ${count(stepsA, 'step')}\n`;
  const all = [...result.header, ...result.differences];
  return [
    headlineOf(result, a, b),
    `  ${a} has ${count(stepsA, 'step')}, ${b} ${count(stepsB, 'step')}`,
    ...all
      .slice(0, mostShown)
      .map((one) => `  ${visible(shortened(one.what, 120))}: ${shown(one.a)} | ${shown(one.b)}`),
    ...(all.length > mostShown
      ? [`  … and ${count(all.length - mostShown, 'difference')} more: --json lists all`]
      : []),
    '',
  ].join('\n');
}

function headlineOf({ step, notBefore, steps, header, compared }: Comparison, a: string, b: string): string {
  const at = step ?? 0;
  if (header.length > 0)
    return at === 0
      ? `${a} and ${b} begin differently, but all their common steps have the same records`
      : `${a} and ${b} begin differently; the first step with different records is step ${at}`;
  const found = `found by comparing ${count(compared, 'prefix', 'prefixes')}`;
  const least = notBefore ?? at;
  const shorter = Math.min(...steps);
  if (least === at && at > shorter)
    return `${a} and ${b} are the same up to step ${shorter}, where one of them ends; ${found}`;
  return least === at
    ? `${a} and ${b} differ first at step ${at}; ${found}`
    : `${a} and ${b} are the same up to step ${least - 1} and differ first at one of the steps ${least} to ${at}; the lines between were compacted away`;
}

/** One side of a difference; a digest is recognised by its beginning. */
const shown = (value: string | null): string =>
  value === null ? 'nothing' : visible(shortened(/^[0-9a-f]{64}$/.test(value) ? `${value.slice(0, 12)}…` : value, 100));
