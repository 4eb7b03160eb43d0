/**
 * Reads Python pickles, protocols 0 to 5, without running anything: every class, function and call becomes inert data
 * ({@link Pickled}). What a pickle would have imported is listed, so that a reader can name what it refused.
 *
 * Source: CPython, Lib/pickletools.py (the opcodes).
 */
import { ok, type Result } from '../base/result.ts';
import { wrong, type Problem } from '../base/problem.ts';
import { quoted } from '../base/text.ts';
import type { Pickled } from './pickled.ts';
import { emptyEntries, emptyItems, pickleStack, type PickleStack } from './pickle-stack.ts';
import { inRange, latin1, pickleBytes, PickleError, signedInteger, type PickleBytes } from './pickle-bytes.ts';

/** A pickle that was read. */
export interface Unpickled {
  readonly value: Pickled;
  /** Every class and function that it names, sorted. */
  readonly globals: readonly string[];
  /** How many bytes it takes; a legacy PyTorch file has several pickles in a row. */
  readonly length: number;
}

/** Optimizer states of large models need some hundred thousand. */
const mostOperations = 20_000_000;

/** Reads the first pickle in `bytes`; PV-8500 says what is malformed and where. */
export function unpickle(bytes: Uint8Array): Result<Unpickled, Problem> {
  const reader = pickleBytes(bytes);
  const stack = pickleStack(reader.fail, bytes.length);
  const globals = new Set<string>();
  const operations: Operations = {
    ...values(stack),
    ...numbers(stack, reader),
    ...textAndBytes(stack, reader),
    ...containers(stack),
    ...objects(stack, reader, globals),
    ...memory(stack, reader),
  };
  try {
    for (let count = 0; count < mostOperations; count++) {
      const opcode = reader.unsigned(1);
      if (opcode === code('.'))
        return ok({ value: stack.finish(), globals: [...globals].toSorted(), length: reader.offset() });
      const operation =
        operations[opcode] ?? reader.fail(`opcode 0x${opcode.toString(16).padStart(2, '0')} is not supported`);
      operation();
    }
    return malformed(`it has more than ${mostOperations} operations`, reader.offset());
  } catch (thrown) {
    if (thrown instanceof PickleError) return malformed(thrown.message, thrown.offset);
    throw thrown;
  }
}

const malformed = (message: string, offset: number): Result<never, Problem> =>
  wrong('PV-8500', 'pickle', `The pickle cannot be read: ${message}.`, { offset });

const code = (letter: string): number => letter.charCodeAt(0);

/** What to do at each opcode. */
type Operations = Readonly<Record<number, () => void>>;

const values = ({ push }: PickleStack): Operations => ({
  [code('N')]: () => push(null),
  [0x88]: () => push(true),
  [0x89]: () => push(false),
});

const numbers = ({ push }: PickleStack, reader: PickleBytes): Operations => ({
  [code('I')]: () => {
    const text = reader.line();
    push(text === '00' ? false : text === '01' ? true : decimalInteger(text, reader));
  },
  [code('L')]: () => push(decimalInteger(reader.line().replace(/L$/u, ''), reader)),
  [code('F')]: () => push(decimalFloat(reader.line(), reader)),
  [code('J')]: () => push(reader.int32()),
  [code('K')]: () => push(reader.unsigned(1)),
  [code('M')]: () => push(reader.unsigned(2)),
  [code('G')]: () => push(reader.double()),
  [0x8a]: () => push(longInteger(reader.unsigned(1), reader)),
  [0x8b]: () => push(longInteger(reader.unsigned(4), reader)),
});

const textAndBytes = ({ push }: PickleStack, reader: PickleBytes): Operations => ({
  [code('S')]: () => push(quotedString(reader.line(), reader)),
  [code('V')]: () => push(unescaped(reader.line(), reader)),
  [code('T')]: () => push(latin1(reader.take(reader.unsigned(4)))),
  [code('U')]: () => push(latin1(reader.take(reader.unsigned(1)))),
  [code('X')]: () => push(reader.text(reader.unsigned(4))),
  [0x8c]: () => push(reader.text(reader.unsigned(1))),
  [0x8d]: () => push(reader.text(reader.unsigned64())),
  [code('B')]: () => push(reader.take(reader.unsigned(4))),
  [code('C')]: () => push(reader.take(reader.unsigned(1))),
  [0x8e]: () => push(reader.take(reader.unsigned64())),
  [0x96]: () => push(reader.take(reader.unsigned64())),
});

function containers({ push, pop, popped, popMark, append, setItems }: PickleStack): Operations {
  const list = (items: readonly Pickled[]): void => push({ kind: 'list', items });
  const tuple = (items: readonly Pickled[]): void => push({ kind: 'tuple', items });
  const dict = (items: readonly Pickled[]): void => {
    push({ kind: 'dict', entries: emptyEntries });
    setItems(items);
  };
  return {
    [code(']')]: () => list(emptyItems),
    [code('l')]: () => list(popMark()),
    [code('a')]: () => append([pop()]),
    [code('e')]: () => append(popMark()),
    [code(')')]: () => tuple(emptyItems),
    [code('t')]: () => tuple(popMark()),
    [0x85]: () => tuple(popped(1)),
    [0x86]: () => tuple(popped(2)),
    [0x87]: () => tuple(popped(3)),
    [code('}')]: () => dict([]),
    [code('d')]: () => dict(popMark()),
    [code('s')]: () => setItems(popped(2)),
    [code('u')]: () => setItems(popMark()),
    [0x8f]: () => push({ kind: 'set', items: emptyItems }),
    [0x90]: () => append(popMark()),
    [0x91]: () => push({ kind: 'set', items: popMark() }),
  };
}

