/**
 * Logs as text for people: colours and progress bars are taken off, names and numbers are found in each line, and the
 * line's tag says whether it is an event. What is no record of training, evaluation or an event is passed over.
 */
import { isKnownKey, normalKey } from '../log-names.ts';
import type { Findings } from './findings.ts';
import type { RecordReader } from './json-lines.ts';
import type { LogRows, Slot } from './log-rows.ts';
import { readNumber, visitPairs, visitSpoken } from './text-pairs.ts';

/** A number that a log states once before its first row: `max_steps: 5000`, `Batch size: 4`. */
export interface StatedValue {
  readonly key: string;
  readonly value: number;
  readonly text: string;
  readonly line: number;
}

export interface TextLog extends RecordReader {
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
const counterAt = /^\s*\[\s*(\d+)\s*\/\s*(\d+)(?:\s+(\w+))?\s*\]/;
const iterationOf = /\b(?:step|iter|iteration|epoch)s?[ :=]*\s(\d+)\s*\/\s*(\d+)/i;
const progressBar = /\|\s*(\d+)\/(\d+)\s+\[/;

/** Longer lines are bars and dumps; a record has a few hundred characters. */
const MAX_RECORD_LENGTH = 8192;
const STATED_LIMIT = 1000;
/** Free text could have any number of phrases before a number. */
const MAX_PHRASES = 10_000;

export function createTextLog(rows: LogRows, findings: Findings): TextLog {
  /** Unit → phrase → slot. */
  const slots = new Map<string, Map<string, Slot>>();
  const stated: StatedValue[] = [];
  let rowsSeen = false;
  let lastBar = '';

  const slotOf = (phrase: string, unit: string): Slot => {
    let ofUnit = slots.get(unit);
    if (!ofUnit) slots.set(unit, (ofUnit = new Map()));
    let slot = ofUnit.get(phrase);
    if (!slot) {
      slot = rows.slot(nameOf(phrase, unit));
      if (ofUnit.size < MAX_PHRASES) ofUnit.set(phrase, slot);
    }
    return slot;
  };
  const putPair = (phrase: string, value: number, unit: string): void =>
    rows.put(slotOf(phrase, unit), inUnit(value, unit));
  const putUnless = (phrase: string, value: number, unit: string): void => {
    const slot = slotOf(phrase, unit);
    if (!rows.has(slot.name)) rows.put(slot, inUnit(value, unit));
  };
  const putMissing = (name: string, value: string | undefined): void => {
    if (value !== undefined && !rows.has(name)) rows.put(slotOf(name, ''), Number(value));
  };
  const state = (text: string, line: number): void => {
    visitPairs(text, (phrase, value) => {
      if (stated.length < STATED_LIMIT) stated.push({ key: phrase, value, text, line });
    });
  };
  const readRollback = (text: string, line: number): boolean => {
    const match = threshold.exec(text);
    if (match) {
      for (const [name, part] of [
        ['loss', match[1]],
        ['threshold_factor', match[2]],
        ['ema', match[3]],
      ] as const) {
        const number = readNumber(part ?? '', 0);
        if (number && !rows.has(name)) rows.put(slotOf(name, ''), number.value);
      }
    }
    return rows.endRow(line, 'rollbacks');
  };
  const endLine = (text: string, line: number, isBar: boolean): boolean => {
    const tag = tagAt.exec(text)?.[1] ?? null;
    const hasPlace = rows.has('step') || rows.has('epoch');
    if (rolledBack.test(text) && rows.has('step')) return readRollback(text, line);
    if (tag !== null && clipTag.test(tag) && rows.has('step')) return rows.endRow(line, 'clips');
    const kind = kindOf(rows, tag);
    if (!hasPlace || kind === null) {
      if (!rowsSeen) state(text, line);
      rows.dropRow();
      return true;
    }
    if (kind === 'record') {
      if (isBar && isSameBar(text)) {
        rows.dropRow();
        return true;
      }
      rowsSeen = true;
      // Sums of epochs stand between steps; where no row has a step, epochs are the rows.
      return rows.endRow(line, rows.has('step') ? undefined : 'epochs');
    }
    return rows.endRow(line, kind);
  };
  /** A progress bar is drawn again and again. */
  const isSameBar = (text: string): boolean => {
    const bar = progressBar.exec(text)?.[1] ?? '';
    const same = bar === lastBar;
    lastBar = bar;
    return same;
  };
  return {
    stated: () => stated,
    readLine: (raw, line, last) => {
      const text = (raw.includes('\x1b') ? raw.replace(ansi, '') : raw).slice(0, MAX_RECORD_LENGTH);
      if (!/\d/.test(text)) return true;
      visitPairs(text, putPair);
      visitSpoken(text, putUnless);
      const isBar = putCounters(rows, putMissing, text);
      if (last && isCut(text)) {
        rows.dropRow();
        findings.atLine('PV-7020', line, text, 'The last line is cut off: the file ends within it', {
          hint: 'The run was stopped while it wrote, or is still running. The line is not read.',
        });
        return true;
      }
      return endLine(text, line, isBar);
    },
  };
}

/** Counters such as `iteration 3/ 1000`, `[1/14165 batches]` and those of progress bars. True when there is a bar. */
function putCounters(rows: LogRows, put: (name: string, value: string | undefined) => void, text: string): boolean {
  // Most lines have no slash at all, and a search for one is far cheaper than three expressions.
  if (!text.includes('/')) return false;
  const iteration = iterationOf.exec(text);
  if (iteration) {
    const name = /^epoch/i.test(iteration[0]) ? 'epoch' : 'step';
    put(name, iteration[1]);
    if (name === 'step') put('total_steps', iteration[2]);
  }
  const counter = counterAt.exec(text);
  if (counter) {
    const isStep =
      !rows.has('step') && (counter[3] === undefined || /^(?:steps?|iters?|iterations?)$/i.test(counter[3]));
    put(isStep ? 'step' : 'batch', counter[1]);
    put(isStep ? 'total_steps' : 'total_batches', counter[2]);
  }
  const bar = rows.has('step') ? null : progressBar.exec(text);
  put('step', bar?.[1]);
  put('total_steps', bar?.[2]);
  return bar !== null;
}

/** `eval` and tables of events by tag; `record` for a row of training or evaluation; null for anything else. */
function kindOf(rows: LogRows, tag: string | null): string | null {
  if (tag !== null && resultTag.test(tag)) return null;
  if (tag !== null && evaluationTag.test(tag)) return rows.has('loss') || rows.has('eval_loss') ? 'eval' : null;
  if (rows.has('loss') || rows.has('eval_loss') || rows.has('eval_perplexity')) return 'record';
  if (rows.has('learning_rate') || rows.has('grad_norm'))
    return rows.has('step') && (tag === null || logLevel.test(tag)) ? 'record' : null;
  return tag !== null && !logLevel.test(tag) && rows.has('step') ? normalKey(tag) : null;
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

/** An open bracket or quote, or a name without its number: the writer was stopped. */
function isCut(text: string): boolean {
  return /[=:]\s*$/.test(text) || (/^\s*\{/.test(text) && !text.includes('}'));
}
