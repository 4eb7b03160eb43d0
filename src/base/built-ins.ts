/**
 * Which of the language's built-in functions code has replaced since they were recorded.
 *
 * What judges code that shares its realm must not rely on what that code can replace. So this module keeps what it uses when it
 * is loaded, iterates with indices alone, and writes to objects without a prototype.
 */
const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf, apply } = Reflect;
const { is, create } = Object;

/** Compares with what was recorded: what was replaced or added, such as `Math.exp, Array.prototype.map`; '' if nothing was. */
export type ReplacedBuiltIns = () => string;

/** An object whose members are recorded, under the name that a person knows it by. */
export interface WatchedObject {
  readonly name: string;
  readonly value: unknown;
}

const globalNames = (
  'Object Function Array String Number Boolean Symbol BigInt Math JSON Reflect Proxy Promise Map Set WeakMap WeakSet WeakRef ' +
  'FinalizationRegistry Date RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError ' +
  'ArrayBuffer SharedArrayBuffer DataView Atomics Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array ' +
  'Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array Intl WebAssembly parseInt parseFloat isNaN isFinite ' +
  'structuredClone queueMicrotask setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate'
).split(' ');

/** What programs set for their own messages, and what packages add for engines without it: symbols of newer editions of the language. */
const settings: Readonly<Record<string, true>> = {
  stackTraceLimit: true,
  prepareStackTrace: true,
  metadata: true,
  dispose: true,
  asyncDispose: true,
};

/** More names than this say nothing more. */
const mostNamed = 8;

interface Member {
  readonly owner: object;
  readonly key: PropertyKey;
  readonly value: unknown;
  readonly get: unknown;
  readonly set: unknown;
}

interface Owner {
  readonly value: object;
  readonly name: string;
  readonly members: readonly Member[];
  readonly known: Readonly<Record<PropertyKey, true>>;
  readonly prototype: object | null;
}

/** Records the members of the language's globals but `except`, of `others`, and of their prototypes as they are now. */
export function recordBuiltIns(
  others: readonly WatchedObject[] = [],
  except: ReadonlySet<string> = new Set(),
): ReplacedBuiltIns {
  const names = globalNames.filter((name) => !except.has(name));
  const globals = names.map((name): WatchedObject => ({ name, value: Reflect.get(globalThis, name) }));
  const bindings = names.map((key) => memberOf(globalThis, key));
  const objects = [...globals, ...others, ...hidden()].flatMap(withPrototype);
  const owners = [...new Map(objects.map((object) => [object.value, object])).values()].map(recorded);
  return () => {
    const found = { text: '', count: 0 };
    for (let i = 0; i < bindings.length; i++) compare(bindings[i], '', found);
    for (let i = 0; i < owners.length; i++) compareOwner(owners[i], found);
    return found.text;
  };
}

/** Prototypes that have no global name. */
function hidden(): readonly WatchedObject[] {
  const above = (value: object): unknown => getPrototypeOf(value);
  const arrays = [][Symbol.iterator]();
  return [
    { name: 'TypedArray', value: above(Float32Array) },
    { name: 'Iterator.prototype', value: above(above(arrays) as object) },
    { name: 'ArrayIterator.prototype', value: above(arrays) },
    { name: 'MapIterator.prototype', value: above(new Map().entries()) },
    { name: 'SetIterator.prototype', value: above(new Set().values()) },
    { name: 'Generator.prototype', value: above(above((function* () {})()) as object) },
  ];
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

function withPrototype({ name, value }: WatchedObject): readonly { readonly name: string; readonly value: object }[] {
  if (!isObject(value)) return [];
  const prototype: unknown = typeof value === 'function' ? getOwnPropertyDescriptor(value, 'prototype')?.value : null;
  return [{ name, value }, ...(isObject(prototype) ? [{ name: `${name}.prototype`, value: prototype }] : [])];
}

function memberOf(owner: object, key: PropertyKey): Member {
  const { value, get, set } = getOwnPropertyDescriptor(owner, key) ?? {};
  return { owner, key, value, get, set };
}

function recorded({ name, value }: { readonly name: string; readonly value: object }): Owner {
  const keys = ownKeys(value).filter((key) => typeof key === 'symbol' || !Object.hasOwn(settings, key));
  const known = create(null) as Record<PropertyKey, true>;
  for (const key of [...keys, ...Object.keys(settings)]) known[key] = true;
  // Counters and settings of `process` are not functions that anybody calls.
  const members = keys.map((key) => memberOf(value, key)).filter((member) => isObject(member.value) || member.get);
  return { value, name, members, known, prototype: getPrototypeOf(value) };
}

interface Named {
  text: string;
  count: number;
}

function compareOwner(owner: Owner | undefined, found: Named): void {
  if (!owner) return;
  const { value, name, members, known, prototype } = owner;
  for (let i = 0; i < members.length; i++) compare(members[i], name, found);
  const keys = ownKeys(value);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (key !== undefined && known[key] !== true) note(name, key, found);
  }
  if (getPrototypeOf(value) !== prototype) note(name, '__proto__', found);
}

function compare(member: Member | undefined, owner: string, found: Named): void {
  if (!member) return;
  const now = getOwnPropertyDescriptor(member.owner, member.key);
  if (is(now?.value, member.value) && now?.get === member.get && now?.set === member.set) return;
  note(owner, member.key, found);
}

const describeSymbol = getOwnPropertyDescriptor(Symbol.prototype, 'description')?.get;

function note(owner: string, key: PropertyKey, found: Named): void {
  found.count++;
  if (found.count > mostNamed) return;
  const description: unknown = typeof key === 'symbol' && describeSymbol ? apply(describeSymbol, key, []) : '';
  const name =
    typeof key === 'symbol'
      ? `[${typeof description === 'string' ? description : ''}]`
      : `${owner && '.'}${String(key)}`;
  found.text += `${found.text && ', '}${owner}${name}`;
}
