/** Compares two runs: their ledgers, and their certificates and weights if the ledgers are the same. Reports where they part. */
import type { JsonValue } from '../../base/canonical-json.ts';
import { jsonDifferences } from '../../base/json-differences.ts';
import { bytesToHex } from '@noble/hashes/utils.js';
import { count, listOf, shortened, visible } from '../../base/text.ts';
import { sameBytes } from '../../merkle/hash.ts';
import { sha256 } from '../../merkle/sha256.ts';
import type { TrainingCertificate } from '../../training/certificate/certificate.ts';
import { readCertificate } from '../../training/certificate/read-certificate.ts';
import type { CompactedLedger } from '../../training/ledger/compact.ts';
import { differencesOf, divergenceOf, lineOf, type Difference } from '../../training/ledger/divergence.ts';
import { headerOf, recordOfLine, type LedgerFile } from '../../training/ledger/read-ledger.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { print, type Cli } from '../cli.ts';
import { readAnyLedger } from './read-run.ts';
import { jsonText } from '../json-text.ts';
import { inFolder, maxRunBytes, runFiles, sayFile } from './run-folder.ts';

/** Flags of `pv certificate diff`. */
export type DiffFlags = Readonly<{ json: boolean }>;

type AnyLedger = LedgerFile | CompactedLedger;

/** The result, as JSON prints it. */
interface Comparison {
  /** Whether the ledgers are the same, and the files too. */
  readonly same: boolean;
  /** The first step that differs, or that only one run has; 0 for the header. Null if the ledgers are the same. */
  readonly step: number | null;
  /** The earliest step that may differ: the same as `step`, unless lines in between were compacted away. */
  readonly notBefore: number | null;
  readonly steps: readonly [number, number];
  /** Bytes after the last complete line of each ledger, which are not compared. */
  readonly torn: readonly [number, number];
  /** Prefixes that the search compared. */
  readonly compared: number;
  /** What differs before the first step: initial weights, and settings if both runs have a certificate. */
  readonly header: readonly Difference[];
  readonly differences: readonly Difference[];
  /** The certificates and the weights. Compared only if the ledgers are the same; empty otherwise. */
  readonly files: readonly FileComparison[];
}

/** A file that both runs may have. */
interface FileComparison {
  readonly name: string;
  readonly found: 'same' | 'different' | 'in neither';
  readonly differences: readonly Difference[];
}

/** Exits with 0 if both ledgers have the same lines and end with a whole one, and certificates and weights have the same bytes. */
export async function runDiff(cli: Cli, { json }: DiffFlags, folderA: string, folderB: string): Promise<ExitCode> {
  const a = await readAnyLedger(cli, folderA);
  const b = await readAnyLedger(cli, folderB);
  if (typeof a === 'number') return a;
  if (typeof b === 'number') return b;
  const certificates = await readBoth(cli, runFiles.certificate, folderA, folderB);
  if (certificates === null) return exitCodes.usage;
  const [configA, configB] = certificates.map(configOf);
  const ledgers = compare(a, b, [configA ?? null, configB ?? null]);
  const weights = ledgers.same ? await readBoth(cli, runFiles.weights, folderA, folderB) : [];
  if (weights === null) return exitCodes.usage;
  const files = ledgers.same
    ? [compareFiles(runFiles.certificate, certificates), compareFiles(runFiles.weights, weights)]
    : [];
  const isWhole = ledgers.torn.every((bytes) => bytes === 0);
  const same = ledgers.same && isWhole && files.every(({ found }) => found !== 'different');
  const result = { ...ledgers, same, files };
  print(cli, json ? jsonText(result) : comparisonText(result, folderA, folderB));
  return result.same ? exitCodes.ok : exitCodes.findings;
}

/** A file of each run, null where it is missing; null after reporting that one cannot be read. */
async function readBoth(
  cli: Cli,
  name: string,
  ...folders: readonly string[]
): Promise<readonly (Uint8Array | null)[] | null> {
  const both: (Uint8Array | null)[] = [];
  for (const folder of folders) {
    const file = await cli.host.readBytes(inFolder(folder, name), { maxBytes: maxRunBytes });
    if (!file.ok && file.error.kind !== 'missing') {
      sayFile(cli, file.error);
      return null;
    }
    both.push(file.ok ? file.value : null);
  }
  return both;
}

