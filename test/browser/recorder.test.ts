/** The public API as a bundler of web pages gets it, in a real browser: it records, proves and replays as Node does. */
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { ensureBuilt, repositoryRoot } from '../support/built.ts';
import { findChromium, openBrowser } from './chromium.ts';

/** What a user's script does; what it found is left in `globalThis.found`. */
const script = `
import { checkProof, createFastEngine, createRecorder, createStrictEngine, generate, makeProof, readModel, readTokenizer,
  readTrace, sourceOf, tinyModel, verifyTrace } from 'provable-contracts/trace';
const files = tinyModel(1);
const model = readModel(files.checkpoint).value;
const tokenizer = readTokenizer(files.tokenizer, model.config.vocabSize).value;
const prompt = { tokens: tokenizer.encode('Once'), text: 'Once' };
const sampler = { kind: 'top-p', temperature: 1, topP: 0.9, seed: '42', generator: 'llama2-rs/1' };
const recorder = createRecorder({
  format: 'pv-trace/2', tool: { name: 'page', version: '1' }, model: { name: 'm', digest: model.digest },
  tokenizer: { name: 't', digest: tokenizer.digest }, config: null, vocabSize: model.config.vocabSize, prompt, steps: 12,
  sampler, profile: 'f32-strict/1', sketch: 2,
});
for (const { value } of generate(createFastEngine(model).engine, { prompt: prompt.tokens, steps: 12, sampler })) {
  recorder.logits(value.position, value.inputToken, value.logits);
  recorder.token(value.outputToken);
}
const { file, root, size } = await recorder.finish();
const trace = (await readTrace(file)).value;
const anchor = { root, size };
const proof = await checkProof(makeProof(trace, 3, null).value, anchor);
const replay = await verifyTrace({
  source: sourceOf(trace), engine: createStrictEngine(model), which: { kind: 'all' }, level: null, anchor,
  files: { modelDigest: model.digest, config: model.config, tokenizer },
});
globalThis.found = { root: [...root].join(), proof: proof.verdict, replay: replay.verdict };
`;

/** Resolved through the package's own exports, from dist/. */
async function bundled(platform: 'browser' | 'node'): Promise<string> {
  const built = await build({
    stdin: { contents: script, resolveDir: repositoryRoot },
    bundle: true,
    format: 'esm',
    platform,
    write: false,
  });
  return built.outputFiles[0]?.text ?? '';
}

const executable = findChromium();

const checks = executable === null ? withoutChromium : () => inChromium(executable);
describe('in Chromium', () => {
  checks();
});

function withoutChromium(): void {
  test('there is no Chromium: the browser checks did not run (set CHROMIUM)', () => expect(executable).toBeNull());
}

function inChromium(executablePath: string): void {
  test('a page records the bits that Node records, and proves and replays them', async () => {
    ensureBuilt();
    const browser = await openBrowser(executablePath);
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ content: await bundled('browser'), type: 'module' });
      const handle = await page.waitForFunction(() => Reflect.get(globalThis, 'found') as unknown);
      const inNode = `data:text/javascript,${encodeURIComponent(`${await bundled('node')}; export default globalThis.found;`)}`;
      const { default: found } = (await import(inNode)) as { readonly default: Readonly<Record<string, string>> };
      expect(found).toMatchObject({ proof: 'verified', replay: 'verified' });
      expect(await handle.jsonValue()).toEqual(found);
    } finally {
      await browser.close();
    }
  });
}
