/**
 * Watches what code in this process reads, before any of it is loaded: functions of Node's modules and globals are replaced by
 * ones that record each request and then carry it out.
 *
 * What cannot be watched one question at a time (children, sockets, clocks, random numbers) is recorded by name.
 */
import { isUnder } from '../contained-path.ts';
import { answerOf } from './answer.ts';
import { asksOfFiles, asksOfOpenFiles, harmlessBindings, harmlessOfProcess, onOpenFiles, reachOf } from './builtins.ts';
import { atPath, type Input, type Inputs, type PathKind, type Question } from './input.ts';
import { lateModules } from './late-imports.ts';
import { functionsOf, isCallable, prototypeOf, replace, watch, type Callable } from './watched-members.ts';

const path = process.getBuiltinModule('node:path');
const { fileURLToPath } = process.getBuiltinModule('node:url');
const nodeModule = process.getBuiltinModule('node:module');

/** Everything so far. Asked at the end of a job: a file that is another by then was read in two states. */
export type Observed = () => Inputs;

/** What is not counted as an input. */
export interface ObserveOptions {
  /** The folder of pv's own code, absolute: what the engine reads there is not an input. */
  readonly own: string;
}

/** Begins to watch; once in the life of a process. */
export function observe({ own }: ObserveOptions): Observed {
  const environment = { ...process.env };
  const place = process.cwd();
  const closed = new Map<string, Input>();
  const open = new Set<string>();
  const reached = (what: string): void => void open.add(what);
  const ask = (question: Question): string => {
    const key = `${question.kind} ${question.name}`;
    const answer = closed.get(key)?.answer ?? answerOf(question, environment);
    if (!closed.has(key)) closed.set(key, { ...question, answer });
    return answer;
  };
  const askPath = (kind: PathKind, value: unknown): void => {
    const named = pathOf(value);
    if (named === null) return;
    if (!path.isAbsolute(named)) ask({ kind: 'place', name: '' });
    const name = followed(place, named, ask);
    if (isUnder(own, name)) return;
    if (/^\/(?:dev|proc|sys)\//u.test(name)) reached('the system’s devices');
    ask({ kind, name });
  };
  const askOpen = (): void => {
    for (const { kind, name } of closed.values()) if (kind === 'file') ask({ kind: 'stat', name });
  };
  const notes: Notes = { reached, ask, askPath, askOpen };
  // Created on first access, from sockets and terminals that are watched from then on.
  void [process.stdin, process.stdout, process.stderr];
  ask({ kind: 'machine', name: '' });
  ask({ kind: 'variable', name: 'NODE_OPTIONS' });
  watchModules(notes);
  watchFiles(notes);
  watchProcess(notes);
  watchGlobals(notes);
  nodeModule.syncBuiltinESMExports();
  return () => {
    for (const { kind, name, answer } of closed.values())
      if (kind === 'file' && (answer === 'other' || answerOf({ kind, name }, environment) !== answer))
        reached('a file that changes while it runs');
    const inOrder = [...closed.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return { closed: inOrder.map(([, input]) => input), open: [...open].toSorted() };
  };
}

interface Notes {
  readonly reached: (what: string) => void;
  /** The answer, which the question keeps to the end. */
  readonly ask: (question: Question) => string;
  readonly askPath: (kind: PathKind, value: unknown) => void;
  /** Asks about the size, time, mode and owner of every file that has been read. */
  readonly askOpen: () => void;
}

/**
 * The path that the system resolves `named` to: `..` after a link leaves the folder that the link points to, not the one that
 * holds it.
 */
function followed(place: string, named: string, ask: Notes['ask']): string {
  const parts = named.split(path.sep);
  const isUp = (part: string, i: number): boolean => part === '..' && parts[i - 1] !== '..' && i > 0;
  if (!parts.some(isUp)) return path.resolve(place, named);
  return parts.reduce(
    (at, part) => {
      const isLink = part === '..' && ask({ kind: 'link', name: at }).startsWith('to ');
      const real = isLink ? ask({ kind: 'realpath', name: at }) : '';
      return path.join(real.startsWith(atPath) ? real.slice(atPath.length) : at, part);
    },
    path.isAbsolute(named) ? path.parse(named).root : place,
  );
}

/** Null for a file that is open already. */
function pathOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value instanceof URL) return value.protocol === 'file:' ? fileURLToPath(value) : null;
  return Buffer.isBuffer(value) ? value.toString() : null;
}

