/** Where a node's training text comes from. A node passes one to training; nothing else reads its data. */
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import { quoted } from '../../base/text.ts';
import type { Host } from '../../host/host.ts';

/** A source of private text. */
export interface TrainingDataProvider {
  /** The kind of source, which the participant reports; never its content. */
  readonly kind: 'file' | 'chat-history' | 'knowledge-base';
  /** The texts to train on, each on its own; PV-8681 if there are none or they cannot be read. */
  readonly texts: () => Promise<Result<readonly string[], Problem>>;
}

/** A text file that the operator chose. */
export const customFileProvider = (host: Host, path: string): TrainingDataProvider => ({
  kind: 'file',
  async texts() {
    const read = await host.readText(path);
    if (!read.ok) return unusable(path, read.error.message);
    return read.value.trim() === '' ? unusable(path, 'it is empty') : ok([read.value]);
  },
});

/**
 * Turns of a chat, a JSON object per line: `{"text": "…", "consent": true}`. Turns without `"consent": true` are left out. E-mail
 * addresses, links, and numbers of six digits or more are replaced; names are not recognised.
 */
export const chatHistoryProvider = (host: Host, path: string): TrainingDataProvider => ({
  kind: 'chat-history',
  async texts() {
    const read = await host.readText(path);
    if (!read.ok) return unusable(path, read.error.message);
    const texts: string[] = [];
    for (const [i, line] of read.value.split('\n').entries()) {
      if (line.trim() === '') continue;
      const turn = parseStrictJson(line, `line ${i + 1}`);
      if (!turn.ok) return unusable(path, turn.error);
      if (typeof turn.value !== 'object' || turn.value === null || !('text' in turn.value))
        return unusable(path, `line ${i + 1} is not an object with the key text`);
      const { text } = turn.value;
      if (typeof text !== 'string') return unusable(path, `text in line ${i + 1} is not a string`);
      if ('consent' in turn.value && turn.value.consent === true) texts.push(redacted(text));
    }
    return texts.length === 0 ? unusable(path, 'no turn has "consent": true') : ok(texts);
  },
});

/**
 * Documents of a knowledge base: the `.md` and `.txt` files of a folder whose first lines are front matter with `training: true`.
 * Folders below it and links are not read.
 */
export const knowledgeBaseProvider = (host: Host, folder: string): TrainingDataProvider => ({
  kind: 'knowledge-base',
  async texts() {
    const listed = await host.list(folder);
    if (!listed.ok) return unusable(folder, listed.error.message);
    const texts: string[] = [];
    for (const { name, kind } of listed.value) {
      if (kind !== 'file' || !/\.(md|txt)$/.test(name)) continue;
      const path = `${folder}/${name}`;
      const read = await host.readText(path);
      if (!read.ok) return unusable(path, read.error.message);
      const [matter, header = '', body = ''] = /^---\r?\n(.*?)\r?\n---\r?\n(.*)$/s.exec(read.value) ?? [];
      if (matter !== undefined && /^training:[ \t]*true[ \t]*\r?$/m.test(header)) texts.push(body);
    }
    return texts.length === 0 ? unusable(folder, 'no document has training: true in its front matter') : ok(texts);
  },
});

/** A text without the e-mail addresses, links and long numbers in it. */
export const redacted = (text: string): string =>
  text
    .replace(/\bhttps?:\/\/\S+/gi, '[link]')
    .replace(/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, '[e-mail]')
    .replace(/\+?\d(?:[ ./()-]{0,2}\d){5,}/g, '[number]');

const unusable = (path: string, why: string): Result<never, Problem> =>
  wrong('PV-8681', 'training data', `${quoted(path)} cannot be used for training: ${why}.`);
