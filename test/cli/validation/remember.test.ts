import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { err } from '../../../src/base/result.ts';
import { findingsAsJson } from '../../../src/cli/findings/json.ts';
import { findingsAsText, summaryText } from '../../../src/cli/findings/text.ts';
import { analyse } from '../../../src/cli/validation/analysis.ts';
import { answerForm } from '../../../src/cli/validation/answer-record.ts';
import { remembered, type Request } from '../../../src/cli/validation/remember.ts';
import { sealed } from '../../../src/host/seal.ts';
import type { Host } from '../../../src/host/host.ts';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { memoryCli } from '../../support/memory-cli.ts';

const contract = (name: string) => readFile(new URL(`../../../contracts/${name}.yaml`, import.meta.url), 'utf8');
const softmax = await contract('softmax-kernel-v1');
const wrong = softmax
  .replace('type: invariant', 'type: invarient')
  .replace('metadata:', 'metadata:\n  depends_on: [b]');
const base: Request = { command: 'validate', build: 'pv 1', types: true, paths: ['contracts'], seal: 'mine' };
const files = { 'contracts/a.yaml': wrong, 'contracts/c.yaml': softmax };

/** What a run prints, and whether it had to analyse anything. */
async function run(host: Host, request: Request = base) {
  let analysed = 0;
  const answer = await remembered(host, request, answerForm, (seen: Host) => {
    analysed += 1;
    return analyse(memoryCli({ host: seen }).cli, request.paths, request.types);
  });
  const printed = [findingsAsText(answer, null), summaryText(answer.summary), findingsAsJson(answer)].join('\n');
  return { analysed, printed };
}

/** What a run prints that knows no cache. */
async function fresh(host: MemoryHost, request: Request = base): Promise<string> {
  const copy = createMemoryHost();
  for (const [path, content] of host.files) if (!path.includes('/.pv/')) copy.files.set(path, content);
  return (await run(copy, request)).printed;
}

const cacheFiles = (host: MemoryHost) => [...host.files.keys()].filter((path) => path.includes('/.pv/cache/validate-'));

describe('a remembered answer', () => {
  it('is byte for byte what the analysis says, places and frames included', async () => {
    const host = createMemoryHost(files);
    const first = await run(host);
    const second = await run(host);
    expect([first.analysed, second.analysed]).toEqual([1, 0]);
    expect(second.printed).toBe(first.printed);
    expect(first.printed).toContain('invarient');
    expect(first.printed).toContain("There is no contract 'b'");
  });

  it.each<[string, (host: MemoryHost) => void]>([
    ['a file changes', (host) => void host.writeFileAtomic('contracts/c.yaml', wrong)],
    ['one character of it changes', (host) => void host.writeFileAtomic('contracts/c.yaml', `${softmax} `)],
    ['a file comes', (host) => void host.writeFileAtomic('contracts/b.yaml', softmax)],
    ['a file goes', (host) => void host.remove('contracts/a.yaml')],
    [
      'a file takes the name of another',
      (host) => {
        void host.writeFileAtomic('contracts/d.yaml', softmax);
        void host.remove('contracts/c.yaml');
      },
    ],
  ])('is not given when %s', async (_what, change) => {
    const host = createMemoryHost(files);
    await run(host);
    change(host);
    const after = await run(host);
    expect(after.analysed).toBe(1);
    expect(after.printed).toBe(await fresh(host));
  });

  it('is not given when a contract that is only depended on comes, changes or goes', async () => {
    const host = createMemoryHost(files);
    const request = { ...base, paths: ['contracts/a.yaml'] };
    await run(host, request);
    for (const text of [softmax, wrong, null]) {
      if (text === null) await host.remove('contracts/b.yaml');
      else await host.writeFileAtomic('contracts/b.yaml', text);
      const after = await run(host, request);
      expect(after.analysed).toBe(1);
      expect(after.printed).toBe(await fresh(host, request));
      expect((await run(host, request)).analysed).toBe(0);
    }
  });

  it.each<[string, Request]>([
    ['another build', { ...base, build: 'pv 2' }],
    ['a run without types', { ...base, types: false }],
    ['other paths', { ...base, paths: ['contracts/c.yaml'] }],
  ])('is not given to %s', async (_what, request) => {
    const host = createMemoryHost(files);
    await run(host);
    const other = await run(host, request);
    expect(other.analysed).toBe(1);
    expect(other.printed).toBe(await fresh(host, request));
  });

  it('is not made of a run that could not read everything', async () => {
    const host = createMemoryHost(files);
    const request = { ...base, paths: ['contracts', 'nowhere'] };
    expect((await run(host, request)).analysed).toBe(1);
    expect((await run(host, request)).analysed).toBe(1);
    expect(cacheFiles(host)).toEqual([]);
  });

  it('shows a file as it was first read when it changes during the run', async () => {
    const host = createMemoryHost(files);
    let reads = 0;
    const moving: Host = {
      ...host,
      readText: (path, options) => {
        if (path === 'contracts/c.yaml' && reads++ > 0) return host.readText('contracts/a.yaml', options);
        return host.readText(path, options);
      },
    };
    const request = { ...base, paths: ['contracts/c.yaml'] };
    await remembered(moving, request, answerForm, async (seen: Host) => {
      await seen.readText('contracts/c.yaml');
      return analyse(memoryCli({ host: seen }).cli, request.paths, true);
    });
    // The entry rests on the first text, and the file now says otherwise.
    expect((await run(moving, request)).analysed).toBe(1);
  });
});

