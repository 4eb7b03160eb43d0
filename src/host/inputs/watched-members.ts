/** Functions of an object, replaced by ones that note each use and then do the same. */

/** A function about which nothing is known. */
export type Callable = (...values: readonly unknown[]) => unknown;

/** Wraps `call`, as a function and as a class; `note` hears of each use first. */
function noted(call: Callable, note: (values: readonly unknown[]) => void): Callable {
  const watched: Callable = new Proxy(call, {
    apply: (target, self, values: unknown[]) => {
      note(values);
      return Reflect.apply(target, self, values);
    },
    construct: (target, values: unknown[], made) => {
      note(values);
      return Reflect.construct(target, values, made === watched ? target : made) as object;
    },
  });
  return watched;
}

/** Whether a value can be called; classes can, but only with `new`. */
export function isCallable(value: unknown): value is Callable {
  return typeof value === 'function';
}

/** Replaces `members[name]`, if possible. */
export function replace(members: object, name: PropertyKey, value: unknown): void {
  const found = Object.getOwnPropertyDescriptor(members, name);
  if (found?.configurable === false) return;
  Object.defineProperty(members, name, {
    value,
    writable: true,
    configurable: true,
    enumerable: found?.enumerable ?? true,
  });
}

/** Records each use of the function `members[name]`, if there is one. */
export function watch(members: object, name: string, note: (values: readonly unknown[]) => void): void {
  const found = Object.getOwnPropertyDescriptor(members, name);
  if (found?.get) {
    watchGetter(members, name, found, note);
    return;
  }
  const call: unknown = Reflect.get(members, name);
  if (isCallable(call)) replace(members, name, noted(call, note));
}

/** A function behind a getter is replaced on first access: some getters warn, or load their module only then. */
function watchGetter(
  members: object,
  name: string,
  found: PropertyDescriptor,
  note: (values: readonly unknown[]) => void,
): void {
  if (found.configurable === false) return;
  const watched = new Map<Callable, Callable>();
  const get = (): unknown => {
    const value: unknown = found.get?.call(members);
    if (!isCallable(value)) return value;
    const known = watched.get(value) ?? noted(value, note);
    watched.set(value, known);
    return known;
  };
  Object.defineProperty(members, name, { ...found, get });
}

/** The names of the members that are functions, or may be: getters are not called here. */
export function functionsOf(members: object): readonly string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(members)).flatMap(([name, found]) =>
    'get' in found || isCallable(found.value) ? [name] : [],
  );
}

/** The prototype of an object that has one. */
export const prototypeOf = (value: object): object => Object.getPrototypeOf(value) as object;
