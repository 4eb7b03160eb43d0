/**
 * Logs as text for people: colours and progress bars are removed, names and numbers are found in each line, and the line's tag
 * says whether it is an event. Lines that are not records of training, evaluation or an event are skipped.
 */
import { quoted } from '../../../base/text.ts';
import { isKnownKey, isNamedLoss, knownKey, normalKey, objectives } from '../log-names.ts';
import { createEpochHeaders } from './epoch-header.ts';
import type { Findings } from './findings.ts';
import type { RecordReader } from './json-lines.ts';
import type { LogRows } from './log-rows.ts';
import type { Slot } from './slot.ts';
import { inPairs } from './other-lines.ts';
import { createTextBlocks, type BlockLine } from './text-blocks.ts';
import { recordsIn } from './joined-records.ts';
import { createRecordShape, type TextValue } from './record-shape.ts';
import { createCounters } from './text-counters.ts';
import { textForNumber } from './text-for-number.ts';
import { readNumber, visitPairs, visitSpoken } from './text-pairs.ts';
import { createTextTables, type NamedCell } from './text-table.ts';
import { createValueLines } from './value-lines.ts';
import { numberFromText, saysMissing } from '../number-text.ts';

/** A number that a log states once before its first row: `max_steps: 5000`, `Batch size: 4`. */
export interface StatedValue {
  readonly key: string;
  readonly value: number;
  readonly text: string;
  readonly line: number;
}

/** A reader of text for people, which also collects values that the log states once. */
export interface TextLog extends RecordReader {
  /** After the last line; false when the rows are too many. */
  readonly end: () => boolean;
  readonly stated: () => readonly StatedValue[];
}

const ansi = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]/g;
const tagAt = /^\s*\[([A-Za-z][\w -]{0,30})\]/;
const evaluationTag = /^(?:eval|evaluation|val|validation|valid|test)$/i;
const clipTag = /^(?:z-?clip|grad(?:ient)?[-_ ]?clip(?:ping)?|clip)$/i;
const logLevel = /^(?:info|warn|warning|debug|error|trace|notice|rank\s?\d*|titan|stdout|stderr|default\d*)$/i;
const resultTag = /^(?:best|final|summary|early|checkpoint|save|verify)/i;
const rolledBack = /\broll(?:ed|ing)?[-_ ]?back\b/i;
const threshold = /(?:^|[:\s])([-+.\deEnainf]+)\s*>\s*([\d.]+)\s*[×x*]\s*EMA\(([^)]+)\)/i;
const timestamp = /^\W*\d{4}-\d\d-\d\dT\S+/;
/**
 * `Test Epoch: 1 loss …`, fairseq's `| valid |` and `[valid][INFO]`, `Saving dict for global step 1000: …` of TensorFlow's Estimator,
 * OpenNMT-tf's `Evaluation result for step 1000:`, PaddleClas's `[Eval][Epoch 1][Avg]`.
 */
const evaluationStart =
  /^[^A-Za-z]*(?:info\W+)?(?:test|testing|val|valid|validation|validating|eval|evaluation|evaluating)\b(?![_/])/i;