describe('the file of a cache', () => {
  async function stored(): Promise<{ readonly host: MemoryHost; readonly path: string; readonly text: string }> {
    const host = createMemoryHost(files);
    await run(host);
    const [path = ''] = cacheFiles(host);
    return { host, path, text: new TextDecoder().decode(host.files.get(path)) };
  }
  const signed = (body: string, seal = base.seal): string => `${sealed(seal, body)}\n${body}`;
  const edited = (text: string, edit: (entry: Record<string, unknown>) => unknown): string =>
    signed(JSON.stringify(edit(JSON.parse(text.slice(text.indexOf('\n') + 1)))));
  const answerWith = (entry: Record<string, unknown>, change: Record<string, unknown>) => ({
    ...entry,
    answer: { ...(entry['answer'] as object), ...change },
  });

  it.each<[string, (text: string) => string]>([
    ['is empty', () => ''],
    ['is cut short', (text) => text.slice(0, -100)],
    ['was edited', (text) => text.replace('invarient', 'invariant')],
    ['lost its digest', (text) => text.slice(text.indexOf('\n') + 1)],
    ['is no JSON', () => signed('{"schema":')],
    ['is of another schema', (text) => edited(text, (entry) => ({ ...entry, schema: 'pv.validation/0' }))],
    ['answers another request', (text) => edited(text, (entry) => ({ ...entry, request: 'x' }))],
    ['has no questions', (text) => edited(text, (entry) => ({ ...entry, questions: undefined }))],
    ['has odd questions', (text) => edited(text, (entry) => ({ ...entry, questions: [{ ask: 'toString' }] }))],
    ['has no answer', (text) => edited(text, (entry) => ({ ...entry, answer: null }))],
    ['has no findings', (text) => edited(text, (entry) => answerWith(entry, { diagnostics: null }))],
    ['has odd findings', (text) => edited(text, (entry) => answerWith(entry, { diagnostics: [{ code: 'toString' }] }))],
    ['has no summary', (text) => edited(text, (entry) => answerWith(entry, { summary: { files: 'two' } }))],
    ['is null', () => signed('null')],
    ['is the work of somebody else', (text) => signed(text.slice(text.indexOf('\n') + 1), 'theirs')],
    ['is half a megabyte of brackets', () => signed('['.repeat(500_000))],
    ['is no text', () => '\uFFFD\0'.repeat(1000)],
  ])('is ignored when it %s', async (_what, tamper) => {
    const { host, path, text } = await stored();
    await host.writeFileAtomic(path, tamper(text));
    const after = await run(host);
    expect(after.analysed).toBe(1);
    expect(after.printed).toBe(await fresh(host));
    expect((await run(host)).analysed).toBe(0);
  });

  it('is overwritten by later answers to the same request, and is never large', async () => {
    const { host } = await stored();
    for (let i = 0; i < 5; i++) {
      await host.writeFileAtomic('contracts/c.yaml', `${softmax}# ${i}\n`);
      await run(host);
    }
    expect(cacheFiles(host)).toHaveLength(1);
    for (let i = 0; i < 200; i++)
      await run(host, { ...base, build: `pv ${i}`, types: false, paths: ['contracts/c.yaml'] });
    expect(cacheFiles(host).length).toBeLessThanOrEqual(64);
  });

  it('says nothing to whom it was not sealed for, whatever it says', async () => {
    const { host, path, text } = await stored();
    const forged = edited(text, (entry) => answerWith(entry, { diagnostics: [] }));
    await host.writeFileAtomic(path, signed(forged.slice(forged.indexOf('\n') + 1), 'theirs'));
    expect((await run(host)).printed).toBe(await fresh(host));
  });

  it('is hidden from version control', async () => {
    const { host } = await stored();
    expect(new TextDecoder().decode(host.files.get('/project/.pv/cache/.gitignore'))).toBe('*\n');
  });

  it('is done without where nothing can be written', async () => {
    const host = createMemoryHost(files);
    const readOnly: Host = {
      ...host,
      writeFileAtomic: async (path) => err({ kind: 'denied', path, message: 'permission denied' } as const),
    };
    const first = await run(readOnly);
    expect(first.printed).toBe((await run(readOnly)).printed);
    expect(cacheFiles(host)).toEqual([]);
  });
});
