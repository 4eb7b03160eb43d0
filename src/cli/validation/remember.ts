/**
 * What commands make of contracts, remembered under `.pv/cache/` and used again while the world is as it was: the answer
 * of `pv validate`, the contracts that `pv check` evaluates, and the project that `pv verify` judges.
 *
 * An answer holds for one build of pv, one command line and the answers that the host gave; all three are compared
 * before it is used. An answer is sealed with a secret of the user: one that came with the project is none.
 * A cache that cannot be read or written is no cache: nothing fails for want of it.
 */
import type { Host } from '../../host/host.ts';
import { projectFiles } from '../../host/project-files.ts';
import { isQuestion, recordingHost, replay, sha256, type Question } from './recording-host.ts';
import { isSealed, sealed } from '../../host/seal.ts';

/** What was asked of pv: with the same build the same request about the same files has the same answer. */
export interface Request {
  readonly command: 'validate' | 'check' | 'audit';
  /** Names the code that answers: of two builds that could differ in any answer, the names differ. */
  readonly build: string;
  readonly types: boolean;
  readonly paths: readonly string[];
  /** The user's secret. */
  readonly seal: string;
}

const folder = '.pv/cache';
const schema = 'pv.remembered/1';

/** How an answer is written down and read back. */
export interface Form<T, A> {
  /** A request has one place, which later answers to it overwrite: at most this many files are kept of a command. */
  readonly slots: number;
  /** A larger answer is not kept. */
  readonly maxBytes: number;
  /** Plain data; null for an answer that cannot be written down. */
  readonly record: (answer: T) => unknown;
  /** The answer that a record says, given the texts that were read; null when it says none. */
  readonly restore: (record: unknown, texts: ReadonlyMap<string, string>) => A | null | Promise<A | null>;
}

interface Entry {
  readonly schema: typeof schema;
  readonly request: string;
  readonly questions: readonly Question[];
  /** As its form writes it. */
  readonly answer: unknown;
}

/** The remembered answer when there is one and it still holds; else what `analyse` finds, which is then remembered. */
export async function remembered<T extends { readonly complete: boolean }, A extends object>(
  host: Host,
  request: Request,
  form: Form<NoInfer<T>, A>,
  analyse: (host: Host) => Promise<T>,
): Promise<T | (A & { readonly complete: true })> {
  const known = await recall(host, request, form);
  if (known) return { ...known, complete: true };
  const recording = recordingHost(host);
  const answer = await analyse(recording.host);
  const questions = answer.complete ? await recording.questions() : null;
  const record = questions && form.record(answer);
  if (questions && record !== null)
    await store(host, request, form, { schema, request: nameOf(request), questions, answer: record });
  return answer;
}

function nameOf({ command, build, types, paths }: Request): string {
  return JSON.stringify([command, build, types, paths]);
}

type Room = Pick<Form<never, never>, 'slots' | 'maxBytes'>;

/** Room for many answers of kilobytes. */
export const roomForSmall: Room = { slots: 64, maxBytes: 8 * 1024 * 1024 };

function fileOf(request: Request, { slots }: Room): string {
  return `${folder}/${request.command}-${parseInt(sha256(nameOf(request)).slice(0, 8), 16) % slots}.json`;
}

async function recall<T, A>(host: Host, request: Request, form: Form<T, A>): Promise<A | null> {
  const name = nameOf(request);
  const text = await host.readText(fileOf(request, form), { maxBytes: form.maxBytes });
  const entry = text.ok ? readEntry(request.seal, text.value) : null;
  if (entry?.request !== name) return null;
  const texts = await replay(host, entry.questions);
  return texts && form.restore(entry.answer, texts);
}

/** Two lines: a seal, and the entry that it is the seal of. A file cut short, edited or sealed by others is no entry. */
function readEntry(seal: string, text: string): Entry | null {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (end < 0 || !isSealed(seal, body, text.slice(0, end))) return null;
  const entry = parse(body);
  return isEntry(entry) ? entry : null;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The answer itself is judged when it is restored. */
function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null || !('schema' in value) || value.schema !== schema) return false;
  return (
    'request' in value &&
    'answer' in value &&
    'questions' in value &&
    Array.isArray(value.questions) &&
    value.questions.every(isQuestion)
  );
}

async function store(host: Host, request: Request, room: Room, entry: Entry): Promise<void> {
  const body = JSON.stringify(entry);
  const text = `${sealed(request.seal, body)}\n${body}`;
  if (text.length > room.maxBytes) return;
  const files = projectFiles(host, '.');
  const ignore = `${folder}/.gitignore`;
  // Nobody should commit this folder, or be asked to.
  if ((await host.kindOf(ignore)) === 'missing' && !(await files.write(ignore, '*\n')).ok) return;
  await files.write(fileOf(request, room), text);
}