/** Names and calls: nothing is imported, nothing is called. */
function objects(stack: PickleStack, reader: PickleBytes, globals: Set<string>): Operations {
  const { push, pop, popped, popMark } = stack;
  const global = (module: Pickled = null, name: Pickled = null): void => {
    if (typeof module !== 'string' || typeof name !== 'string') return reader.fail('the name of a global is not text');
    globals.add(`${module}.${name}`);
    push({ kind: 'global', name: `${module}.${name}` });
  };
  const call = (callable: Pickled = null, given: Pickled = null): void =>
    push({ kind: 'call', callable, arguments: given, state: null, items: emptyItems, entries: emptyEntries });
  return {
    [code('c')]: () => global(reader.line(), reader.line()),
    [0x93]: () => global(...popped(2)),
    [code('R')]: () => call(...popped(2)),
    [0x81]: () => call(...popped(2)),
    [0x92]: () => {
      const [callable, ...items] = popped(3);
      call(callable, { kind: 'tuple', items });
    },
    [code('i')]: () => {
      const items = popMark();
      global(reader.line(), reader.line());
      call(pop(), { kind: 'tuple', items });
    },
    [code('o')]: () => {
      const [callable, ...items] = popMark();
      call(callable, { kind: 'tuple', items });
    },
    [code('b')]: () => stack.build(pop()),
    [code('P')]: () => push({ kind: 'persistent', id: reader.line() }),
    [code('Q')]: () => push({ kind: 'persistent', id: pop() }),
  };
}

function memory(stack: PickleStack, reader: PickleBytes): Operations {
  const index = (): number => {
    const text = reader.line();
    return /^\d{1,10}$/u.test(text) ? Number(text) : reader.fail(`${quoted(text)} is not an index`);
  };
  const get = (at: number): void => stack.push(stack.get(at));
  return {
    [code('(')]: stack.mark,
    [code('0')]: () => void stack.pop(),
    [code('1')]: () => void stack.popMark(),
    [code('2')]: () => stack.push(stack.top()),
    [code('g')]: () => get(index()),
    [code('h')]: () => get(reader.unsigned(1)),
    [code('j')]: () => get(reader.unsigned(4)),
    [code('p')]: () => stack.put(index()),
    [code('q')]: () => stack.put(reader.unsigned(1)),
    [code('r')]: () => stack.put(reader.unsigned(4)),
    [0x94]: stack.memoize,
    [0x80]: () => {
      const protocol = reader.unsigned(1);
      if (protocol > 5) reader.fail(`protocol ${protocol} is unknown`);
    },
    // A frame's length helps only readers of streams.
    [0x95]: () => void reader.unsigned64(),
  };
}

/** The longest integer, in digits or bytes: CPython's limit, since reading one takes quadratic time. */
const longestInteger = 4300;

const decimalInteger = (text: string, { fail }: PickleBytes): number | bigint =>
  /^-?\d+$/u.test(text) && text.length <= longestInteger
    ? inRange(BigInt(text))
    : fail(`${quoted(text)} is not an integer`);

const longInteger = (length: number, { take, fail }: PickleBytes): number | bigint =>
  length <= longestInteger ? signedInteger(take(length)) : fail(`an integer has ${length} bytes`);

function decimalFloat(text: string, { fail }: PickleBytes): number {
  const special = { inf: Infinity, '-inf': -Infinity, nan: NaN }[text];
  if (special !== undefined) return special;
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? fail(`${quoted(text)} is not a number`) : value;
}

/** Python's escapes of one character; the rest of a quoted string stands for itself. */
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** A string in quotes, as protocol 0 of Python 2 writes it. */
function quotedString(text: string, { fail }: PickleBytes): string {
  const inside =
    /^(['"])(?<inside>.*)\1$/su.exec(text)?.groups?.['inside'] ?? fail(`${quoted(text)} is not a quoted string`);
  return inside.replace(/\\(?:x(?<hex>[\da-f]{2})|(?<one>.))/gsu, (_, hex?: string, one = '') =>
    hex === undefined ? (escapes[one] ?? one) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Python's raw-unicode-escape: Latin-1, and `\uXXXX` or `\UXXXXXXXX` for everything else. */
function unescaped(text: string, { fail }: PickleBytes): string {
  return text.replace(/\\(?:u(?<four>[\da-f]{4})|U(?<eight>[\da-f]{8}))/gu, (_, four?: string, eight?: string) => {
    const point = Number.parseInt(four ?? eight ?? '', 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : fail(`${point} is not a code point`);
  });
}