const evaluationMark =
  /\|\s*valid\s*\||\]\[valid\]\[|\b(?:epoch|iter)\((?:val|test)\)|\| valid on '|\bsaving dict for global step \d|\bevaluation results? (?:for|at|of) |\[eval\]\[/i;
const epochMark = /\|\s*train\s*\|\s*(?:epoch\b|\{)|\]\[train\]\[/i;

/** A loss that is not a number may be all that a line below its epoch says. */
const holdsNumber = /\d|\b(?:nan|inf)/i;

const BACK = '\b';

/** Longer lines are bars and dumps; a record has a few hundred characters. */
const MAX_RECORD_LENGTH = 8192;
const STATED_LIMIT = 1000;
/** Free text could have any number of phrases before a number. */
const MAX_PHRASES = 10_000;

/** A reader that puts the numbers of each line, or of lines that belong together, into `rows`. */
export function createTextLog(rows: LogRows, findings: Findings): TextLog {
  const lines = createRecords(rows, findings);
  const blocks = createTextBlocks();
  const values = createValueLines();
  const inBlocks = (given: readonly BlockLine[]): readonly BlockLine[] =>
    given.flatMap(({ text, line }) => blocks.take(text, line));
  const rest = (): readonly BlockLine[] => [...inBlocks(values.end()), ...blocks.end()];
  return {
    stated: lines.stated,
    end: () => rest().every((block) => lines.read(block, false)) && lines.end(),
    readLine: (raw, line, last) => {
      const ready = recordsIn(shown(raw)).flatMap((text) =>
        inBlocks(values.take(inPairs(text.slice(0, MAX_RECORD_LENGTH)), line)),
      );
      if (!last) return ready.every((block) => lines.read(block, false));
      const all = [...ready, ...rest()];
      return all.every((block, i) => lines.read(block, i === all.length - 1));
    },
  };
}

interface Records extends Pick<TextLog, 'stated' | 'end'> {
  readonly read: (block: BlockLine, last: boolean) => boolean;
}

function createRecords(rows: LogRows, findings: Findings): Records {
  const slotOf = createPhraseSlots(rows);
  const stated: StatedValue[] = [];
  let rowsSeen = false;
  const readCounters = createCounters();
  const headers = createEpochHeaders();
  const tables = createTextTables();
  const shape = createRecordShape();
  const precedence = createPrecedence();
  const putPair = (phrase: string, value: number, unit: string): void => {
    const slot = slotOf(phrase, unit);
    // `steps:  8%|` is how much is done, and `Step: 86k` is rounded.
    if (unit === '%' && (slot.name === 'step' || slot.name === 'epoch')) return;
    if (slot.name === 'step' && /^[kKM]$/.test(unit) && rows.has('epoch')) return;
    if (!precedence.counts(slot, phrase, value)) return;
    shape.number(slot);
    rows.put(slot, inUnit(value, unit));
  };
  const putSpoken = (phrase: string, value: number, unit: string): void => {
    const slot = slotOf(phrase, unit);
    // `loss 1.893 loss nan`: what is said first does not hide it.
    if (rows.has(slot.name) && (Number.isFinite(value) || slot.place === 'shared')) return;
    shape.spokenNumber(slot);
    rows.put(slot, inUnit(value, unit));
  };
  const putText = (phrase: string, text: string): void => shape.text(nameOf(phrase, ''), text);
  const putMissing = (name: string, value: number): void => {
    if (!rows.has(name)) rows.put(slotOf(name, ''), value);
  };
  const passOver = (text: string, line: number, hasPlace: boolean): true => {
    if (!rowsSeen) addStated(stated, text, line);
    else if (!hasPlace && precedence.lostLoss()) tellUnplaced(findings, text, line);
    rows.dropRow();
    return true;
  };
  const endLine = (text: string, line: number, saysAgain: boolean): boolean => {
    const tag = tagAt.exec(text)?.[1] ?? null;
    const hasPlace = rows.has('step') || rows.has('epoch');
    if (rolledBack.test(text) && rows.has('step')) {
      visitThreshold(text, putMissing);
      return rows.endRow(line, 'rollbacks');
    }
    if (tag !== null && clipTag.test(tag) && rows.has('step')) return rows.endRow(line, 'clips');
    const kind = hasPlace && readsTexts(text, line) ? 'record' : kindOf(rows, tag, text);
    if (!hasPlace || kind === null) return passOver(text, line, hasPlace);
    if (kind === 'record') {
      if (saysAgain) {
        rows.dropRow();
        return true;
      }
      rowsSeen = true;
      shape.end(text);
      // Summaries of epochs are between steps; if no row has a step, the rows are epochs.
      return rows.endRow(line, rows.has('step') && !epochMark.test(text) ? undefined : 'epochs');
    }
    return rows.endRow(line, kind);
  };
  /** A record with a text where the one before had a number stays a record. */
  const readsTexts = (text: string, line: number): boolean => {
    const [texts, missing] = [shape.texts(), shape.missing()];
    if (texts.length + missing.length === 0 || isEvaluation(text)) return false;
    tellTexts(texts, rows, findings, text, line);
    for (const slot of missing) rows.putMissing(slot);
    return true;
  };
  const readRecord = (text: string, line: number, last: boolean, epoch: number | null): boolean => {
    shape.begin();
    precedence.begin();
    visitPairs(text, putPair, putText);
    visitSpoken(text, putSpoken, (phrase, value, place) => {
      const name = nameOf(phrase, '');
      if (!rows.has(knownKey(name).name)) shape.spokenText(name, value, text, place);
    });
    const saysAgain = readCounters(rows, putMissing, text, epoch);
    if (epoch !== null && rows.has('loss', 'eval_loss')) putMissing('epoch', epoch);
    if (last && (isCut(text) || (shape.stopsEarly(text) && !endsItsObject(text)))) {
      rows.dropRow();
      findings.atLine('PV-7020', line, text, 'The last line is cut off: the file ends within it', {
        hint: 'The run was stopped while it wrote, or is still running. The line is not read. --allow-cut if that is expected.',
      });
      return true;
    }
    return endLine(text, line, saysAgain);
  };
  const readUnfinished = (next: string | null): boolean => {
    const held = headers.unfinished(next);
    return held === null || readRecord(held.text, held.line, false, held.epoch);
  };
  return {
    stated: () => stated,
    end: () => readUnfinished(null),
    read: ({ text, line }, last) => {
      const cells = tables.take(text);
      if (cells) {
        rowsSeen ||= cells.length > 0;
        return putCells(cells, rows, findings, text, line);
      }
      const isRecord = holdsNumber.test(text);
      if (isRecord && !readUnfinished(text)) return false;
      return headers.take(text, line) === 'pass over' || !isRecord || readRecord(text, line, last, headers.epoch());
    },
  };
}

interface Precedence {
  /** A line begins. */
  readonly begin: () => void;
  /** Whether a value counts beside those of its name that the line gave before. */
  readonly counts: (slot: Slot, phrase: string, value: number) => boolean;
  /** Whether the line says that the loss is NaN. */
  readonly lostLoss: () => boolean;
}

function createPrecedence(): Precedence {
  /** Names with a value that is not a number: in `loss=nan … loss=0.5`, what is said later does not hide it. */
  const unusable = new Set<string>();
  /** Names that the line gives in just these words: `aux loss: 0.1` beside `loss: 2.5` is another loss. */
  const exact = new Set<string>();
  let lostLoss = false;
  return {
    lostLoss: () => lostLoss,
    begin: () => {
      lostLoss = false;
      unusable.clear();
      exact.clear();
    },
    counts: ({ name, key }, phrase, value) => {
      const isExact = key === phrase.trim();
      lostLoss ||= name === 'loss' && Number.isNaN(value);
      if (!Number.isFinite(value)) unusable.add(name);
      else if (unusable.has(name) || (!isExact && exact.has(name))) return false;
      if (isExact) exact.add(name);
      return true;
    },
  };
}

/** A best loss so far may be infinite before the first; none is NaN. */
function tellUnplaced(findings: Findings, text: string, line: number): void {
  findings.atLine('PV-7037', line, text, 'The loss is nan, on a line that names no step and no epoch', {
    severity: 'error',
    hint: 'The run diverged, or this is about something else. The line is in no row of the log: name its step.',
  });
}

function addStated(stated: StatedValue[], text: string, line: number): void {
  visitPairs(text, (phrase, value) => {
    if (stated.length < STATED_LIMIT) stated.push({ key: phrase, value, text, line });
  });
}

const noValueYet = /^no log$/i;

/** A row of a table; true when there are not too many. */
function putCells(
  cells: readonly NamedCell[],
  rows: LogRows,
  findings: Findings,
  whole: string,
  line: number,
): boolean {
  if (cells.length === 0) return true;
  for (const { name, text } of cells) {
    const slot = rows.slot(name);
    const value = numberFromText(slot.name === 'epoch' ? text.replace(/\/.*$/, '') : text);
    if (value !== null) rows.put(slot, value);
    else if (text === '' || saysMissing(text) || noValueYet.test(text)) rows.putMissing(slot);
    else if (slot.place !== 'other' && slot.name !== 'wall_time')
      tellTexts([{ slot, text }], rows, findings, whole, line);
  }
  return rows.endRow(line, rows.has('step') ? undefined : 'epochs');
}

function tellTexts(texts: readonly TextValue[], rows: LogRows, findings: Findings, whole: string, line: number): void {
  for (const { slot, text } of texts) {
    rows.putText(slot);
    textForNumber(findings, slot, line, whole, `${slot.key} is the text ${quoted(text, 40)}, where numbers are logged`);
  }
}

/** What a rollback says about the loss that caused it: `8.75 > 3.0×EMA(0.43)`. */
function visitThreshold(text: string, visit: (name: string, value: number) => void): void {
  const match = threshold.exec(text);
  for (const [i, name] of ['loss', 'threshold_factor', 'ema'].entries()) {
    const number = readNumber(match?.[i + 1] ?? '', 0);
    if (number) visit(name, number.value);
  }
}

/** The slot of each phrase that precedes a number, by the number's unit. */
function createPhraseSlots(rows: LogRows): (phrase: string, unit: string) => Slot {
  const slots = new Map<string, Map<string, Slot>>();
  return (phrase, unit) => {
    let ofUnit = slots.get(unit);
    if (!ofUnit) slots.set(unit, (ofUnit = new Map()));
    let slot = ofUnit.get(phrase);
    if (!slot) {
      slot = rows.slot(nameOf(phrase, unit));
      if (ofUnit.size < MAX_PHRASES) ofUnit.set(phrase, slot);
    }
    return slot;
  };
}

/** `eval` and tables of events by tag; `record` for a row of training or evaluation; null for anything else. */
function kindOf(rows: LogRows, tag: string | null, text: string): string | null {
  if (tag !== null && resultTag.test(tag)) return null;
  const hasLoss = rows.has('eval_loss', ...objectives);
  if (tag !== null && evaluationTag.test(tag)) return hasLoss ? 'eval' : null;
  if (hasLoss && isEvaluation(text)) return 'eval';
  if (hasLoss || rows.has('eval_perplexity')) return 'record';
  if (rows.has('learning_rate') || rows.has('grad_norm'))
    return rows.has('step') && (tag === null || logLevel.test(tag)) ? 'record' : null;
  if (tag !== null && !logLevel.test(tag) && rows.has('step')) return normalKey(tag);
  // They are the log if no line has a loss.
  return rows.hasKey(isNamedLoss) ? 'other' : null;
}

function isEvaluation(text: string): boolean {
  return evaluationStart.test(text.replace(timestamp, '')) || evaluationMark.test(text);
}

/** The part of a phrase that names a column: the longest end of it that has a meaning, else its last word. */
function nameOf(phrase: string, unit: string): string {
  const words = phrase.split(/\s+/);
  const suffix = unit === 'ms' ? ' ms' : '';
  for (let i = Math.max(0, words.length - 6); i < words.length; i++) {
    const name = words
      .slice(i)
      .join(' ')
      .replace(/^[^A-Za-z_]+/, '');
    if (name !== '' && isKnownKey(name + suffix)) return name + suffix;
    if (suffix === '' && name !== '' && isKnownKey(name) && !isTimed(name, unit)) return name;
  }
  const last = (words.at(-1) ?? phrase).replace(/^[^A-Za-z_]+/, '');
  return last + suffix + (isTimed(last, unit) ? ' s' : '');
}

/** `step=0.8s` is how long a step takes, not which step it is. */
function isTimed(name: string, unit: string): boolean {
  return (unit === 's' || unit === 'sec') && ['step', 'iteration', 'iter', 'epoch'].includes(normalKey(name));
}

const factors: Readonly<Record<string, number>> = { '%': 0.01, K: 1e3, k: 1e3, M: 1e6, B: 1e9, G: 1e9, T: 1e12 };

function inUnit(value: number, unit: string): number {
  const factor = factors[unit];
  return factor === undefined ? value : factor === 0.01 ? value / 100 : value * factor;
}

/** A text without the escape sequences of terminals. */
export function withoutColours(text: string): string {
  return text.includes('\x1b') ? text.replace(ansi, '') : text;
}

/** A line as a terminal shows it: without colours, and only what was written after the last carriage return. */
function shown(raw: string): string {
  let text = withoutColours(raw);
  if (text.includes(BACK)) {
    let end = text.length;
    while (text[end - 1] === BACK) end -= 1;
    text = text.slice(end === 0 ? 0 : text.lastIndexOf(BACK, end - 1) + 1, end);
  }
  return text;
}

/** An open bracket or quote, or a name without its number: the writer was stopped. */
function isCut(text: string): boolean {
  return /[=:]\s*$/.test(text) || (/^\s*\{/.test(text) && !text.includes('}'));
}

/** `INFO {"step": 60, "loss": 2.5}`: what the line opened it has closed. */
function endsItsObject(text: string): boolean {
  return /\}\s*$/.test(text) && text.split('{').length === text.split('}').length;
}
