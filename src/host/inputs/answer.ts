/** The answers to questions about the environment: recorded where code runs, and compared before its evidence is reused. */
import { atPath, type Question } from './input.ts';
import { memoryVariable, secretVariable } from './variables.ts';

// Kept as they are now: in a process that is watched, what modules import of them is replaced later.
const {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} = process.getBuiltinModule('node:fs');
const { createHash } = process.getBuiltinModule('node:crypto');
const placeOf = process.cwd.bind(process);
const chunk = Buffer.alloc(1 << 20);

/** What `question` is answered now, in a process with `environment`. Paths are absolute. */
export function answerOf({ kind, name }: Question, environment: NodeJS.ProcessEnv): string {
  switch (kind) {
    case 'file':
      return attempt(() => contentOf(name));
    case 'entry':
      return attempt(() => kindOf(statSync(name)));
    case 'access':
      return attempt(() => accessTo(name));
    case 'stat':
      return attempt(() => propertiesOf(statSync(name)));
    case 'lstat':
      return attempt(() => propertiesOf(lstatSync(name)));
    case 'link':
      return attempt(() => `to ${readlinkSync(name)}`);
    case 'realpath':
      return attempt(() => `${atPath}${realpathSync(name)}`);
    case 'folder':
      return attempt(() =>
        digest(readdirSync(name, { withFileTypes: true }).map((found) => [found.name, kindOf(found)])),
      );
    case 'variable':
      return valueOf(environment[name]);
    case 'environment':
      return digest(Object.entries(environment).filter(([key]) => !own.has(key)));
    case 'place':
      return placeOf();
    case 'machine': {
      const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
      return [process.platform, process.arch, locale, timeZone].join(' ');
    }
  }
}

/** Of pv, and not the same in the processes that it starts. */
const own: ReadonlySet<string> = new Set([secretVariable, memoryVariable]);

function valueOf(value: string | undefined): string {
  return value === undefined ? 'missing' : sha256(value);
}

interface Found {
  readonly isFile: () => boolean;
  readonly isDirectory: () => boolean;
  readonly isSymbolicLink: () => boolean;
}

interface Properties extends Found {
  readonly size: number;
  readonly mtimeMs: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** A device or a pipe is `other`: its next content is unknown. */
function kindOf(found: Found): string {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'folder';
  return found.isSymbolicLink() ? 'link' : 'other';
}

/** What survives copying a project. The time of a folder changes whenever anything is added to it. */
function propertiesOf(found: Properties): string {
  const { size, mtimeMs, mode, uid, gid } = found;
  const kind = kindOf(found);
  const content = kind === 'file' || kind === 'link' ? ` ${size} ${mtimeMs}` : '';
  return `${kind}${content} ${mode.toString(8)} ${uid}:${gid}`;
}

function accessTo(path: string): string {
  accessSync(path);
  const allows = (mode: number): boolean => attempt(() => (accessSync(path, mode), 'allowed')) === 'allowed';
  const { R_OK, W_OK, X_OK } = constants;
  return `${allows(R_OK) ? 'r' : '-'}${allows(W_OK) ? 'w' : '-'}${allows(X_OK) ? 'x' : '-'}`;
}

function contentOf(path: string): string {
  const kind = kindOf(statSync(path));
  if (kind !== 'file') return kind;
  const file = openSync(path, 'r');
  try {
    const hash = createHash('sha256');
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) hash.update(chunk.subarray(0, read));
    return fstatSync(file).isFile() ? `sha256:${hash.digest('hex')}` : 'other';
  } finally {
    closeSync(file);
  }
}

function digest(entries: readonly (readonly unknown[])[]): string {
  return sha256(JSON.stringify(entries.map((entry) => JSON.stringify(entry)).toSorted()));
}

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

function attempt(ask: () => string): string {
  try {
    return ask();
  } catch (problem) {
    const code = problem instanceof Error && 'code' in problem ? String(problem.code) : '';
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : `unreadable ${code}`;
  }
}
