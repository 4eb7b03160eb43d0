/**
 * What a computation asked of the world and what it was told. While the world gives the same answers, code that knows
 * the world only through its host comes to the same result: this is what a remembered result rests on.
 */
import { createHash } from 'node:crypto';
import type { Host } from '../../host/host.ts';

const asking = ['readText', 'list', 'kindOf', 'isSharedByUsers', 'realPath'] as const;
type Ask = (typeof asking)[number];

export interface Question {
  readonly ask: Ask;
  readonly path: string;
  /** The bound of `readText`. */
  readonly maxBytes: number | null;
  /** A digest of the answer. */
  readonly answer: string;
}

export interface Recording {
  readonly host: Host;
  /** Every question so far, in order; null when something was done that no replay can stand for. */
  readonly questions: () => Promise<readonly Question[] | null>;
}

/** A host that notes each question and asks it once: a file that changes meanwhile is seen as it was at first. */
export function recordingHost(host: Host): Recording {
  const asked = new Map<string, { readonly question: Omit<Question, 'answer'>; readonly answer: Promise<unknown> }>();
  let replayable = true;
  const once = <T>(ask: Ask, path: string, maxBytes: number | null, answer: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify([ask, path, maxBytes]);
    const known = asked.get(key);
    if (known) return known.answer as Promise<T>;
    const given = answer();
    asked.set(key, { question: { ask, path, maxBytes }, answer: given });
    return given;
  };
  const unrecorded = <A extends readonly unknown[], T>(action: (...args: A) => T) => {
    return (...args: A): T => {
      replayable = false;
      return action(...args);
    };
  };
  const readText: Host['readText'] = (path, options) =>
    once('readText', path, options?.maxBytes ?? null, () => host.readText(path, options));
  const list: Host['list'] = (path) => once('list', path, null, () => host.list(path));
  const kindOf: Host['kindOf'] = (path) => once('kindOf', path, null, () => host.kindOf(path));
  const isSharedByUsers: Host['isSharedByUsers'] = (path) =>
    once('isSharedByUsers', path, null, () => host.isSharedByUsers(path));
  const realPath: Host['realPath'] = (path) => once('realPath', path, null, () => host.realPath(path));
  const ask = { readText, list, kindOf, isSharedByUsers, realPath };
  return {
    host: {
      ...host,
      ...ask,
      asked: (question, path) => void ask[question](path),
      readBytes: unrecorded(host.readBytes),
      readChunks: unrecorded(host.readChunks),
      writeFileAtomic: unrecorded(host.writeFileAtomic),
      createFile: unrecorded(host.createFile),
      rename: unrecorded(host.rename),
      remove: unrecorded(host.remove),
      removeEmptyFolder: unrecorded(host.removeEmptyFolder),
      monotonicMs: unrecorded(host.monotonicMs),
      posixSeconds: unrecorded(host.posixSeconds),
    },
    questions: async () => {
      const all = [...asked.values()].map(async ({ question, answer }) => ({
        ...question,
        answer: digestOf(await answer),
      }));
      const questions = await Promise.all(all);
      return replayable ? questions : null;
    },
  };
}

/** Asks every question again. The texts read, by path, when each answer is what it was; null when one is not. */
export async function replay(host: Host, questions: readonly Question[]): Promise<ReadonlyMap<string, string> | null> {
  const texts = new Map<string, string>();
  const batch = 32;
  for (let i = 0; i < questions.length; i += batch) {
    const same = await Promise.all(questions.slice(i, i + batch).map((question) => asBefore(host, question, texts)));
    if (same.includes(false)) return null;
  }
  return texts;
}

async function asBefore(host: Host, question: Question, texts: Map<string, string>): Promise<boolean> {
  const answer = await askAgain(host, question);
  if (question.ask === 'readText' && typeof answer === 'object' && answer.ok && typeof answer.value === 'string')
    texts.set(question.path, answer.value);
  return digestOf(answer) === question.answer;
}

function askAgain(host: Host, { ask, path, maxBytes }: Question) {
  if (ask === 'readText') return host.readText(path, maxBytes === null ? {} : { maxBytes });
  return host[ask](path);
}

function digestOf(answer: unknown): string {
  return sha256(JSON.stringify(answer));
}

/** In lower-case hexadecimal. Native, since it is taken of every text that is read. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function isQuestion(value: unknown): value is Question {
  if (typeof value !== 'object' || value === null) return false;
  const { ask, path, maxBytes, answer } = value as Readonly<Record<string, unknown>>;
  return (
    asking.some((known) => known === ask) &&
    typeof path === 'string' &&
    (maxBytes === null || typeof maxBytes === 'number') &&
    typeof answer === 'string'
  );
}