/** What differs in a file: fields if both are certificates, and otherwise the digest. */
function compareFiles(name: string, [a = null, b = null]: readonly (Uint8Array | null)[]): FileComparison {
  if (a === null && b === null) return { name, found: 'in neither', differences: [] };
  if (a !== null && b !== null && sameBytes(a, b)) return { name, found: 'same', differences: [] };
  const [digestA = null, digestB = null] = [a, b].map((bytes) => bytes && bytesToHex(sha256(bytes)));
  const [jsonA, jsonB] = [a, b].map((bytes) =>
    bytes && name === runFiles.certificate ? readCertificate(bytes) : null,
  );
  const fields =
    jsonA?.ok && jsonB?.ok ? jsonDifferences('certificate', fieldsOf(jsonA.value), fieldsOf(jsonB.value)) : [];
  return {
    name,
    found: 'different',
    differences: fields.length > 0 ? fields : [{ what: name, a: digestA, b: digestB }],
  };
}

const fieldsOf = (certificate: TrainingCertificate): JsonValue => JSON.parse(JSON.stringify(certificate)) as JsonValue;

function compare(a: AnyLedger, b: AnyLedger, configs: readonly [JsonValue, JsonValue]): Omit<Comparison, 'files'> {
  const steps = [stepsOf(a), stepsOf(b)] as const;
  const torn = [tornOf(a), tornOf(b)] as const;
  const divergence = divergenceOf(a, b);
  if (divergence === null)
    return { same: true, step: null, notBefore: null, steps, torn, compared: 0, header: [], differences: [] };
  const { same, compared } = divergence;
  // Attestations bind the header, so without a common one no line is the same, and the records themselves are compared.
  const step = divergence.differs === 0 ? firstRecordThatDiffers(a, b) : divergence.differs;
  const [recordA, recordB] = [a, b].map((ledger) => recordOfLine(lineOf(ledger, step) ?? ''));
  return {
    same: false,
    step,
    notBefore: divergence.differs === 0 ? step : same,
    steps,
    torn,
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
  const settings = jsonDifferences('configuration', configA, configB);
  return [...found, ...(settings.length > 0 ? settings : [{ what: 'configuration', a: ofA.config, b: ofB.config }])];
}

/** The configuration in a certificate; null without a readable one. */
function configOf(file: Uint8Array | null): JsonValue {
  const certificate = file === null ? null : readCertificate(file);
  return certificate?.ok ? certificate.value.config : null;
}

const tornOf = (ledger: AnyLedger): number => ('kept' in ledger ? 0 : ledger.torn);

const stepsOf = (ledger: AnyLedger): number => ('kept' in ledger ? ledger.leaves : ledger.lines.length) - 1;

/** More would not be read; `--json` has all of them. */
const mostShown = 20;

function comparisonText(result: Comparison, folderA: string, folderB: string): string {
  const [a, b] = [visible(folderA), visible(folderB)];
  const [stepsA, stepsB] = result.steps;
  if (result.same) return `${a} and ${b} have the same ${sameText(result)}\n`;
  const all = [...result.header, ...result.differences, ...result.files.flatMap(({ differences }) => differences)];
  return [
    result.step === null ? `${a} and ${b} have the same ${sameText(result)}` : headlineOf(result, a, b),
    `  ${a} has ${count(stepsA, 'step')}, ${b} ${count(stepsB, 'step')}`,
    ...[a, b].flatMap((name, i) => tornText(name, result.torn[i] ?? 0)),
    ...all
      .slice(0, mostShown)
      .map((one) => `  ${visible(shortened(one.what, 120))}: ${shown(one.a)} | ${shown(one.b)}`),
    ...(all.length > mostShown
      ? [`  … and ${count(all.length - mostShown, 'difference')} more: --json lists all`]
      : []),
    '',
  ].join('\n');
}

/** `ledger and weights.safetensors: 12 steps; other certificate.json`. */
function sameText({ steps, torn, files }: Comparison): string {
  const named = (which: FileComparison['found']): readonly string[] =>
    files.filter(({ found }) => found === which).map(({ name }) => name);
  const [different, neither] = [named('different'), named('in neither')];
  const isTorn = torn.some((bytes) => bytes > 0);
  return [
    `${listOf([isTorn ? 'complete lines of the ledger' : 'ledger', ...named('same')])}: ${count(steps[0], 'step')}`,
    ...(isTorn ? ['but a ledger ends within a line'] : []),
    ...(different.length > 0 ? [`but ${listOf(different)} ${different.length > 1 ? 'differ' : 'differs'}`] : []),
    ...(neither.length > 0 ? [`neither has ${listOf(neither)}`] : []),
  ].join('; ');
}

const tornText = (name: string, bytes: number): readonly string[] =>
  bytes === 0 ? [] : [`  the ledger of ${name} ends with ${count(bytes, 'byte')} of an incomplete line`];

function headlineOf({ step, notBefore, steps, header, compared }: Comparison, a: string, b: string): string {
  const at = step ?? 0;
  if (header.length > 0)
    return at === 0
      ? `${a} and ${b} begin differently${Math.min(...steps) === 0 ? ', and have no step in common' : ', but all their common steps have the same records'}`
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
