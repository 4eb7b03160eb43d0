/**
 * What code reads is noted so that evidence stands for it: whatever can change what a function does is a closed input that differs
 * afterwards, or is named as open.
 *
 * Holds src/host/inputs/late-imports.ts.
 */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answerOf } from '../../../src/host/inputs/answer.ts';
import { portable, whyChanged, type Inputs } from '../../../src/host/inputs/input.ts';
import { importsWhileItRuns } from '../../../src/host/inputs/late-imports.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'pv-observe-')));
const watcher = join(scratch, 'watcher.mjs');
let folder = scratch;

beforeAll(async () => {
  const entry = `import { observe } from './src/host/inputs/observe.ts';
const observed = observe({ own: '/nowhere' });
const { run } = await import('data:text/javascript;base64,' + process.argv[2]);
await run();
process.stdout.write(JSON.stringify(observed()));`;
  await build({
    stdin: { contents: entry, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: watcher,
    logLevel: 'silent',
  });
});
beforeEach(() => {
  folder = mkdtempSync(join(scratch, 'case-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

type Env = Readonly<Record<string, string>>;
const env: Env = { PATH: process.env['PATH'] ?? '', HOME: '/nowhere', FACTOR: '2' };

/** What the code, a module that exports `run`, has read in `folder`, paths from there. */
function inputsOf(code: string): Inputs {
  const text = Buffer.from(code).toString('base64');
  const { status, stdout, stderr } = spawnSync(process.execPath, [watcher, text], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return portable(JSON.parse(stdout) as Inputs, folder);
}

const why = (inputs: Inputs, now: Env = env, from = folder): string | null =>
  whyChanged(inputs, from, (question) => (question.kind === 'place' ? from : answerOf(question, now)));

const fs = `import * as fs from 'node:fs'; import { readFileSync } from 'fs'; import { readFile } from 'fs/promises'; import { createRequire } from 'node:module';`;
const body = (text: string): string => `${fs} export async function run() { ${text} }`;

describe('a closed input', () => {
  it.each<[string, string, string | null, () => void]>([
    ['a file', body(`fs.readFileSync('a.json')`), 'a.json', () => put('a.json', '{"a": 3}')],
    ['a file by a name of its own', body(`readFileSync('a.json')`), 'a.json', () => put('a.json', '3')],
    [
      'a file by its URL',
      body(`readFileSync(new URL('file://' + process.cwd() + '/a.json'))`),
      'a.json',
      () => put('a.json', '3'),
    ],
    ['a file by its bytes', body(`readFileSync(Buffer.from('a.json'))`), 'a.json', () => put('a.json', '3')],
    ['a file through a promise', body(`await readFile('a.json')`), 'a.json', () => put('a.json', '3')],
    ['a file through fs.promises', body(`await fs.promises.readFile('a.json')`), 'a.json', () => put('a.json', '3')],
    ['a file that is opened', body(`fs.closeSync(fs.openSync('a.json', 'r'))`), 'a.json', () => put('a.json', '3')],
    ['a file handle', body(`await (await fs.promises.open('a.json')).close()`), 'a.json', () => put('a.json', '3')],
    [
      'a stream',
      body(`for await (const piece of fs.createReadStream('a.json')) void piece`),
      'a.json',
      () => put('a.json', '3'),
    ],
    [
      'a stream by its class',
      body(`for await (const piece of new fs.ReadStream('a.json')) void piece`),
      'a.json',
      () => put('a.json', '3'),
    ],
    [
      'a file when it is loaded',
      `${fs} const text = await readFile('a.json'); export const run = () => text;`,
      'a.json',
      () => put('a.json', '3'),
    ],
    [
      'a file through process',
      body(`process.getBuiltinModule('fs').readFileSync('a.json')`),
      'a.json',
      () => put('a.json', '3'),
    ],
    [
      'a file through an import',
      body(`(await import('node:' + 'fs')).readFileSync('a.json')`),
      'a.json',
      () => put('a.json', '3'),
    ],
    [
      'a file through require',
      body(`createRequire(process.cwd() + '/x.js')('node:fs').readFileSync('a.json')`),
      'a.json',
      () => put('a.json', '3'),
    ],
    [
      'data that is required',
      body(`createRequire(process.cwd() + '/x.js')('./a.json')`),
      'a.json',
      () => put('a.json', '3'),
    ],
    ['a file that is gone', body(`readFileSync('a.json')`), 'a.json', () => rmSync(join(folder, 'a.json'))],
    ['a file that was not there', body(`fs.existsSync('b.json')`), 'b.json', () => put('b.json', '')],
    [
      'a file that could not be read',
      body(`try { readFileSync('b.json') } catch {}`),
      'b.json',
      () => put('b.json', ''),
    ],
    [
      'a file below what was none',
      body(`fs.existsSync('a.json/b')`),
      'a.json/b',
      () => (rmSync(join(folder, 'a.json')), put('a.json/b', '')),
    ],
    ['the time of a file', body(`fs.statSync('a.json')`), 'a.json', () => utimesSync(join(folder, 'a.json'), 1, 1)],
    ['the files of a folder', body(`fs.readdirSync('.')`), '.', () => put('c', '')],
    ['a variable', body(`process.env.FACTOR`), null, () => undefined],
    [
      'a variable that was taken apart',
      `import { env } from 'node:process'; export const run = () => { const { FACTOR } = env; };`,
      null,
      () => undefined,
    ],
    ['a variable that is looked for', body(`'FACTOR' in process.env`), null, () => undefined],
    ['all variables', body(`Object.keys({ ...process.env })`), null, () => undefined],
  ])('%s holds until it changes', (_, code, name, change) => {
    put('a.json', '{"a": 2}');
    const inputs = inputsOf(code);
    expect(inputs.open).toEqual([]);
    put('unrelated/b.json', '');
    if (name !== '.') expect(why(inputs)).toBeNull();
    change();
    expect(why(inputs, name === null ? { ...env, FACTOR: '3' } : env)).toMatch(
      name === null ? /variable FACTOR|environment/ : `${name} changed since`,
    );
  });

  it.each<[string, string, string]>([
    ['a folder, entry by entry', `const d = fs.opendirSync('d'); d.readSync(); d.closeSync()`, 'd'],
    ['a folder, asked with a callback', `await promisify(fs.opendir)('d').then((d) => d.close())`, 'd'],
    ['a folder, asked with a promise', `for await (const entry of await fs.promises.opendir('d')) void entry`, 'd'],
    ['where a link leads', `fs.realpathSync('l')`, 'l'],
    ['where a link leads, as the system says', `fs.realpathSync.native('l')`, 'l'],
    ['where a link leads, with a callback', `await promisify(fs.realpath.native)('l')`, 'l'],
    ['where a link leads, with a promise', `await fs.promises.realpath('l')`, 'l'],
    ['what a link says', `fs.readlinkSync('l')`, 'l'],
    ['what a broken link says', `await fs.promises.readlink('broken')`, 'broken'],
    ['that there is no link', `try { fs.readlinkSync('later') } catch {}`, 'later'],
    ['that there is no entry', `fs.lstatSync('later', { throwIfNoEntry: false })`, 'later'],
    ['the size of a link', `await fs.promises.lstat('l')`, 'l'],
    ['the mode of a file', `fs.statSync('mode').mode`, 'mode'],
    ['the mode of a folder', `fs.statSync('sub').mode`, 'sub'],
    ['the mode of an open file', `const f = fs.openSync('mode'); fs.fstatSync(f).mode`, 'mode'],
    ['the mode of a file handle', `const f = await fs.promises.open('mode'); await f.stat(); await f.close()`, 'mode'],
    ['that a file cannot be run', `try { fs.accessSync('mode', fs.constants.X_OK) } catch {}`, 'mode'],
    ['that a file cannot be run, with a promise', `await fs.promises.access('mode', 1).catch(() => null)`, 'mode'],
    ['a file beside where a link leads', `readFileSync('l/../beside')`, 'l'],
    ['a file beside a folder that is moved away', `readFileSync('sub/../a.json')`, 'sub'],
    ['a file beside where a link leads, changed', `readFileSync('second/../beside')`, 'b/beside'],
    ['a blob', `await (await fs.openAsBlob('b/beside')).text()`, 'b/beside'],
  ])('that is %s holds until it changes', (_, code, name) => {
    for (const path of ['a.json', 'd/one', 'a/in/data', 'b/in/data', 'a/beside', 'b/beside', 'mode', 'sub/data'])
      put(path, '2');
    const at = (path: string): string => join(folder, path);
    symlinkSync('a/in', at('l'));
    symlinkSync('b/in', at('second'));
    symlinkSync('none', at('broken'));
    chmodSync(at('mode'), 0o644);
    const inputs = inputsOf(body(`const { promisify } = await import('node:util'); ${code}`));
    expect(inputs.open).toEqual([]);
    put('unrelated/b.json', '');
    for (const path of ['a/in/data', 'a.json', 'd/one']) put(path, '2');
    expect(why(inputs)).toBeNull();
    put('d/two', '');
    for (const path of ['l', 'broken']) rmSync(at(path));
    symlinkSync('b/in', at('l'));
    for (const path of ['broken', 'later']) symlinkSync('elsewhere', at(path));
    chmodSync(at('mode'), 0o755);
    chmodSync(at('sub'), 0o700);
    put('b/beside', '3');
    if (code.includes('sub/..')) rmSync(at('sub'), { recursive: true });
    expect(why(inputs)).toBe(`${name} changed since`);
  });

  it('is the content of an open file alone where nothing else is asked', () => {
    put('a.json', '2');
    const inputs = inputsOf(
      body(`const f = fs.openSync('a.json'); readFileSync(f); const h = await fs.promises.open('a.json');
        await h.readFile(); await h.close(); for await (const piece of fs.createReadStream('a.json')) void piece`),
    );
    put('a.json', '2');
    utimesSync(join(folder, 'a.json'), 1, 1);
    chmodSync(join(folder, 'a.json'), 0o755);
    expect(why(inputs)).toBeNull();
  });

  it('is where a link leads inside the project, wherever that has moved', () => {
    const moved = join(scratch, 'moved-links');
    put('a/data', '2');
    symlinkSync('a', join(folder, 'l'));
    const inputs = inputsOf(body(`fs.realpathSync('l/data'); fs.readlinkSync('l'); readFileSync('l/../a/data')`));
    mkdirSync(join(moved, 'a'), { recursive: true });
    writeFileSync(join(moved, 'a/data'), '2');
    symlinkSync('a', join(moved, 'l'));
    expect(why(inputs, env, moved)).toBeNull();
  });

  it('is the same where the project has moved to, and another where pv starts from another folder', () => {
    put('a.json', '2');
    const inputs = inputsOf(body(`readFileSync('a.json')`));
    const moved = join(scratch, 'moved');
    mkdirSync(moved);
    writeFileSync(join(moved, 'a.json'), '2');
    expect(why(inputs, env, moved)).toBeNull();
    expect(
      whyChanged(inputs, folder, (question) => (question.kind === 'place' ? moved : answerOf(question, env))),
    ).toBe('the folder that pv runs in changed since');
  });

  it('is what the environment held at first, whatever the code makes of it', () => {
    const inputs = inputsOf(body(`process.env.FACTOR = '9'; delete process.env.HOME; process.env.FACTOR`));
    expect(why(inputs)).toBeNull();
  });
});

describe('no answer represents', () => {
  it.each<[string, string, string]>([
    [
      'children',
      `import { execSync } from 'node:child_process'; export const run = () => execSync('echo 2');`,
      'child processes',
    ],
    [
      'children, through process',
      body(`process.getBuiltinModule('child_process').spawnSync('true')`),
      'child processes',
    ],
    ['the clock', body(`Date.now()`), 'the clock'],
    ['the clock as an object', body(`new Date()`), 'the clock'],
    ['the clock as text', body(`Date()`), 'the clock'],
    [
      'the clock of performance',
      `import { performance } from 'node:perf_hooks'; const { now } = performance; export const run = () => performance.now();`,
      'the clock',
    ],
    ['the clock of the process', body(`process.hrtime.bigint()`), 'the clock'],
    ['randomness', body(`const { random } = Math; random()`), 'randomness'],
    ['random bytes', `import { randomBytes } from 'crypto'; export const run = () => randomBytes(2);`, 'randomness'],
    [
      'random bytes by their old name',
      `import crypto from 'node:crypto'; export const run = () => crypto.pseudoRandomBytes(2);`,
      'randomness',
    ],
    ['random values', body(`crypto.getRandomValues(new Uint8Array(2))`), 'randomness'],
    [
      'threads',
      `import { Worker } from 'node:worker_threads'; export const run = () => void new Worker('0', { eval: true });`,
      'worker threads',
    ],
    [
      'contexts',
      `import vm from 'node:vm'; export const run = () => vm.runInNewContext('Math.random()');`,
      'contexts of node:vm',
    ],
    ['the insides of node', body(`process.binding('fs')`), 'the insides of node'],
    ['the network', body(`await fetch('data:,2')`), 'the network'],
    ['sockets', `import { createServer } from 'node:net'; export const run = () => createServer();`, 'the network'],
    [
      'names of hosts',
      `import dns from 'node:dns/promises'; export const run = () => dns.lookup('localhost');`,
      'the network',
    ],
    ['the machine', `import { cpus } from 'node:os'; export const run = () => cpus();`, 'the machine'],
    ['the memory', body(`process.memoryUsage()`), 'the machine'],
    ['the process', body(`process.pid`), 'the machine'],
    [
      'packages that are required',
      body(`createRequire(process.cwd() + '/x.js')('./a.cjs')`),
      'modules that it loads while it runs',
    ],
    [
      'packages that are looked for',
      body(`try { createRequire(process.cwd() + '/x.js').resolve('./later.cjs') } catch {}`),
      'modules that it loads while it runs',
    ],
    ['the mask of new files', body(`process.umask()`), 'the machine'],
    ['a stream that writes', body(`new fs.WriteStream('out').end('2')`), 'files that it writes'],
    [
      'the time that a handle sets',
      body(`const f = await fs.promises.open('a.cjs'); await f.utimes(1, 1); await f.close()`),
      'files that it writes',
    ],
    ['files that are written', body(`fs.mkdirSync('out')`), 'files that it writes'],
    [
      'a file that changes',
      body(`readFileSync('a.cjs'); createRequire(process.cwd() + '/x.js'); await fs.promises.appendFile('a.cjs', ' ')`),
      'a file that changes while it runs',
    ],
    ['devices', body(`fs.closeSync(fs.openSync('/dev/urandom', 'r'))`), 'the system’s devices'],
    ['native code', body(`try { process.dlopen({ exports: {} }, 'a.node') } catch {}`), 'native code'],
  ])('%s', (_, code, named) => {
    put('a.cjs', 'module.exports = 2;');
    const inputs = inputsOf(code);
    expect(inputs.open).toContain(named);
    expect(why(inputs)).toContain(`it used ${inputs.open.join(', ')}, so that it is never reused`);
  });

  it.each([
    ['import(name)', true],
    ['import ( `./${x}.js` )', true],
    ["new Function('name', 'return import(name)')", true],
    ['import("node:fs")', false],
    ["import('fs')", false],
    ['loader.import(name)', false],
    ['const important = (x) => x; important(2)', false],
  ])('what a bundle imports by itself: %s', (text, expected) => expect(importsWhileItRuns(text)).toBe(expected));
});

describe('a function of its arguments', () => {
  it.each([
    ['does arithmetic', body(`Math.exp(2); new Float32Array(3).map((x) => x + 1)`)],
    ['makes dates', body(`new Date(0).getTime(); Date.UTC(2000, 1); new Date(2000, 1) instanceof Date`)],
    [
      'hashes',
      `import { createHash } from 'node:crypto'; export const run = () => createHash('sha256').update('a').digest('hex');`,
    ],
    ['prints', body(`console.log = console.error; console.error('2'); process.stderr.write('2')`)],
    ['waits', body(`await new Promise((resolve) => setTimeout(resolve, 1))`)],
    [
      'asks for the platform',
      `import { platform } from 'node:os'; export const run = () => [platform(), process.platform, process.version];`,
    ],
    [
      'makes classes of those of node',
      `import { Agent } from 'node:http'; import { EventEmitter } from 'node:events'; export const run = () => { class A extends Agent {} return [new EventEmitter(), A]; };`,
    ],
    ['compiles WebAssembly', body(`new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))`)],
    ['asks node for its types, as lodash does', body(`process.binding('util')`)],
  ])('%s, and reads nothing', (_, code) => {
    const inputs = inputsOf(code);
    expect(inputs.open).toEqual([]);
    expect(inputs.closed.filter(({ kind }) => kind === 'file' || kind === 'folder' || kind === 'environment')).toEqual(
      [],
    );
    appendFileSync(join(folder, 'unrelated'), ' ');
    expect(why(inputs)).toBeNull();
  });
});
