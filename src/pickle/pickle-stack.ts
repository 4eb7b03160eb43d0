/**
 * The stack, marks and memo of a pickle's machine. A byte of a pickle can make an object of some hundred bytes, and the next byte another
 * one, so what they take is estimated before they are made, and limited.
 */
import { isPickled, type Pickled } from './pickled.ts';

/**
 * What all objects of a pickle may take, in bytes: so much, so much more for each byte of the pickle, and never more than the last. The
 * state of an optimizer takes 17 for each of its bytes; eighty thousand parameter tensors reach the last.
 */
const memory = { least: 64_000_000, perByte: 18, most: 320_000_000 } as const;

/** What V8 takes, in bytes, on 64-bit machines: for objects, what is in them, and values of a memo that are counted from 0. */
const costs = { object: 56, call: 80, array: 48, item: 8, map: 160, entry: 48, stored: 10 } as const;

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

/** For a pickle of `length` bytes. */
export function pickleStack(fail: (message: string) => never, length: number): PickleStack {
  const mostMemory = Math.min(memory.least + memory.perByte * length, memory.most);
  let stack: Pickled[] = [];
  const marked: Pickled[][] = [];
  const memo = pickleMemo(fail);
  let spent = 0;
  const spend = (bytes: number): void => {
    spent += bytes;
    if (spent > mostMemory) fail(`what it describes takes more than ${Math.round(mostMemory / 1e6)} MB of memory`);
  };
  const there = (value: Pickled | undefined): Pickled => (value === undefined ? fail('the stack is empty') : value);
  const pop = (): Pickled => there(stack.pop());
  const top = (): Pickled => there(stack.at(-1));
  return {
    push: (value) => {
      spend(
        isPickled(value, 'call') ? costs.call : typeof value === 'object' && value !== null ? costs.object : costs.item,
      );
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
      spend(arrayCost(items));
      stack = marked.pop() ?? fail('a mark is missing');
      return items;
    },
    append: (items) => {
      spend(arrayCost(items));
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
    put: (index) => spend(memo.put(index, top()) ? costs.stored : costs.entry),
    memoize: () => spend(memo.put(memo.size(), top()) ? costs.stored : costs.entry),
    get: memo.get,
    finish: () => (stack.length === 1 && marked.length === 0 ? pop() : fail('it does not end with one value')),
  };
}

const arrayCost = ({ length }: readonly Pickled[]): number => (length === 0 ? 0 : costs.array + length * costs.item);

/** Values by number. Pickles count them from 0, but need not. */
function pickleMemo(fail: (message: string) => never) {
  const counted: Pickled[] = [];
  const others = new Map<number, Pickled>();
  return {
    size: () => counted.length + others.size,
    /** Whether the number was the next one. */
    put: (index: number, value: Pickled): boolean => {
      if (index > counted.length) others.set(index, value);
      else {
        counted[index] = value;
        others.delete(index);
      }
      return index < counted.length;
    },
    get: (index: number): Pickled => {
      // None is a value too.
      const value = index < counted.length ? counted[index] : others.get(index);
      return value === undefined ? fail(`memo ${index} was never stored`) : value;
    },
  };
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
