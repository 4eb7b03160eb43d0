import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import {
  chatHistoryProvider,
  customFileProvider,
  knowledgeBaseProvider,
  redacted,
} from '../../../src/federated/train/providers.ts';

const problem = (message: string) => ({
  ok: false,
  error: { code: 'PV-8681', message: expect.stringContaining(message) },
});

describe('a file', () => {
  it('is one text, unless it is empty or missing', async () => {
    const host = createMemoryHost({ 'a.txt': 'hello', 'b.txt': ' \n' });
    expect(await customFileProvider(host, 'a.txt').texts()).toEqual({ ok: true, value: ['hello'] });
    expect(await customFileProvider(host, 'b.txt').texts()).toMatchObject(problem('it is empty'));
    expect(await customFileProvider(host, 'c.txt').texts()).toMatchObject(problem("'c.txt'"));
  });
});

describe('a chat history', () => {
  const chat = (...lines: string[]) =>
    chatHistoryProvider(createMemoryHost({ 'chat.jsonl': lines.join('\n') }), 'chat.jsonl').texts();

  it('gives the turns with consent, redacted', async () => {
    const turns = await chat(
      '{"author": "a", "text": "call +49 2821 12345", "consent": true}',
      '',
      '{"text": "private", "consent": false}',
      '{"text": "no word on it"}',
      '{"text": "nor this", "consent": "true"}',
    );
    expect(turns).toEqual({ ok: true, value: ['call [number]'] });
  });

  it.each([
    ['no consent at all', '{"text": "x"}', 'no turn'],
    ['a line that is not JSON', '{"text": ', 'line 1'],
    ['repeated keys', '{"text": "x", "consent": false, "consent": true}', 'repeated'],
    ['a line that is not an object', '7', 'line 1'],
    ['a text that is not a string', '{"text": 7, "consent": true}', 'not a string'],
  ])('is unusable with %s', async (_, line, why) => {
    expect(await chat(line)).toMatchObject(problem(why));
  });
});

describe('redaction', () => {
  it('replaces addresses, links and long numbers, and keeps years and prices', () => {
    expect(redacted('mail anna.b+x@post.example.org or see HTTPS://a.example/b?c=d, since 1998 for 12.50')).toBe(
      'mail [e-mail] or see [link] since 1998 for 12.50',
    );
    expect(redacted('IBAN DE02 1203 0000 0000 2020 51')).toBe('IBAN DE[number]');
  });

  it('takes time proportional to the text', () => {
    const started = process.cpuUsage().user;
    redacted(`${'a'.repeat(200_000)}${'1 '.repeat(100_000)}${'b.'.repeat(100_000)}@`);
    expect(process.cpuUsage().user - started).toBeLessThan(5e6);
  });
});

describe('a knowledge base', () => {
  it('gives the documents that are tagged for training', async () => {
    const host = createMemoryHost({
      'kb/a.md': '---\ntitle: A\ntraining: true\n---\nthe mill\n',
      'kb/b.md': '---\ntraining: false\n---\nsecret\n',
      'kb/c.md': 'training: true\nno front matter\n',
      'kb/d.txt': '---\r\ntraining: true\r\n---\r\nthe pond\r\n',
      'kb/e.json': '---\ntraining: true\n---\nnot a document\n',
      'kb/below/f.md': '---\ntraining: true\n---\nbelow\n',
      'none/a.md': 'x',
    });
    expect(await knowledgeBaseProvider(host, 'kb').texts()).toEqual({
      ok: true,
      value: ['the mill\n', 'the pond\r\n'],
    });
    expect(await knowledgeBaseProvider(host, 'none').texts()).toMatchObject(problem('no document'));
    expect(await knowledgeBaseProvider(host, 'missing').texts()).toMatchObject(problem("'missing'"));
  });
});
