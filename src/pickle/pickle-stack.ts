/** The stack, marks and memo of a pickle's machine. */
import { isPickled, type Pickled } from './pickled.ts';

/** What opcodes work on. Everything that a pickle gets wrong throws through `fail`. */
export interface PickleStack {
  readonly push: (value: Pickled) => void;
  readonly pop: () => Pickled;
  /** The last `count` values, in the order in which they were pushed. */
  readonly popped: (count: number) => Pickled[];
  readonly top: () => Pickled;
  readonly mark: () => void;
  /** What was pushed since the last mark. */
  readonly popMark: () => Pickled[];
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
  const there = (value: Pickled | undefined): Pickled => (value === undefined ? fail('the stack is empty') : value);
  const pop = (): Pickled => there(stack.pop());
  const top = (): Pickled => there(stack.at(-1));
  return {
    push: (value) => void stack.push(value),
    pop,
    popped: (count) => Array.from({ length: count }, pop).toReversed(),
    top,
    mark: () => {
      marked.push(stack);
      stack = [];
    },
    popMark: () => {
      const items = stack;
      stack = marked.pop() ?? fail('a mark is missing');
      return items;
    },
    append: (items) => appendTo(top(), items, fail),
    setItems: (items) => setIn(top(), items, fail),
    build: (state) => {
      const target = top();
      if (isPickled(target, 'call')) target.state = state;
      else fail('a state is given to a value that is not an object');
    },
    put: (index) => void memo.set(index, top()),
    memoize: () => void memo.set(memo.size, top()),
    get: (index) => memo.get(index) ?? absent(memo, index, fail),
    finish: () => (stack.length === 1 && marked.length === 0 ? pop() : fail('it does not end with one value')),
  };
}

/** None is a value too. */
function absent(memo: ReadonlyMap<number, Pickled>, index: number, fail: (message: string) => never): Pickled {
  return memo.has(index) ? null : fail(`memo ${index} was never stored`);
}

function appendTo(target: Pickled, items: readonly Pickled[], fail: (message: string) => never): void {
  if (isPickled(target, 'list') || isPickled(target, 'set') || isPickled(target, 'call'))
    for (const item of items) target.items.push(item);
  else fail('something is appended to a value that is not a list');
}

function setIn(target: Pickled, items: readonly Pickled[], fail: (message: string) => never): void {
  if (!isPickled(target, 'dict') && !isPickled(target, 'call')) fail('an item is set in a value that is not a dict');
  else if (items.length % 2 !== 0) fail('a key has no value');
  else for (let i = 0; i + 1 < items.length; i += 2) target.entries.set(items[i] ?? null, items[i + 1] ?? null);
}
