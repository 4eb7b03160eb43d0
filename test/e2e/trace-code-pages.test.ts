/** The wrong examples that the pages of trace codes tell people to type: each causes the code of its page. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codes } from '../../src/diagnostics/codes.ts';
import type { Manifest } from '../../src/trace/format/trace.ts';
import { writeLegacyTrace } from '../../src/trace/legacy/write-trace.ts';
import { legacyTrace } from '../../src/trace/legacy/trace.ts';
import { tinyModel } from '../../src/trace/model/tiny-model.ts';
import { createRecorder } from '../../src/trace/record/recorder.ts';
import { bin, ensureBuilt, repositoryRoot, runProcess } from '../support/built.ts';

let folder = '';

/** The commands of a page's wrong example; null where it is not one of commands. */
async function exampleOf(code: string): Promise<string | null> {
  const page = await readFile(join(repositoryRoot, 'docs', 'codes', `${code}.md`), 'utf8');
  const block = /^Wrong.*:\n\n```sh\n([\s\S]*?)^```$/m.exec(page)?.[1];
  // A line with an ellipsis is of files that are not at hand.
  const lines = block?.split('\n').filter((line) => line !== '' && !line.includes('…'));
  return lines === undefined || !lines.some((line) => line.includes('pv trace')) ? null : lines.join('\n');
}

/** Codes of traces; not those of a server (PV-807x, PV-8097), which take two programs, nor PV-8091, which takes a model of 4 GiB. */
const pages = Object.keys(codes).filter((code) => /^PV-80(?!0[0-6]|7|91|97)/.test(code));
const examples = (await Promise.all(pages.map(async (code) => ({ code, example: await exampleOf(code) })))).flatMap(
  ({ code, example }) => (example === null ? [] : [{ code, example }]),
);

const vocabSize = 414;

/** A trace of an engine that nobody knows, with logits that no model here computes. */
async function strange(more: Partial<Manifest>, gap: number): Promise<Uint8Array> {
  const recorder = createRecorder({
    format: 'pv-trace/2',
    tool: { name: 'another', version: '1' },
    model: { name: 'model', digest: null },
    tokenizer: { name: 'tokenizer', digest: null },
    config: null,
    vocabSize,
    prompt: { tokens: null, text: null },
    steps: null,
    sampler: { kind: 'other', description: 'its own' },
    profile: 'unspecified',
    sketch: 0,
    ...more,
  });
  if (gap > 0) recorder.gap(0, gap);
  recorder.logits(
    gap,
    1,
    Float32Array.from({ length: vocabSize }, (_, i) => i % 7),
  );
  recorder.token(2);
  return (await recorder.finish()).file;
}

function legacyOfLargerVocabulary(): Uint8Array {
  const logitsHash = new Uint8Array(32);
  const entries = [1, 500].map((token, position) => ({ position, token, text: null, logitsHash }));
  const trace = legacyTrace(entries, { modelPath: 'large.bin', prompt: '', steps: 2 });
  if (!trace.ok) throw new Error(trace.error.message);
  return writeLegacyTrace(trace.value);
}

const setUp = `
  pv trace record --model stories260K.bin --tokenizer tok512.bin -i "Once upon a time" -n 60 --out run.trace
  pv trace record --model stories260K.bin --tokenizer tok512.bin -n 20 --out other-run.trace
  pv trace convert run.trace --to legacy --out old.trace
  pv trace record --model stories260K.bin --tokenizer tok512.bin -n 9 --format legacy --out first.trace
  pv trace record --model stories260K.bin --tokenizer tok512.bin -n 9 --format legacy --out second.trace
  cp old.trace run.legacy
  pv trace prove run.trace --iteration 50 --out step50.proof
  pv trace prove run.trace --iteration 20 --out step20.proof
  for name in alice bob carol; do pv trace keygen $name; done
  pv trace sign other-run.trace --key alice.key --out other.checkpoint
  mkdir -p node_modules/.bin && cp "$(command -v pv)" node_modules/.bin/pv -P
`;

async function shell(cwd: string, script: string): ReturnType<typeof runProcess> {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
  return runProcess('bash', ['-c', script], { cwd, env });
}

beforeAll(async () => {
  ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'pv-codes-'));
  await mkdir(join(folder, 'bin'));
  await symlink(bin, join(folder, 'bin', 'pv'));
  const world = join(folder, 'world');
  await mkdir(world);
  const { checkpoint, tokenizer } = tinyModel(1);
  const files: Readonly<Record<string, Uint8Array>> = {
    'stories260K.bin': checkpoint,
    'tiny-model.bin': checkpoint,
    'small.bin': checkpoint,
    'stories15M.bin': tinyModel(2).checkpoint,
    'tok512.bin': tokenizer,
    'tiny-tokenizer.bin': tokenizer,
    'small-tokenizer.bin': tokenizer,
    // A token more: its score, its length, one byte.
    'tokenizer32000.bin': Uint8Array.of(...tokenizer, 0, 0, 0, 0, 1, 0, 0, 0, 0x61),
    'large.trace': legacyOfLargerVocabulary(),
    'gapped.trace': await strange({}, 12),
    'other.trace': await strange({}, 0),
    'quantised.trace': await strange({ sketch: 8 }, 0),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(world, name), bytes);
  const made = await shell(world, `set -e\n${setUp}`);
  if (made.code !== 0) throw new Error(made.stderr);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the wrong examples of the pages of codes', () => {
  it('are commands on many of them', () => {
    expect(examples.length).toBeGreaterThan(25);
  });

  it.each(examples)('cause $code', async ({ code, example }) => {
    const cwd = join(folder, code);
    await cp(join(folder, 'world'), cwd, { recursive: true, verbatimSymlinks: true });
    const { stdout, stderr } = await shell(cwd, example);
    expect(`${example}\n${stdout}\n${stderr}`).toContain(`[${code}]`);
  });
});
