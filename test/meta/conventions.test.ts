import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/base/version.ts';
import { repositoryRoot } from '../support/built.ts';

/** Tracked and new files; a clean clone has the first, work in progress both. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '');
const sources = files.filter((path) => /^src\/.*\.ts$/.test(path) && !/generated/.test(path));
const read = (path: string) => readFile(`${repositoryRoot}${path}`, 'utf8').catch(() => '');

/** The value below which `share` of the sorted numbers lie. */
function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(share * (numbers.length - 1))] ?? 0;
}

describe('the source tree', () => {
  it('names files in kebab-case and for what they hold', () => {
    const names = sources.map((path) => path.slice('src/'.length));
    const odd = names.filter(
      (name) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.(worker|d))?\.ts$/.test(name),
    );
    expect(odd).toEqual([]);
    expect(names.filter((name) => /(^|[/-])(utils?|helpers?|common|misc|manager)([/.-]|$)/.test(name))).toEqual([]);
  });

  it('keeps files small: median at most 70 lines that are not blank, 95 of 100 at most 300, none above 600', async () => {
    const lengths = await Promise.all(
      sources.map(async (path) => (await read(path)).split('\n').filter((line) => line.trim() !== '').length),
    );
    expect(quantile(lengths, 0.5)).toBeLessThanOrEqual(70);
    expect(quantile(lengths, 0.95)).toBeLessThanOrEqual(300);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(600);
  });

  it('holds nothing unfinished and nothing that only works by accident', async () => {
    const forbidden =
      /\b(TODO|FIXME|XXX|HACK)\b|Math\.random\(|Date\.now\(|new Date\(\)|new Function\(|\beval\(|@ts-ignore|@ts-expect-error/;
    const found = await Promise.all(sources.map(async (path) => (forbidden.test(await read(path)) ? [path] : [])));
    // The host is where time comes from.
    expect(found.flat()).toEqual(['src/host/node-host.ts']);
  });

  it('writes through projectFiles, except to paths that a person names and folders that no project can link to', async () => {
    const direct = new Set([
      'src/host/project-files.ts', // the one way
      'src/real-proofs/check-proof.ts', // into a folder that pv prove has found inside the project, or that was named
      'src/cli/commands/adopt.ts', // where --out and --write-baseline say
      'src/cli/adopt/write-patch.ts', // where --patch says; a new file
      'src/cli/html/write-page.ts', // where --html says
      'src/cli/prove/remove-folder.ts', // that folder again; links are removed, not followed
      'src/api/seal.ts', // the user's own folder
      'src/cli/trace/lock.ts', // beside a key that a person names; made only where nothing stands
      'src/cli/trace/output-file.ts', // --out
      'src/cli/trace/trace-output.ts', // --out
      'src/cli/train/run-folder.ts', // --out, a folder that is new or empty
      'src/cli/train/run-train.ts', // into that folder
      'src/cli/train/run-resume.ts', // the same, in a run that a person names; refuses links in it
      'src/cli/train/run-compact.ts', // into the folder of a run that a person names; never over a file
      'src/host/write-synced.ts', // for those below
      'src/checkpoint/store/writer.ts', // a folder of checkpoints that the caller names; links in it are replaced, not followed
      'src/checkpoint/store/lock.ts', // the same
      'src/checkpoint/store/prepare-folder.ts', // the same
      'src/checkpoint/store/remove-folder.ts', // the same
      'src/checkpoint/subjects/store.ts', // in memory
      'src/checkpoint/seal/seal.ts', // pv checkpoint seal PATH; a link in the place of the manifest is replaced, not followed
      'src/federated/log/event-log.ts', // a node's own folder, named by its operator
      'src/cli/fed/run-submit.ts', // the same
      'src/federated/node/adapter-folder.ts', // the same; so are the names
      'src/federated/store/blobs.ts', // the same; names are SHA-256 in hexadecimal
      'src/federated/secure/client-record.ts', // the same folder
      'src/federated/demo/demo-node.ts', // --out, a new folder
      'src/federated/demo/demo-round.ts', // the same
      'src/trace/record/file-sink.ts', // a recorder's own file, named by its caller
      'src/trace/format/pack-journal.ts', // beside that file
      'src/checkpoint/subjects/store.ts', // in memory
      'src/trace/subjects/costs.ts', // in memory
    ]);
    const writing = /\b(writeFileAtomic|createFile)\b|[hH]ost\.(rename|remove|removeEmptyFolder)\(|\bperform\(/;
    const found = await Promise.all(
      sources
        .filter((path) => !/^src\/host\/(node-host|node-operations|memory-host|host)\.ts$/.test(path))
        .map(async (path) => (writing.test(await read(path)) ? [path] : [])),
    );
    expect(new Set(found.flat())).toEqual(direct);
  });

  it('skips no test', async () => {
    const tests = files.filter(
      (path) => path.startsWith('test/') && path.endsWith('.test.ts') && !path.endsWith('conventions.test.ts'),
    );
    const skipping = /\b(it|test|describe)\.(skip|only|todo|fails)\b|\b(xit|xdescribe)\(/;
    const found = await Promise.all(tests.map(async (path) => (skipping.test(await read(path)) ? [path] : [])));
    expect(found.flat()).toEqual([]);
  });
});

describe('the package', () => {
  it('has one version', async () => {
    const manifest = JSON.parse(await read('package.json'));
    expect(manifest.version).toBe(version);
    expect(await read('CHANGELOG.md')).toContain(`## ${version}`);
  });

  it('has a lockfile that npm ci accepts on every platform', async () => {
    // npm leaves packages of other platforms out when it cannot fetch them, and then refuses its own file.
    const { packages } = JSON.parse(await read('package-lock.json'));
    const missing = Object.entries<{ readonly optionalDependencies?: object }>(packages).flatMap(([path, entry]) =>
      Object.keys(entry.optionalDependencies ?? {}).filter(
        (name) => !(`node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('pins every dependency exactly', async () => {
    const { dependencies, devDependencies } = JSON.parse(await read('package.json'));
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, range]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(String(range)),
    );
    expect(loose).toEqual([]);
  });
});
