/**
 * What kind of file this is, by its content; the name decides only where the content allows several.
 */
import { isKnownKey, isNamedLoss, knownKey } from './log-names.ts';
import type { ConfigSyntax } from './formats/config-format.ts';
import { delimiterOf, splitFields } from './stream/csv-fields.ts';
import { fieldNumber } from './stream/csv.ts';
import { isEpochHeader } from './stream/epoch-header.ts';
import { startsWithFrame } from './stream/event-file.ts';
import { inPairs } from './stream/other-lines.ts';
import { isBlockOpening } from './stream/text-blocks.ts';
import { withoutColours } from './stream/text-log.ts';
import { visitPairs, visitSpoken } from './stream/text-pairs.ts';
import { isTableHeader } from './stream/text-table.ts';
import { numberFromText } from './number-text.ts';
import { parseJson } from './syntax/json.ts';

/** Formats that are read as a stream, at any size. */
export type StreamKind = 'tensorboard' | 'kineto' | 'mlflow' | 'json-lines' | 'csv' | 'text-log';
/** What a file was recognised as. UTF-16, binary and empty files are refused. */
export type FileKind = StreamKind | ConfigSyntax | 'binary' | 'utf-16' | 'empty';

const LOOKED_AT = 400;

/** `head` is the start of the file, `path` its name. */
export function recogniseFile(head: Uint8Array, path: string): FileKind {
  if (head.length === 0) return 'empty';
  if (startsWithFrame(head)) return 'tensorboard';
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return 'utf-16';
  if (head.includes(0)) return 'binary';
  const text = withoutColours(new TextDecoder('utf-8').decode(head).replace(/^\uFEFF/, ''));
  const start = text.trimStart();
  if (start === '') return 'empty';
  const extension = /\.([a-z0-9]+)(?:\.gz)?$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  const lines = linesOf(text);
  if (holdsArguments(lines, extension)) return 'arguments';
  return bracketed(start, lines, extension) ?? delimited(lines, extension) ?? byLines(lines, extension);
}

const scripts = new Set(['sh', 'bash', 'slurm', 'sbatch', 'args']);

/** A script of a shell, or a list of flags. */
function holdsArguments(lines: readonly string[], extension: string): boolean {
  if (scripts.has(extension) || /^#!.*\b(?:ba|z)?sh\b/.test(lines[0] ?? '')) return true;
  if (Object.hasOwn(byExtension, extension) && extension !== 'txt') return false;
  const flags = lines.filter((line) => /^\s*--[A-Za-z][\w-]*(?:[\s=]|$)/.test(line)).length;
  return flags > 1 && flags * 2 > lines.length;
}

/** Non-empty lines; the last may be cut off by the end of the head. */
function linesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|\n|\r/, LOOKED_AT * 2)
    .filter((line) => line.trim() !== '')
    .slice(0, LOOKED_AT);
}