function watchModules({ reached }: Notes): void {
  const emitWarning: unknown = Reflect.get(process, 'emitWarning');
  // Some modules print a warning when they are loaded, which is irrelevant here.
  replace(process, 'emitWarning', () => undefined);
  // All are loaded before the first is changed: they use each other.
  const loaded = [...nodeModule.builtinModules, 'node:sqlite'].flatMap((name) => {
    const found = reachOf(name.replace(/^node:/u, ''));
    const members = found && process.getBuiltinModule(name);
    return found && members ? [{ found, members }] : [];
  });
  replace(process, 'emitWarning', emitWarning);
  for (const { found, members } of loaded)
    for (const name of functionsOf(members))
      if (!found.harmless.has(name)) watch(members, name, () => reached(found.label));
}

function watchFiles(notes: Notes): void {
  const files = process.getBuiltinModule('node:fs');
  for (const members of [files, files.promises])
    for (const name of functionsOf(members)) {
      if (onOpenFiles.has(name)) continue;
      const note = (values: readonly unknown[]): void => noteFile(notes, name, values);
      watch(members, name, note);
    }
  // Functions of their own.
  for (const name of ['realpath', 'realpathSync'] as const)
    watch(files[name], 'native', (values) => noteFile(notes, name, values));
  watchHandles(notes);
}

/** Node shows the class of file handles only in the first of them. */
function watchHandles({ reached, askOpen }: Notes): void {
  const files = process.getBuiltinModule('node:fs/promises');
  const { open } = files;
  let isWatched = false;
  const first = (handle: object): void => {
    if (isWatched) return;
    isWatched = true;
    const members = prototypeOf(handle);
    watch(members, 'stat', askOpen);
    for (const name of ['chmod', 'chown', 'utimes']) watch(members, name, () => reached('files that it writes'));
  };
  const opened = (...values: Parameters<typeof open>): ReturnType<typeof open> => {
    const handle = open(...values);
    // A failure is reported to the function, which holds the same promise.
    void handle.then(first, () => undefined);
    return handle;
  };
  replace(files, 'open', opened);
}

function noteFile({ reached, askPath, askOpen }: Notes, name: string, [first, second]: readonly unknown[]): void {
  const kind = asksOfFiles[name];
  if (asksOfOpenFiles.has(name)) {
    askOpen();
    return;
  }
  if (typeof first === 'number') {
    if (kind === 'file' && first === 0) reached('the standard input');
    else if (kind === undefined && first > 2) reached('files that it writes');
    return;
  }
  const isRecursive = typeof second === 'object' && second !== null && 'recursive' in second && second.recursive;
  if (kind === undefined || isWriting(name, second)) reached('files that it writes');
  else if (kind === 'folder' && isRecursive === true) reached('a folder with all that is below it');
  else askPath(kind, first);
}

/** Whether `flags`, of `open`, let the file be written. */
function isWriting(name: string, flags: unknown): boolean {
  if (!name.startsWith('open') || name === 'openAsBlob' || name.startsWith('opendir')) return false;
  return typeof flags === 'number' ? (flags & 3) !== 0 : typeof flags === 'string' && /[wa+]/u.test(flags);
}

function watchProcess({ reached, ask, askPath }: Notes): void {
  for (const name of functionsOf(process))
    if (!harmlessOfProcess.has(name)) watch(process, name, () => reached('the machine'));
  for (const name of ['hrtime', 'uptime']) watch(process, name, () => reached('the clock'));
  watch(process.hrtime, 'bigint', () => reached('the clock'));
  watch(process, 'cwd', () => ask({ kind: 'place', name: '' }));
  watch(process, 'chdir', () => reached('a change of its folder'));
  watch(process, 'dlopen', () => reached('native code'));
  watch(process, 'binding', ([name]) => (harmlessBindings.has(String(name)) ? null : reached('the insides of node')));
  for (const name of ['pid', 'ppid', 'report'] as const) {
    const value = process[name];
    const get = (): unknown => (isNodeItself() ? null : reached('the machine'), value);
    Object.defineProperty(process, name, { get, configurable: true, enumerable: true });
  }
  replace(process, 'env', watchedEnvironment(ask));
  watchLoader({ reached, askPath });
}

