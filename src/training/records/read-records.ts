/**
 * Reads the step records of another trainer, such as python/pv_training.py: one line of JSON for the run, one per step, and one
 * that says the run ended. Untrusted: a trainer may lie about every number here, but not write a file that two readers would
 * understand differently.
 */
import { err, ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { repeatedKey } from '../../base/repeated-key.ts';
import { parseJson } from '../../base/strict-json.ts';
import { quoted } from '../../base/text.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import {
  anyNumber,
  count,
  list,
  matching,
  nullable,
  oneOf,
  record,
  text,
  type Decoder,
} from '../../evidence/decoder.ts';
import { hasControls, printable } from '../parameters.ts';

const recordsFormat = 'pv-training-records/1';

/** A year of training at 30 steps a second has more, but its ledger could not be read. */
const mostSteps = 1_000_000;

/** The first line. */
interface RecordsHeader {
  readonly format: typeof recordsFormat;
  /** Name and version. */
  readonly trainer: readonly string[];
  readonly parameters: readonly string[];
  /** Of each parameter; all lists are in the order of `parameters`. */
  readonly shapes: readonly (readonly number[])[];
  /** ‖w‖₂ of each parameter before the first step. */
  readonly norms: readonly number[];
  /** SHA-256 of the initial weights as a safetensors file. */
  readonly digest: string;
}

/** One step. The norms may be NaN or infinite. */
export interface RecordedStep {
  readonly step: number;
  readonly loss: number;
  readonly rate: number;
  readonly gradients: readonly number[];
  /** ‖w_after − w_before‖₂ of each parameter. */
  readonly updates: readonly number[];
  /** ‖w‖₂ of each parameter after the step. */
  readonly norms: readonly number[];
  /** SHA-256 of the weights after the step; null if the trainer computed none. */
  readonly digest: string | null;
}

/** The records of a run that ended. */
export interface StepRecords {
  readonly header: RecordsHeader;
  readonly steps: readonly RecordedStep[];
  /** SHA-256 of the final weights. */
  readonly digest: string;
}

const hex = matching(/^[0-9a-f]{64}$/, 'a SHA-256 of 64 hexadecimal digits');

/** A norm or a learning rate, which are never negative. */
const notNegative: Decoder<number> = (value, at) => {
  const decoded = anyNumber(value, at);
  return decoded.ok && decoded.value < 0 ? err(`${at} is negative`) : decoded;
};

const header: Decoder<RecordsHeader> = record<RecordsHeader>({
  format: oneOf(recordsFormat),
  trainer: list(text, 2),
  parameters: list(text),
  shapes: list(list(count, 100)),
  norms: list(notNegative),
  digest: hex,
});

const step: Decoder<RecordedStep> = record<RecordedStep>({
  step: count,
  loss: anyNumber,
  rate: notNegative,
  gradients: list(notNegative),
  updates: list(notNegative),
  norms: list(notNegative),
  digest: nullable(hex),
});

interface End {
  readonly end: number;
  readonly digest: string;
}

const end: Decoder<End> = record<End>({ end: count, digest: hex });

/** The records in the bytes of a file; PV-8330 to PV-8337 name the line at fault. */
export function readRecords(bytes: Uint8Array): Result<StepRecords, Problem> {
  const lines = linesOf(bytes);
  const first = readLine(lines, 1, header);
  if (!first.ok) return first;
  const names = checkHeader(first.value);
  if (!names.ok) return names;
  const steps: RecordedStep[] = [];
  for (let line = 2; ; line++) {
    const value = parseLine(lines, line);
    if (!value.ok) return value;
    if (typeof value.value === 'object' && value.value !== null && 'end' in value.value) {
      const last = decodeLine(value.value, line, end);
      if (!last.ok) return last;
      const ended = checkEnd(last.value, steps.length, lines, line);
      return ended.ok ? ok({ header: first.value, steps, digest: last.value.digest }) : ended;
    }
    const decoded = decodeLine(value.value, line, step);
    if (!decoded.ok) return decoded;
    const next = checkStep(decoded.value, steps.length + 1, first.value, line);
    if (!next.ok) return next;
    steps.push(decoded.value);
  }
}

/** The lines of a file, one after another; null at its end. */
interface Lines {
  readonly next: () => { readonly bytes: Uint8Array; readonly whole: boolean } | null;
}

function linesOf(bytes: Uint8Array): Lines {
  let start = 0;
  return {
    next() {
      if (start >= bytes.length) return null;
      const found = bytes.indexOf(0x0a, start);
      const stop = found < 0 ? bytes.length : found;
      const line = bytes.subarray(start, stop);
      start = stop + 1;
      return { bytes: line, whole: found >= 0 };
    },
  };
}