function bracketed(start: string, lines: readonly string[], extension: string): FileKind | null {
  if (start.startsWith('{')) return braced(start, lines, extension);
  if (!start.startsWith('[')) return null;
  const first = lines[0]?.trim() ?? '';
  if (tableLine.test(first) && !/^\[\s*(?:[\d"'.-]|true\b|null\b)/.test(first)) return 'toml';
  if (/"ph"\s*:/.test(start) && /"ts"\s*:/.test(start)) return 'kineto';
  return /^\[\s*(?:$|[[{"\d\]-])/.test(first) && !/^\[[^\]]*\](?:\s+\S|[[(:-])/.test(first) ? 'json' : null;
}

function braced(start: string, lines: readonly string[], extension: string): FileKind {
  if (/^\{\s*['|]/.test(start)) return 'text-log';
  if (isTrace(start)) return 'kineto';
  const records = lines.filter(isRecord).length;
  // One line may be longer than the part that is read here.
  if (records === 0 && lines.length === 1 && logEndings.has(extension)) return 'json-lines';
  if (records >= 2) return 'json-lines';
  const [first, second] = lines;
  const isAlone = records === 1 && lines.length === 1 && first !== undefined && isLogRecord(first, extension);
  const isCut = records === 1 && lines.length === 2 && second?.startsWith('{') === true;
  if (isAlone || isCut) return 'json-lines';
  // GPT-NeoX writes its YAML in braces, with comments and commas at the end.
  return extension === 'yaml' || extension === 'yml' ? 'yaml' : 'json';
}

const logEndings = new Set(['jsonl', 'ndjson']);

function isTrace(start: string): boolean {
  return /"traceEvents"\s*:/.test(start) || (/"schemaVersion"\s*:/.test(start) && /"deviceProperties"\s*:/.test(start));
}

function isRecord(line: string): boolean {
  const text = line.trim();
  return (
    text.startsWith('{') &&
    text.endsWith('}') &&
    text.length > 2 &&
    parseJson({ path: '', text }).value?.kind === 'mapping'
  );
}

/** A file of one line may be a log of one row: it then has a loss or a step among other numbers. */
function isLogRecord(line: string, extension: string): boolean {
  if (logEndings.has(extension)) return true;
  const node = parseJson({ path: '', text: line.trim() }).value;
  if (node?.kind !== 'mapping') return false;
  const names = node.entries.filter(({ value }) => value.kind === 'scalar').map(({ key }) => knownKey(key).name);
  return names.includes('step') && (names.includes('loss') || names.includes('eval_loss'));
}

function delimited(lines: readonly string[], extension: string): FileKind | null {
  const [header, row] = lines;
  if (header === undefined) return null;
  const delimiter = delimiterOf(header);
  if (delimiter === null) return null;
  const names = splitFields(header, delimiter).map((name) => name.trim());
  const looksLikeHeader = names.every((name) => name !== '' && name.length < 200 && numberFromText(name) === null);
  if (extension === 'csv' || extension === 'tsv') return looksLikeHeader ? 'csv' : null;
  if (!looksLikeHeader || row === undefined || names.some((name) => /[:=]\s*\S/.test(name))) return null;
  const fields = splitFields(row, delimiter);
  const numeric = fields.filter((field) => field.trim() === '' || fieldNumber(field, delimiter) !== null).length;
  return fields.length === names.length && numeric * 2 >= fields.length ? 'csv' : null;
}

/** Where a key ends long before; over thousands of blanks, patterns would take quadratic time. */
const headLength = 1000;
const yamlLine = /^\s*(?:-\s+)?(?:"[^"]*"|'[^']*'|[\w./ -]+?)\s*:(?:\s|$)|^\s*-\s|^---(?:\s|$)|^\.\.\.|^\s*[\]}],?\s*$/;
const assignLine = /^\s*[\w."'-]+\s*(?::\s*\w+\s*)?(?:[-+*/]|\/\/|\*\*)?=(?!=)/;
const tableLine = /^\s*\[\[?[\w."' -]+\]\]?\s*(?:#.*)?$/;

const byExtension: Readonly<Record<string, FileKind>> = {
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  py: 'python',
  gin: 'python',
  json: 'json',
  jsonl: 'json-lines',
  ndjson: 'json-lines',
  csv: 'csv',
  tsv: 'csv',
  log: 'text-log',
  txt: 'text-log',
  out: 'text-log',
};

function byLines(lines: readonly string[], extension: string): FileKind {
  const content = lines.filter((line) => !/^\s*#/.test(line));
  const share = (pattern: RegExp): number =>
    content.filter((line) => pattern.test(line.slice(0, headLength))).length / Math.max(1, content.length);
  const [yaml, assigned, tables] = [share(yamlLine), share(assignLine), share(tableLine)];
  const named = byExtension[extension] ?? null;
  const isNamedConfig = named === 'yaml' || named === 'toml' || named === 'python';
  if (!isNamedConfig && (isLogged(lines) || tellsEpochs(content))) return 'text-log';
  if (assigned + tables > 0.5) return named === 'toml' || (named !== 'python' && tables > 0) ? 'toml' : 'python';
  const isYaml = named === null || named === 'text-log' ? !repeatsKeys(content) : named === 'yaml';
  if (yaml > 0.5 && isYaml) return 'yaml';
  return named ?? (yaml > 0 ? 'yaml' : 'text-log');
}

/** A line begins with its time or level, as loggers write it, which no config does. */
const stamped =
  /^\W{0,2}(?:[IWEF]\d{4} \d\d:\d\d:\d\d|\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d|\d\d:\d\d:\d\d|(?:INFO|WARNING):[\w.]*:)/;

/** Two names with values in one line, which a mapping of YAML cannot have: `100:  learn: 0.64  test: 0.66`. */
const twoPairs = /^\s*[\w.-]+:\s+\w[^'"#{[]*:\s/;

/** A progress bar. */
const bar = /\d%\|[^|]{0,200}\|\s*\d+\/\d+ \[/;

function isLogged(lines: readonly string[]): boolean {
  return lines.some(
    (line) =>
      isTextRecord(line) ||
      bar.test(line) ||
      isTableHeader(line) ||
      isBlockOpening(line) ||
      stamped.test(line) ||
      twoPairs.test(line),
  );
}

/** `Train: …` in line after line: a mapping has each of its keys once, and a log says the same again. */
function repeatsKeys(lines: readonly string[]): boolean {
  const keys = lines.flatMap((line) => /^[\w.][\w./ -]*?(?=\s*:(?:\s|$))/.exec(line) ?? []);
  return keys.length >= 4 && new Set(keys).size * 2 <= keys.length;
}

/** A line with two numbers that logs have, or with a loss and a step that is written some other way. */
function isTextRecord(line: string): boolean {
  const names = knownNames(line);
  return (
    names.size >= 2 || (names.has('loss') && /\d.*\d/.test(line) && /\b(?:step|iter|iteration|epoch)\b/i.test(line))
  );
}

/** The epoch on a line of its own, the loss on another. */
function tellsEpochs(lines: readonly string[]): boolean {
  return lines.some(isEpochHeader) && lines.some((line) => knownNames(line).has('loss'));
}

function knownNames(line: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (phrase: string): void => {
    const words = phrase.split(/\s+/);
    const ends = words.map((_, i) => words.slice(i).join(' '));
    const known = ends.find(isKnownKey);
    if (known !== undefined) names.add(knownKey(known).name);
    else if (ends.some(isNamedLoss)) names.add('loss');
  };
  const text = inPairs(line.slice(0, 2000));
  visitPairs(text, visit);
  visitSpoken(text, visit);
  return names;
}
