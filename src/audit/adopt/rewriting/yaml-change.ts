/** Rewriting one text of a YAML file: the rest of the file keeps its bytes, and the text that was there is kept as a comment. */
import { canonicalJson, type JsonValue } from '../../../base/canonical-json.ts';
import type { FormalText } from '../../../contract/contract.ts';
import { nodeAt, plainData, type PathStep, type YamlNode, type YamlScalar } from '../../../contract/yaml/node.ts';
import { parseYaml } from '../../../contract/yaml/parse.ts';
import type { Range, SourceFile } from '../../../diagnostics/source.ts';
import { applyEdits, type Edit } from '../../../scan/edits.ts';

/** What a text becomes. */
export interface TextChange {
  readonly text: FormalText;
  /** One line. */
  readonly now: string;
  /** What pv assumes, for the comment. */
  readonly assumed: string;
}

/**
 * Edits after which the file has the new text and a comment with the old one, and is otherwise the same: the edited file is read again
 * and compared. Null if that cannot be done, as where an alias repeats the text.
 */
export function changeText(source: SourceFile, { text, now, assumed }: TextChange): readonly Edit[] | null {
  const root = rootOf(source);
  const place = root && onlyPlace(root, text.span.range);
  if (!place) return null;
  const { path, scalar } = place;
  const whole = valueRange(source.text, scalar);
  const comment = commentAt(source.text, Math.min(place.start, whole.start), [
    ...wasLines(originalLines(source.text, scalar, whole)),
    `pv: ${assumed}; confirm`,
  ]);
  const rewritings = [cutTail(text, scalar, now), { range: whole, text: JSON.stringify(now) }];
  const fitting = rewritings.find((edit) => {
    const edited = edit && { ...source, text: applyEdits(source.text, [comment, edit]) };
    return edited && isSameButFor({ root, path, now }, edited);
  });
  return fitting ? [comment, fitting] : null;
}

/** In UTF-16 units; each rewriting reads its file again. The largest contract seen in practice has 40 thousand. */
const longestRewritten = 256 * 1024;

const roots = new WeakMap<SourceFile, YamlNode | null>();

/** What the file has; null if it cannot be changed. */
function rootOf(source: SourceFile): YamlNode | null {
  const known = roots.get(source);
  if (known !== undefined) return known;
  // A lone carriage return ends a line of YAML and not one of a patch; what is not UTF-8 could not be written back.
  const isUsable = source.text.length <= longestRewritten && !/\r(?!\n)|\uFFFD/u.test(source.text);
  const root = isUsable ? parseYaml(source).value : null;
  roots.set(source, root);
  return root;
}

interface Place {
  readonly path: readonly PathStep[];
  readonly scalar: YamlScalar;
  /** Where its key begins, or itself in a list. */
  readonly start: number;
}

/** Where the text of this range is; null if it is not in the tree exactly once. */
function onlyPlace(root: YamlNode, range: Range): Place | null {
  const found: Place[] = [];
  const visit = (node: YamlNode, path: readonly PathStep[], start: number): void => {
    if (node.kind === 'mapping')
      for (const { key, keyRange, value } of node.entries) visit(value, [...path, key], keyRange.start);
    else if (node.kind === 'sequence')
      for (const [i, item] of node.items.entries()) visit(item, [...path, i], item.range.start);
    else if (node.range.start === range.start && node.range.end === range.end)
      found.push({ path, scalar: node, start });
  };
  visit(root, [], root.range.start);
  const [only, more] = found;
  return only && !more ? only : null;
}

/** The scalar with its quotes or its block header. */
function valueRange(text: string, { style, range }: YamlScalar): Range {
  if (style === 'plain') return range;
  if (style === 'single' || style === 'double') return { start: range.start - 1, end: range.end + 1 };
  const header = /[|>][-+\d]*[ \t]*\r?\n\s*$/u.exec(text.slice(Math.max(0, range.start - longestHeader), range.start));
  return { start: header ? range.start - header[0].length : range.start, end: range.end };
}

/** `|-` and the indentation and empty lines after it. */
const longestHeader = 400;

function originalLines(text: string, { range, indent }: YamlScalar, whole: Range): readonly string[] {
  if (indent < 0)
    return text
      .slice(whole.start, whole.end)
      .split('\n')
      .map((line) => line.trim());
  const from = text.lastIndexOf('\n', range.start - 1) + 1;
  return text
    .slice(from, range.end)
    .split('\n')
    .map((line) => line.slice(indent).trimEnd());
}

function wasLines(lines: readonly string[]): readonly string[] {
  const [only = '', more] = lines;
  return more === undefined ? [`pv: was ${only}`] : ['pv: was', ...lines.map((line) => `  ${line}`)];
}

/** Comment lines before the line of `at`, indented as it is. */
function commentAt(text: string, at: number, lines: readonly string[]): Edit {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const [indent] = /^ */u.exec(text.slice(start, at)) ?? [''];
  const end = text.indexOf('\n', at);
  const lineEnd = end > 0 && text[end - 1] === '\r' ? '\r\n' : '\n';
  return {
    range: { start, end: start },
    text: lines.map((line) => `${indent}${`# ${line}`.trimEnd()}${lineEnd}`).join(''),
  };
}

/** The text without what follows `now`, if that is how it begins: escapes and quotes stay as they are. */
function cutTail({ text, offsetInSource }: FormalText, { range }: YamlScalar, now: string): Edit | null {
  if (now === '' || !text.startsWith(now)) return null;
  return { range: { start: offsetInSource(now.length - 1) + 1, end: range.end }, text: '' };
}

interface Expected {
  readonly root: YamlNode;
  readonly path: readonly PathStep[];
  readonly now: string;
}

/** Whether the file has `now` at `path`, and everything else as `root` has it. */
function isSameButFor({ root, path, now }: Expected, edited: SourceFile): boolean {
  const found = parseYaml(edited).value;
  const node = found && nodeAt(found, path)?.node;
  if (!found || node?.kind !== 'scalar' || typeof node.value !== 'string' || node.text.trim() !== now) return false;
  return canonicalJson(dataWithout(found, path)) === canonicalJson(dataWithout(root, path));
}

/** The plain data with null at `path`. */
function dataWithout(node: YamlNode, path: readonly PathStep[]): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return null;
  if (node.kind === 'mapping')
    return node.entries.map(({ key, value }) => [
      plainKey(key),
      key === step ? dataWithout(value, rest) : plainData(value),
    ]);
  if (node.kind === 'sequence')
    return node.items.map((item, i) => (i === step ? dataWithout(item, rest) : plainData(item)));
  return plainData(node);
}

/** Half a surrogate pair has no place in JSON. */
const plainKey = (key: string): string => key.replace(/\p{Surrogate}/gu, '\uFFFD');
