/**
 * What code read of the world while it ran, as questions that can be asked again: while each has the answer that it had, what the
 * code did stands.
 */
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isUnder } from '../contained-path.ts';

/**
 * `file`: what it holds. `entry`: what stands at a path. `stat`: that, with size and time. `folder`: its entries. `variable`: one of the
 * environment; `environment`: all. `place`: the folder that relative paths start from. `machine`: platform, language and time zone.
 */
export const inputKinds = ['file', 'entry', 'stat', 'folder', 'variable', 'environment', 'place', 'machine'] as const;

export type InputKind = (typeof inputKinds)[number];

export interface Question {
  readonly kind: InputKind;
  /** A path, or the name of a variable; empty for the others. */
  readonly name: string;
}

export interface Input extends Question {
  /** A digest, or one word: `missing`. */
  readonly answer: string;
}

export interface Inputs {
  /** In the order of kind and name. */
  readonly closed: readonly Input[];
  /** What was used and has no answer that stands for it: `the clock`, `the network`. */
  readonly open: readonly string[];
}

const paths: ReadonlySet<InputKind> = new Set(['file', 'entry', 'stat', 'folder']);

/** The inputs with paths from `root` where they are below it, so that they are the same when the project moves. */
export function portable({ closed, open }: Inputs, root: string): Inputs {
  const shown = (path: string): string =>
    isUnder(root, path) ? relative(root, path).split(sep).join('/') || '.' : path;
  return {
    closed: closed.map((input) => ({
      ...input,
      name: paths.has(input.kind) ? shown(input.name) : input.name,
      answer: input.kind === 'place' ? shown(input.answer) : input.answer,
    })),
    open,
  };
}

/** Why code that read `inputs` may do something else now; null where all is as it was. `ask` takes absolute paths. */
export function whyChanged({ closed, open }: Inputs, root: string, ask: (question: Question) => string): string | null {
  if (open.length > 0) return `it used ${open.join(', ')}, so that it is never reused`;
  const at = (name: string): string => (isAbsolute(name) ? name : join(root, name));
  const changed = closed.find(({ kind, name, answer }) => {
    const now = ask({ kind, name: paths.has(kind) ? at(name) : name });
    return now !== (kind === 'place' ? resolve(root, answer) : answer);
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
