/**
 * Tables within text: rows below a line with the names of their columns, as fastai and Ultralytics print them, and tables of
 * Markdown, as model cards have them.
 */
import { isKnownKey, knownKey, normalKey } from '../log-names.ts';
import { numberFromText } from '../number-text.ts';

/** A cell with the name of its column. */
export interface NamedCell {
  readonly name: string;
  readonly text: string;
}

/** Reads the lines of tables. */
export interface TextTables {
  /** The cells of a row; null for a line that belongs to no table, an empty list for one that says nothing new. */
  readonly take: (text: string) => readonly NamedCell[] | null;
}

const MAX_HEADER = 500;
/** Blank lines too: a bar is drawn after a carriage return. */
const ruler = /^[\s|:+=-]*$/;
/** Ultralytics draws a bar behind each row until the epoch is complete. */
const unfinishedBar = /\s(\d{1,2})%(?:\||\s)/;

/** Tables of a text, one after the other. */
export function createTextTables(): TextTables {
  let names: readonly string[] | null = null;
  return {
    take: (text) => {
      const header = headerOf(text);
      if (header) {
        names = header;
        return [];
      }
      if (names === null) return null;
      if (ruler.test(text)) return [];
      const isMarkdown = text.trimStart().startsWith('|');
      const cells = isMarkdown ? barCells(text) : text.trim().split(/\s+/);
      const isRow = isMarkdown
        ? cells.length === names.length
        : isCount(cells[names.findIndex(isPlace)]) &&
          (cells.length === names.length || (cells.length > names.length && hasNumber(cells, names)));
      if (!isRow) return null;
      if (unfinishedBar.test(text)) return [];
      return names.map((name, i) => ({ name, text: cells[i] ?? '' }));
    },
  };
}

/** Whether a line names the columns of a table with a loss and a step or an epoch. */
export function isTableHeader(text: string): boolean {
  return headerOf(text) !== null;
}

function headerOf(text: string): readonly string[] | null {
  if (text.length > MAX_HEADER || /\d\s|[:=]/.test(text)) return null;
  const isMarkdown = text.trimStart().startsWith('|');
  const read = isMarkdown ? barCells(text) : text.trim().split(/\t|\s{2,}/);
  const names = read.map(read[0] === 'E' && read[1] === '#' ? ofSpacy : withSection);
  const isTable = names.length >= 2 && names.some(isPlace) && names.some(isLoss);
  // scikit-learn's `Iter   Train Loss   Remaining Time`.
  return isTable && (isMarkdown || names.every((name) => !/\s\S+\s/.test(name))) ? names : null;
}

const barCells = (text: string): readonly string[] =>
  text
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

const isPlace = (name: string): boolean => ['step', 'epoch'].includes(knownKey(name).name);
const isLoss = (name: string): boolean =>
  ['loss', 'eval_loss'].includes(knownKey(name).name) || name.startsWith('train/') || name.startsWith('LOSS ');
/** `3`, `1.5`, `3/100`. */
const isCount = (cell: string | undefined): boolean => cell !== undefined && /^\d+(?:\.\d+)?(?:\/\d+)?$/.test(cell);

/** Other lines may begin with a number too. */
function hasNumber(cells: readonly string[], names: readonly string[]): boolean {
  return names.some((name, i) => isLoss(name) && numberFromText(cells[i] ?? '') !== null);
}

/** spaCy's `E    #   LOSS TOK2VEC  LOSS NER  ENTS_F …`. */
function ofSpacy(name: string): string {
  return name === 'E' ? 'epoch' : name === '#' ? 'step' : name;
}

/** Above rows of training, Ultralytics prints `box_loss` for what its file calls `train/box_loss`, and YOLOv5 and v7 `box`. */
function withSection(name: string, _: number, names: readonly string[]): string {
  if (/^(?:box|obj|cls)$/.test(name) && names.some((other) => /^gpu_mem$/i.test(other))) return `train/${name}_loss`;
  return /^[a-z]\w*_loss$/.test(name) && !isKnownKey(name) && !/^(?:val|valid|eval|test)_/.test(normalKey(name))
    ? `train/${name}`
    : name;
}