function readLine<T>(lines: Lines, line: number, decoder: Decoder<T>): Result<T, Problem> {
  const value = parseLine(lines, line);
  return value.ok ? decodeLine(value.value, line, decoder) : value;
}

function decodeLine<T>(value: unknown, line: number, decoder: Decoder<T>): Result<T, Problem> {
  const decoded = decoder(value, 'record');
  return decoded.ok ? decoded : malformed(line, decoded.error);
}

function parseLine(lines: Lines, line: number): Result<unknown, Problem> {
  const next = lines.next();
  if (next === null)
    return wrong(
      'PV-8332',
      'step records',
      `The records end after line ${line - 1}, before the run did: the last line must say {"end":STEPS,"digest":SHA-256}. Call close() at the end of the training loop.`,
    );
  if (!next.whole)
    return wrong(
      'PV-8332',
      'step records',
      `Line ${line} is cut short: it does not end with a newline. The trainer was stopped while it wrote; records of an unfinished run cannot be certified.`,
    );
  const content = decodeUtf8(next.bytes);
  if (content === null) return malformed(line, 'it is not UTF-8');
  if (content.startsWith('\uFEFF'))
    return malformed(line, 'it begins with a byte order mark; save the file without one');
  const json = parseJson(content, 'record');
  if (!json.ok) {
    // Outside strings, these words are in no JSON text.
    const literal = /[:,[]\s*(NaN|-?Infinity)\s*[,\]}]/.exec(content)?.[1];
    if (literal !== undefined)
      return wrong(
        'PV-8333',
        'step records',
        `Line ${line} contains the literal ${literal}, which JSON does not have: write the string "${literal}" instead.`,
      );
    return malformed(line, json.error);
  }
  const repeated = repeatedKey(content, 'record');
  if (repeated !== null)
    return wrong(
      'PV-8335',
      'step records',
      `Line ${line} has the key ${quoted(repeated)} twice, so readers would disagree about its value.`,
    );
  return json;
}

function checkHeader({ trainer, parameters, shapes, norms }: RecordsHeader): Result<null, Problem> {
  if (trainer.length !== 2) return malformed(1, 'record.trainer is not a name and a version');
  const unprintable = [...trainer, ...parameters].find((name) => !isName(name));
  if (unprintable !== undefined)
    return wrong(
      'PV-8337',
      'step records',
      `Line 1 has the name ${printable(unprintable)}; a name has 1 to 500 printable characters, and is not __metadata__.`,
    );
  const seen = new Set<string>();
  const twice = parameters.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) return mismatch(1, `the parameter ${quoted(twice)} twice`);
  if (parameters.length === 0) return mismatch(1, 'no parameter');
  return checkLengths({ shapes, norms }, parameters.length, 1);
}

const isName = (name: string): boolean =>
  name.length >= 1 &&
  name.length <= 500 &&
  name !== '__metadata__' &&
  !hasControls(name) &&
  !/\p{Surrogate}/u.test(name);

function checkStep(
  { step: number, gradients, updates, norms }: RecordedStep,
  expected: number,
  { parameters }: RecordsHeader,
  line: number,
): Result<null, Problem> {
  if (expected > mostSteps)
    return wrong('PV-8336', 'step records', `The records have more than ${mostSteps} steps, the most that pv reads.`);
  if (number !== expected)
    return wrong('PV-8331', 'step records', `Line ${line} is out of order: a step is missing, repeated or misplaced.`, {
      position: expected,
      expected: `step ${expected}`,
      actual: `step ${number}`,
    });
  return checkLengths({ gradients, updates, norms }, parameters.length, line);
}

function checkLengths(
  lists: Readonly<Record<string, readonly unknown[]>>,
  expected: number,
  line: number,
): Result<null, Problem> {
  for (const [name, values] of Object.entries(lists))
    if (values.length !== expected)
      return mismatch(line, `${values.length} ${name}; the run has ${expected} parameters`);
  return ok(null);
}

function checkEnd({ end: said }: End, steps: number, lines: Lines, line: number): Result<null, Problem> {
  if (said !== steps)
    return wrong('PV-8331', 'step records', `Line ${line} says that the run had ${said} steps.`, {
      expected: `${steps} steps`,
      actual: `${said} steps`,
    });
  if (lines.next() !== null)
    return wrong('PV-8331', 'step records', `Line ${line} ends the run, but more lines follow it.`);
  return steps > 0 ? ok(null) : malformed(line, 'the run has no step');
}

const mismatch = (line: number, what: string): Result<never, Problem> =>
  wrong('PV-8334', 'step records', `Line ${line} has ${what}.`);

const malformed = (line: number, why: string): Result<never, Problem> =>
  wrong(
    'PV-8330',
    'step records',
    `Line ${line} is not ${line === 1 ? 'the header of step records' : 'a step record'}: ${why}.`,
  );
