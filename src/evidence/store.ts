/**
 * The receipts and failing cases of a project, as files under `.pv/`. Untrusted records are reported and never used.
 */
import { resolve } from 'node:path';
import { err } from '../base/result.ts';
import { diagnostic, type Diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import { projectFiles, type ProjectFiles } from '../host/project-files.ts';
import type { FileProblem, Host } from '../host/host.ts';
import { portable, whyChanged } from '../host/inputs/input.ts';
import { readFailures, rememberFailure, writeFailures } from './failures.ts';
import { readReceipt, writeReceipt } from './read-receipt.ts';
import type { Receipt, RecordedInput } from './receipt.ts';
import { readScans, writeScans, type Scan } from './scan.ts';
import { checkOfFile, failurePath, receiptPath, receiptsDirectory, scansPath } from './store-path.ts';
import { distrust, splitSeal, withSeal, type Trust } from './trust.ts';
import { inOne } from './unused-receipts.ts';

/** Reads and writes receipts; none of its methods throws for what is in a file. */
export interface EvidenceStore {
  /** The receipt of a check; null if there is none or it is not to be trusted (then with a diagnostic). */
  readonly read: (check: string) => Promise<Staged<Receipt | null>>;
  /** Every trusted receipt that is not outdated, sorted by check. */
  readonly readAll: () => Promise<StoredReceipts>;
  /** Durable when it returns. PV-6006 if the file cannot be written. */
  readonly write: (receipt: Receipt) => Promise<Staged<boolean>>;
  /** Removes the receipts of these checks; returns the removed checks. */
  readonly remove: (checks: readonly string[]) => Promise<Staged<readonly string[]>>;
  /** Inputs that once failed the goal, newest first; they are replayed before anything else. */
  readonly failures: (goal: string) => Promise<Staged<readonly RecordedInput[]>>;
  /** False, without writing, if the known ones cannot be read (PV-6005). */
  readonly addFailure: (goal: string, input: RecordedInput) => Promise<Staged<boolean>>;
  /** The ranges of inputs that a check has run so far; none if they are not trusted. */
  readonly scans: (check: string) => Promise<readonly Scan[]>;
  /** Replaces them. PV-6006 if the file cannot be written. */
  readonly writeScans: (check: string, scans: readonly Scan[]) => Promise<Staged<boolean>>;
  /** For a finished check: its receipt has everything. */
  readonly removeScans: (check: string) => Promise<void>;
}

interface StoredReceipts extends Staged<readonly Receipt[]> {
  /** Why receipts are intact but unusable: what their checks read has changed, or may have. */
  readonly changed: ReadonlyMap<string, string>;
}

/** The store of the project at `root` (relative to the host's root or absolute). */
export function createStore(host: Host, root: string, trust: Trust): EvidenceStore {
  const files = projectFiles(host, root);
  const shelf: Shelf = { files, trust, root: resolve(host.root, root) };
  const read: EvidenceStore['read'] = async (check) => {
    const { value, diagnostics } = await readOne(shelf, check);
    return { value: value?.changed === null ? value.receipt : null, diagnostics };
  };
  const readAll: EvidenceStore['readAll'] = async () => {
    const listed = await listChecks(host, files);
    // Many receipts depend on the same files.
    const answers = new Map<string, string>();
    const ask: Trust['ask'] = (question) => {
      const key = `${question.kind} ${question.name}`;
      const answer = answers.get(key) ?? trust.ask(question);
      answers.set(key, answer);
      return answer;
    };
    const receipts = await inBatches(listed.value, (check) => readOne({ ...shelf, trust: { ...trust, ask } }, check));
    const found = receipts.flatMap(({ value }) => value ?? []);
    return {
      value: found.flatMap(({ receipt, changed }) => (changed === null ? [receipt] : [])),
      changed: new Map(found.flatMap(({ receipt, changed }) => (changed === null ? [] : [[receipt.check, changed]]))),
      diagnostics: [
        ...listed.diagnostics,
        ...inOne(
          receipts.flatMap(({ diagnostics }) => diagnostics),
          receiptsDirectory,
        ),
      ],
    };
  };
  const failures: EvidenceStore['failures'] = (goal) => readFailuresOf(files, goal);
  const addFailure: EvidenceStore['addFailure'] = async (goal, input) => {
    const known = await failures(goal);
    // A file that cannot be read may hold cases that are nowhere else.
    if (known.diagnostics.length > 0) return { value: false, diagnostics: known.diagnostics };
    const written = await writeOne(
      files,
      failurePath(goal),
      goal,
      writeFailures(goal, rememberFailure(known.value, input)),
    );
    return written;
  };
  // One at a time: two checks of a goal may fail at once, and neither case may be lost.
  let lastFailure: Promise<unknown> = Promise.resolve();
  return {
    read,
    readAll,
    failures,
    write: (receipt) =>
      writeOne(
        files,
        receiptPath(receipt.check),
        receipt.check,
        withSeal(trust, writeReceipt(atHome(receipt, shelf.root))),
      ),
    remove: (checks) => removeAll(files, checks),
    scans: async (check) => {
      const path = scansPath(check);
      if (path === null) return [];
      const text = await files.read(path);
      if (!text.ok) return [];
      const given = splitSeal(text.value);
      return distrust(trust, path, given) === null ? readScans(given.body, check) : [];
    },
    writeScans: (check, scans) => writeOne(files, scansPath(check), check, withSeal(trust, writeScans(check, scans))),
    removeScans: async (check) => {
      const path = scansPath(check);
      if (path !== null) await files.remove(path);
    },
    addFailure: (goal, input) => {
      const added = lastFailure.then(() => addFailure(goal, input));
      lastFailure = added.catch(() => undefined);
      return added;
    },
  };
}

/** Enough to keep the disk busy, too few to run out of file handles. */
const batchSize = 64;

async function inBatches<T, U>(items: readonly T[], action: (item: T) => Promise<U>): Promise<U[]> {
  const results: U[] = [];
  for (let i = 0; i < items.length; i += batchSize)
    results.push(...(await Promise.all(items.slice(i, i + batchSize).map(action))));
  return results;
}

interface Shelf {
  readonly files: ProjectFiles;
  readonly trust: Trust;
  /** Absolute. */
  readonly root: string;
}

/** With the paths of its inputs relative to `root`. */
function atHome(receipt: Receipt, root: string): Receipt {
  return receipt.inputs ? { ...receipt, inputs: portable(receipt.inputs, root) } : receipt;
}

/** A trusted receipt, and why it may be outdated. */
interface Found {
  readonly receipt: Receipt;
  readonly changed: string | null;
}

async function readOne({ files, trust, root }: Shelf, check: string): Promise<Staged<Found | null>> {
  const path = receiptPath(check);
  if (path === null) return { value: null, diagnostics: [] };
  const text = await files.read(path);
  if (!text.ok)
    return { value: null, diagnostics: text.error.kind === 'missing' ? [] : [unreadable(path, text.error)] };
  const given = splitSeal(text.value);
  const receipt = readReceipt(given.body, path, check);
  if (!receipt.ok) return { value: null, diagnostics: [receipt.error] };
  const problem = distrust(trust, path, given);
  if (problem) return { value: null, diagnostics: [problem] };
  const { inputs } = receipt.value;
  const changed = inputs === undefined ? null : whyChanged(inputs, root, trust.ask);
  return { value: { receipt: receipt.value, changed }, diagnostics: [] };
}

async function writeOne(
  files: ProjectFiles,
  path: string | null,
  subject: string,
  text: string,
): Promise<Staged<boolean>> {
  const written = path === null ? err({ message: 'its check is not a sha256 digest' }) : await files.write(path, text);
  if (written.ok) return { value: true, diagnostics: [] };
  const message = `the evidence of ${subject} could not be written: ${written.error.message}`;
  return { value: false, diagnostics: [diagnostic('PV-6006', null, message, { subject: path ?? subject })] };
}

async function readFailuresOf(files: ProjectFiles, goal: string): Promise<Staged<readonly RecordedInput[]>> {
  const path = failurePath(goal);
  const text = await files.read(path);
  if (text.ok) return readFailures(text.value, path, goal);
  return { value: [], diagnostics: text.error.kind === 'missing' ? [] : [unreadable(path, text.error)] };
}

async function listChecks(host: Host, files: ProjectFiles): Promise<Staged<readonly string[]>> {
  const root = await files.absolute(receiptsDirectory);
  const folders = root.ok ? await host.list(root.value) : root;
  if (!folders.ok)
    return {
      value: [],
      diagnostics: folders.error.kind === 'missing' ? [] : [unreadable(receiptsDirectory, folders.error)],
    };
  const checks: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const folder of folders.value.filter(({ kind }) => kind === 'directory')) {
    const path = `${receiptsDirectory}/${folder.name}`;
    const found = await files.absolute(path);
    const names = found.ok ? await host.list(found.value) : found;
    if (names.ok) checks.push(...names.value.flatMap(({ name }) => checkOfFile(folder.name, name) ?? []));
    else diagnostics.push(unreadable(path, names.error));
  }
  return { value: checks.sort(), diagnostics };
}

async function removeAll(files: ProjectFiles, checks: readonly string[]): Promise<Staged<readonly string[]>> {
  const outcomes = await inBatches(checks, async (check) => {
    const path = receiptPath(check) ?? check;
    return { check, path, outcome: await files.remove(path) };
  });
  return {
    value: outcomes.flatMap(({ check, outcome }) => (outcome.ok ? [check] : [])),
    diagnostics: outcomes.flatMap(({ path, outcome }) => (outcome.ok ? [] : [unreadable(path, outcome.error)])),
  };
}

function unreadable(path: string, problem: FileProblem): Diagnostic {
  return diagnostic('PV-6007', null, `stored evidence cannot be used: ${path} ${problem.message}`, {
    subject: path,
  });
}
