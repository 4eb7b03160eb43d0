/** What is said of the verifier's own files: each check passes, fails, or says that it could not be made. */
import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../src/trace/format/trace.ts';
import { configDigest } from '../../../src/trace/model/config-digest.ts';
import { noFindings } from '../../../src/trace/verify/check.ts';
import { checkFiles, type ReplayFiles } from '../../../src/trace/verify/files.ts';
import { sourceOf } from '../../../src/trace/verify/source.ts';
import { model, otherModel, promptText, recorded, tokenizer } from './recorded.ts';

const trace = await recorded({ steps: 6 });
const own: ReplayFiles = { modelDigest: model.digest, config: model.config, tokenizer };
const encoded = tokenizer.encode(promptText);

function found(files: Partial<ReplayFiles>, changes: Partial<Manifest> = {}) {
  const findings = noFindings();
  const manifest = { ...trace.manifest, ...changes };
  checkFiles(sourceOf({ ...trace, manifest }), { ...own, ...files }, findings);
  return findings;
}
const outcomes = (files: Partial<ReplayFiles>, changes: Partial<Manifest> = {}): Record<string, string> =>
  Object.fromEntries(found(files, changes).checks.map(({ name, outcome }) => [name, outcome]));
const prompt = (tokens: readonly number[] | null, text: string | null): Partial<Manifest> => ({
  prompt: { tokens, text },
});

describe('the files of a replay', () => {
  it('are all compared where the trace names them', () => {
    const passed = ['model', 'model configuration', 'tokenizer', 'prompt'].map((name) => [name, 'passed']);
    expect(outcomes({})).toEqual(Object.fromEntries(passed));
    expect(found({}).checks[0]?.detail).toContain(model.digest);
  });

  it('are reported as not compared if the trace or the verifier has none', () => {
    const unnamed = { model: { name: 'a', digest: null }, tokenizer: { name: '', digest: null }, config: null };
    expect(outcomes({}, unnamed)).toEqual({ model: 'not checked', tokenizer: 'not checked', prompt: 'passed' });
    expect(outcomes({ tokenizer: null })).toMatchObject({ tokenizer: 'not checked', model: 'passed' });
    expect(outcomes({ tokenizer: null })).not.toHaveProperty('prompt');
  });

  it.each<[string, Partial<ReplayFiles>, Partial<Manifest>]>([
    ['model', { modelDigest: otherModel.digest }, {}],
    ['model configuration', { config: { ...model.config, layers: model.config.layers + 1 } }, {}],
    ['tokenizer', { tokenizer: { ...tokenizer, digest: otherModel.digest } }, {}],
    ['vocabulary', {}, { vocabSize: model.config.vocabSize + 1 }],
  ])('fail as the %s alone, with both sides in the problem', (check, files, changes) => {
    const { problems } = found(files, changes);
    expect(problems).toMatchObject([{ code: 'PV-8062', check }]);
    expect(problems[0]?.expected).not.toBe(problems[0]?.actual);
  });

  it('fail with the name that the trace gives them, where it gives one', () => {
    const messageOf = (name: string): string | undefined =>
      found({}, { model: { name, digest: configDigest(model.config) } }).problems[0]?.message;
    expect(messageOf('tiny.bin')).toContain('is not the recorded tiny.bin: sha256:');
    expect(messageOf('')).toContain('is not the recorded one: sha256:');
  });

  it.each([0, 1, encoded.length - 1])('report at which place token %i of a prompt differs', (position) => {
    const tokens = encoded.with(position, (encoded[position] ?? 0) + 1);
    expect(found({}, prompt(tokens, promptText)).problems).toMatchObject([
      {
        code: 'PV-8063',
        check: 'prompt',
        position,
        expected: String(tokens[position]),
        actual: String(encoded[position]),
      },
    ]);
  });

  it('report a prompt with more or fewer tokens than its text has', () => {
    const { length } = encoded;
    const [shorter, longer] = [encoded.slice(0, -1), [...encoded, 5]];
    expect(found({}, prompt(shorter, promptText)).problems).toMatchObject([
      { position: length - 1, expected: 'no token', actual: String(encoded.at(-1)) },
    ]);
    expect(found({}, prompt(longer, promptText)).problems).toMatchObject([
      { position: length, expected: '5', actual: 'no token' },
    ]);
  });

  it('say nothing of a prompt of which the trace keeps the text or the tokens alone', () => {
    for (const half of [prompt(null, 'another text'), prompt([7, 8], null)]) {
      expect(found({}, half).problems).toEqual([]);
      expect(outcomes({}, half)).not.toHaveProperty('prompt');
    }
  });
});
