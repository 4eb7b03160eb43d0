/**
 * What code read of its environment while it ran, as questions that can be repeated: as long as each has the same answer, the
 * code's result is valid.
 */
import { isAbsolute, join, relative, sep } from 'node:path';
import { isUnder } from '../contained-path.ts';

/**
 * `file`: its content. `entry`: what kind of thing is at a path. `access`: what may be done with it. `stat`: its size, time, mode and owner;
 * `lstat`: the same, of a link itself. `link`: the path in a link. `realpath`: a path with every link resolved. `folder`: its entries.
 * `variable`: one of the environment; `environment`: all. `place`: the folder that relative paths start from. `machine`: platform,
 * language and time zone.
 */
const pathKinds = ['file', 'entry', 'access', 'stat', 'lstat', 'link', 'realpath', 'folder'] as const;
/** Every kind of question that evidence may record. */
export const inputKinds = [...pathKinds, 'variable', 'environment', 'place', 'machine'] as const;

/** Questions about a path. */
export type PathKind = (typeof pathKinds)[number];

/** What a question is about. */
export type InputKind = (typeof inputKinds)[number];

/** Something that code read of its environment. */
export interface Question {
  readonly kind: InputKind;
  /** A path, or the name of a variable; empty for the others. */
  readonly name: string;
}

/** A question with the answer that it had during the run. */
export interface Input extends Question {
  /** A digest, or one word: `missing`. */
  readonly answer: string;
}

/** Everything that code read, divided into what can be asked again and what cannot. */
export interface Inputs {
  /** In the order of kind and name. */
  readonly closed: readonly Input[];
  /** What was used and cannot be represented by an answer: `the clock`, `the network`. */
  readonly open: readonly string[];
}

const paths: ReadonlySet<InputKind> = new Set(pathKinds);

/** Begins the answer that is a path, so that no path reads as another answer (`missing`). */
export const atPath = 'at ';

/** The inputs with paths from `root` where they are below it, so that they are the same when the project moves. */
export function portable({ closed, open }: Inputs, root: string): Inputs {
  return {
    closed: closed.map((input) => ({
      ...input,
      name: paths.has(input.kind) ? fromRoot(input.name, root) : input.name,
      answer: portableAnswer(input, root),
    })),
    open,
  };
}

function portableAnswer({ kind, answer }: Input, root: string): string {
  if (kind === 'place') return fromRoot(answer, root);
  if (kind !== 'realpath' || !answer.startsWith(atPath)) return answer;
  return `${atPath}${fromRoot(answer.slice(atPath.length), root)}`;
}

function fromRoot(path: string, root: string): string {
  return isUnder(root, path) ? relative(root, path).split(sep).join('/') || '.' : path;
}

/** Why code that read `inputs` may do something else now; null if all is as it was. `ask` takes absolute paths. */
export function whyChanged({ closed, open }: Inputs, root: string, ask: (question: Question) => string): string | null {
  if (open.length > 0) return `it used ${open.join(', ')}, so that it is never reused`;
  const at = (name: string): string => (isAbsolute(name) ? name : join(root, name));
  const changed = closed.find(({ kind, name, answer }) => {
    const now = ask({ kind, name: paths.has(kind) ? at(name) : name });
    return portableAnswer({ kind, name, answer: now }, root) !== answer;
  });
  return changed ? `${shownInput(changed)} changed since` : null;
}

function shownInput({ kind, name }: Input): string {
  switch (kind) {
    case 'variable':
      return `the variable ${name}`;
    case 'environment':
      return 'the environment';
    case 'place':
      return 'the folder that pv runs in';
    case 'machine':
      return 'the machine, its language or its time zone';
    default:
      return name;
  }
}