/** Modules that are found on the disk while code runs are looked for in many places; data of a known path are a file. */
function watchLoader({ reached, askPath }: Pick<Notes, 'reached' | 'askPath'>): void {
  const loader = nodeModule as unknown as { readonly _resolveFilename: Callable };
  const note = (request: unknown, resolve: (name: string) => unknown): void => {
    const name = String(request);
    if (nodeModule.isBuiltin(name)) return;
    const isData = name.endsWith('.json') && /^(?:[.]{0,2}\/|[A-Za-z]:)/u.test(name);
    const found = isData ? resolved(() => resolve(name)) : null;
    if (found === null) reached(lateModules);
    else askPath('file', found);
  };
  const { createRequire } = nodeModule;
  replace(nodeModule, 'createRequire', (from: string | URL): NodeJS.Require => {
    const made = createRequire(from);
    const { resolve } = made;
    watch(made, 'resolve', ([request]) => note(request, resolve));
    return made;
  });
  const load: unknown = Reflect.get(nodeModule, '_load');
  if (!isCallable(load)) return;
  // An `import` of a CommonJS package comes without a parent, and what that requires comes while it loads: pv imports backends so.
  // Imports of the function are found in its text (`importsWhileItRuns`).
  let importing = 0;
  const watched = (request: unknown, parent?: unknown, ...rest: readonly unknown[]): unknown => {
    const isImport = parent === undefined || parent === null;
    if (!isImport && importing === 0) note(request, (name) => loader._resolveFilename(name, parent));
    importing += isImport ? 1 : 0;
    try {
      return Reflect.apply(load, nodeModule, [request, parent, ...rest]);
    } finally {
      importing -= isImport ? 1 : 0;
    }
  };
  replace(nodeModule, '_load', watched);
}

/** Null if nothing is found, which the loader itself reports to the code that asked. */
function resolved(resolve: () => unknown): unknown {
  try {
    return resolve();
  } catch {
    return null;
  }
}

/** Whether the caller is Node itself, which reads all members of `process` when it is imported. */
function isNodeItself(): boolean {
  return new Error('who asks').stack?.includes('node:internal/bootstrap/realm') ?? false;
}

/** The environment, noting the names that are requested. It shows nothing to `util.inspect`, which would ask without asking. */
function watchedEnvironment(ask: Notes['ask']): NodeJS.ProcessEnv {
  const real = process.env;
  const asked = (name: string | symbol): void => {
    if (typeof name === 'string') ask({ kind: 'variable', name });
  };
  return new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      get: (_, name) => (asked(name), Reflect.get(real, name) as string | undefined),
      has: (_, name) => (asked(name), Reflect.has(real, name)),
      set: (_, name, value) => Reflect.set(real, name, value),
      deleteProperty: (_, name) => Reflect.deleteProperty(real, name),
      defineProperty: (_, name, found) => Reflect.defineProperty(real, name, found),
      getOwnPropertyDescriptor: (_, name) => (asked(name), Reflect.getOwnPropertyDescriptor(real, name)),
      ownKeys: () => (ask({ kind: 'environment', name: '' }), Reflect.ownKeys(real)),
    },
  );
}

function watchGlobals({ reached }: Notes): void {
  const clock = (): void => reached('the clock');
  const randomness = (): void => reached('randomness');
  watch(Math, 'random', randomness);
  watch(Date, 'now', clock);
  watch(globalThis, 'Date', (values) => (values.length === 0 ? clock() : null));
  replace(Date.prototype, 'constructor', Date);
  for (const name of ['now', 'mark', 'measure', 'toJSON', 'eventLoopUtilization']) watch(performance, name, clock);
  const { timeOrigin } = performance;
  Object.defineProperty(performance, 'timeOrigin', { get: () => (clock(), timeOrigin), configurable: true });
  for (const name of ['getRandomValues', 'randomUUID']) watch(prototypeOf(crypto), name, randomness);
  for (const name of ['generateKey', 'sign', 'encrypt']) watch(prototypeOf(crypto.subtle), name, randomness);
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'BroadcastChannel'])
    watch(globalThis, name, () => reached('the network'));
}
