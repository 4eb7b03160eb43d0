/**
 * The stack, marks and memo of a pickle's machine. A byte of a pickle can make an object of some hundred bytes, and the next byte another
 * one, so what they take is estimated before they are made, and limited.
 */
import { isPickled, type Pickled } from './pickled.ts';

/**
 * For all objects of a pickle, in bytes. The state of an optimizer takes some 5 kB for each parameter tensor: this is enough for fifty
 * thousand of them.
 */
const mostMemory = 256_000_000;

/** What V8 takes, in bytes, on 64-bit machines: an object with its fields, a further item, the first entry of a map, a further one. */
const costs = { object: 88, item: 16, map: 160, entry: 48 } as const;

/** Contents of what is empty; they are replaced before anything is added. */
export const emptyItems: readonly Pickled[] = Object.freeze([]);
export const emptyEntries: ReadonlyMap<Pickled, Pickled> = new Map();

/** What opcodes work on. Everything that a pickle gets wrong throws through `fail`. */
export interface PickleStack {
  readonly push: (value: Pickled) => void;
  readonly pop: () => Pickled;
  /** The last `count` values, in the order in which they were pushed. */
  readonly popped: (count: number) => Pickled[];
  readonly top: () => Pickled;
  readonly mark: () => void;
  /** What was pushed since the last mark. */
  readonly popMark: () => readonly Pickled[];
  /** Appends to the list, set or object on top. */
  readonly append: (items: readonly Pickled[]) => void;
  /** Sets keys and values, alternating, in the dict or object on top. */
  readonly setItems: (items: readonly Pickled[]) => void;
  /** Gives its state to the object on top. */
  readonly build: (state: Pickled) => void;
  readonly put: (index: number) => void;
  /** Stores the value on top under the next index. */
  readonly memoize: () => void;
  readonly get: (index: number) => Pickled;
  /** The only value that is left. */
  readonly finish: () => Pickled;
}

export function pickleStack(fail: (message: string) => never): PickleStack {
  let stack: Pickled[] = [];
  const marked: Pickled[][] = [];
  const memo = new Map<number, Pickled>();
  let spent = 0;
  const spend = (bytes: number): void => {
    spent += bytes;
    if (spent > mostMemory) fail(`what it describes takes more than ${mostMemory / 1e6} MB of memory`);
  };
  const there = (value: Pickled | undefined): Pickled => (value === undefined ? fail('the stack is empty') : value);
  const pop = (): Pickled => there(stack.pop());
  const top = (): Pickled => there(stack.at(-1));
  return {
    push: (value) => {
      spend(typeof value === 'object' && value !== null ? costs.object : costs.item);
      stack.push(value);
    },
    pop,
    popped: (count) => Array.from({ length: count }, pop).toReversed(),
    top,
    mark: () => {
      spend(costs.object);
      marked.push(stack);
      stack = [];
    },
    popMark: () => {
      // The array of a stack has room for more.
      const items = stack.length === 0 ? emptyItems : stack.slice();
      spend(items.length * costs.item);
      stack = marked.pop() ?? fail('a mark is missing');
      return items;
    },
    append: (items) => {
      spend(items.length * costs.item);
      appendTo(top(), items, fail);
    },
    setItems: (items) => {
      spend((items.length / 2) * costs.entry);
      if (setIn(top(), items, fail)) spend(costs.map);
    },
    build: (state) => {
      const target = top();
      if (isPickled(target, 'call')) target.state = state;
      else fail('a state is given to a value that is not an object');
    },
    put: (index) => {
      spend(costs.entry);
      memo.set(index, top());
    },
    memoize: () => {
      spend(costs.entry);
      memo.set(memo.size, top());
    },
    get: (index) => memo.get(index) ?? absent(memo, index, fail),
    finish: () => (stack.length === 1 && marked.length === 0 ? pop() : fail('it does not end with one value')),
  };
}

/** None is a value too. */
function absent(memo: ReadonlyMap<number, Pickled>, index: number, fail: (message: string) => never): Pickled {
  return memo.has(index) ? null : fail(`memo ${index} was never stored`);
}

/** Contents that are not empty were made here, for this value alone. */
function appendTo(target: Pickled, items: readonly Pickled[], fail: (message: string) => never): void {
  if (!isPickled(target, 'list') && !isPickled(target, 'set') && !isPickled(target, 'call'))
    return fail('something is appended to a value that is not a list');
  if (target.items.length === 0) target.items = items.slice();
  else for (const item of items) (target.items as Pickled[]).push(item);
}

/** Whether the value got a map of its own for the items. */
function setIn(target: Pickled, items: readonly Pickled[], fail: (message: string) => never): boolean {
  if (!isPickled(target, 'dict') && !isPickled(target, 'call'))
    return fail('an item is set in a value that is not a dict');
  if (items.length % 2 !== 0) return fail('a key has no value');
  const isEmpty = target.entries.size === 0;
  if (isEmpty && items.length > 0) target.entries = new Map();
  for (let i = 0; i + 1 < items.length; i += 2)
    (target.entries as Map<Pickled, Pickled>).set(items[i] ?? null, items[i + 1] ?? null);
  return isEmpty && items.length > 0;
}
