/**
 * Plain data (objects, lists, texts, finite numbers, truth values, null) as one line of JSON in which what is shared, or
 * stands several times, stands once. Terms and syntax trees share much: written out, they may be exponentially larger.
 */

/** `[-1, …]` is a list, `[k, …]` an object with the k-th list of keys; an element in brackets is another row. */
type Row = readonly [keys: number, ...cells: readonly Cell[]];
type Cell = string | number | boolean | null | readonly [row: number];

interface Graph {
  readonly keys: readonly (readonly string[])[];
  /** Each mentions only earlier ones; the last is the whole. */
  readonly rows: readonly Row[];
}

/** Deeper data would overflow the stack; formulas are far from it. */
const maxDepth = 2000;

/** The line, or null when `value` is not an object of plain data: a function, a Map, NaN or −0 in it, or too deep. */
export function writeGraph(value: object): string | null {
  const writer: Writer = { keys: new Map(), rows: new Map(), written: new Map() };
  const last = writeObject(writer, value, 0);
  if (last === null) return null;
  const graph: Graph = {
    keys: [...writer.keys.keys()].map((text) => JSON.parse(text) as readonly string[]),
    rows: [...writer.rows.keys()].map((text) => JSON.parse(text) as Row),
  };
  return JSON.stringify(graph);
}

interface Writer {
  /** Lists of keys and rows as JSON, in the order of their numbers. */
  readonly keys: Map<string, number>;
  readonly rows: Map<string, number>;
  readonly written: Map<object, number>;
}

function writeObject(writer: Writer, value: object, depth: number): number | null {
  const known = writer.written.get(value);
  if (known !== undefined) return known;
  const isList = Array.isArray(value);
  if (depth > maxDepth || (!isList && Object.getPrototypeOf(value) !== Object.prototype)) return null;
  const entries = Object.entries(value).filter(([, part]) => isList || part !== undefined);
  const cells: Cell[] = [];
  for (const [, part] of entries) {
    const cell = writeCell(writer, part, depth);
    if (cell === undefined) return null;
    cells.push(cell);
  }
  const keys = isList ? -1 : numberOf(writer.keys, JSON.stringify(entries.map(([key]) => key)));
  const row = numberOf(writer.rows, JSON.stringify([keys, ...cells]));
  writer.written.set(value, row);
  return row;
}

/** Undefined for what is no plain data. */
function writeCell(writer: Writer, part: unknown, depth: number): Cell | undefined {
  if (part === null || typeof part === 'string' || typeof part === 'boolean') return part;
  if (typeof part === 'number') return Number.isFinite(part) && !Object.is(part, -0) ? part : undefined;
  if (typeof part !== 'object') return undefined;
  const row = writeObject(writer, part, depth + 1);
  return row === null ? undefined : [row];
}

function numberOf(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}

/** What {@link writeGraph} wrote; what was shared, or equal, is the same object. */
export function readGraph(line: string): unknown {
  const { keys, rows } = JSON.parse(line) as Graph;
  const made: unknown[] = [];
  const read = (cell: Cell): unknown => (Array.isArray(cell) ? made[cell[0] as number] : cell);
  for (const [shape, ...cells] of rows) {
    const names = keys[shape];
    if (!names) made.push(cells.map(read));
    else made.push(Object.fromEntries(names.map((name, i) => [name, read(cells[i] ?? null)])));
  }
  return made.at(-1);
}
