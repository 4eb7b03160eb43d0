/**
 * Another clock, other random numbers and a terminal, for a process that runs the calls of an earlier one again: results that differ depend on
 * them. Called before any function is loaded.
 */
import { attachTerminal } from './vary-terminal.ts';

/** What is different in a process. */
export interface World {
  /** Milliseconds that every clock is ahead. */
  readonly clockMs: number;
  /** Where random numbers start; null: as they are. */
  readonly random: number | null;
  /** Whether a terminal is attached, which no process of pv's has. */
  readonly hasTerminal: boolean;
}

/** How much earlier a timer fires under another clock. */
export const timesFaster = 100;

type Callable = (...values: unknown[]) => unknown;

const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

/** Changes this process. */
export function vary({ clockMs, random, hasTerminal }: World): void {
  const texts = new WeakMap<object, string>();
  if (clockMs !== 0) varyClock(clockMs, texts);
  if (random !== null) varyRandomness(random, texts);
  if (hasTerminal) attachTerminal((owner, key, instead) => swap(texts, owner, key, instead));
  const toString = Reflect.get(Function.prototype, 'toString') as Callable;
  swap(texts, Function.prototype, 'toString', (_, self, values) =>
    typeof self === 'function' && texts.has(self) ? texts.get(self) : apply(toString, self, values),
  );
}

type Instead = (call: Callable, self: unknown, values: unknown[]) => unknown;

/** Replaces a function by one that looks the same. */
function swap(texts: WeakMap<object, string>, owner: object, key: string, instead: Instead, made?: Instead): void {
  const found = getOwnPropertyDescriptor(owner, key);
  const call: unknown = found?.value;
  if (!found || typeof call !== 'function') return;
  const value = new Proxy(call as Callable, {
    apply: (target, self, values: unknown[]) => instead(target, self, values),
    construct: (target, values: unknown[], newTarget) =>
      (made?.(target, newTarget, values) ?? construct(target, values, newTarget)) as object,
  });
  texts.set(value, `function ${key}() { [native code] }`);
  defineProperty(owner, key, { ...found, value });
}

function varyClock(ms: number, texts: WeakMap<object, string>): void {
  const RealDate = Date;
  const realNow = RealDate.now.bind(RealDate);
  const ahead = (): number => realNow() + ms;
  swap(
    texts,
    globalThis,
    'Date',
    (target, self, values) => (values.length === 0 ? new RealDate(ahead()).toString() : apply(target, self, values)),
    (target, newTarget, values) =>
      construct(target as never, values.length === 0 ? [ahead()] : values, newTarget as never),
  );
  defineProperty(RealDate.prototype, 'constructor', { value: Date, writable: true, configurable: true });
  swap(texts, RealDate, 'now', ahead);
  varyOtherClocks(ms, ahead, texts);
  swap(
    texts,
    getPrototypeOf(performance) as object,
    'now',
    (call, self, values) => (apply(call, self, values) as number) + ms,
  );
  swap(texts, process, 'uptime', (call, self, values) => (apply(call, self, values) as number) + ms / 1000);
  swap(texts, process, 'hrtime', (call, self, values) => {
    const [seconds, nanoseconds] = apply(call, self, values) as [number, number];
    return values.length > 0 ? [seconds, nanoseconds] : [seconds + Math.floor(ms / 1000), nanoseconds];
  });
  swap(
    texts,
    process.hrtime,
    'bigint',
    (call, self, values) => (apply(call, self, values) as bigint) + BigInt(ms) * 1_000_000n,
  );
}

/** What tells the time or passes it besides `Date` and `performance.now`. */
function varyOtherClocks(ms: number, ahead: () => number, texts: WeakMap<object, string>): void {
  const soon: Instead = (call, self, [callback, delay, ...rest]) =>
    apply(call, self, [callback, Number(delay) / timesFaster, ...rest]);
  for (const owner of [globalThis, process.getBuiltinModule('node:timers')])
    for (const key of ['setTimeout', 'setInterval']) swap(texts, owner, key, soon);
  const dates = Intl.DateTimeFormat.prototype;
  swap(texts, dates, 'formatToParts', (call, self, [date = ahead()]) => apply(call, self, [date]));
  swapGetter(
    dates,
    'format',
    (format) =>
      (date: unknown = ahead()) =>
        (format as Callable)(date),
  );
  swapGetter(Event.prototype, 'timeStamp', (at) => Number(at) + ms);
  const { timeOrigin } = performance;
  defineProperty(performance, 'timeOrigin', { value: timeOrigin + ms, configurable: true, enumerable: true });
}

function swapGetter(owner: object, key: string, instead: (value: unknown) => unknown): void {
  const found = getOwnPropertyDescriptor(owner, key);
  const get = found?.get;
  if (!found || !get) return;
  defineProperty(owner, key, {
    ...found,
    get(this: unknown) {
      return instead(apply(get, this, []));
    },
  });
}

/** A multiplicative generator of Park and Miller: any stream will do that is another one. */
function varyRandomness(seed: number, texts: WeakMap<object, string>): void {
  let state = 1 + (seed % 2_147_483_646);
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  swap(texts, Math, 'random', next);
  const getRandomValues = Reflect.get(crypto, 'getRandomValues') as Callable;
  swap(texts, getPrototypeOf(crypto) as object, 'getRandomValues', (_, self, [array]) => {
    const filled = apply(getRandomValues, self, [array]) as Uint8Array;
    for (let i = 0; i < filled.length; i++) filled[i] = Math.floor(next() * 256);
    return filled;
  });
}
