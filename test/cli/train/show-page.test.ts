/** The page of a run: what it says, and that nothing in a ledger can get out of its text. Holds src/cli/train/show-page.ts, src/cli/html/chart.ts, src/cli/train/series.ts, src/cli/train/timing.ts, src/cli/html/page.ts, src/cli/html/write-page.ts. */
import { describe, expect, it } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { createVerifiedTrainer } from '../../../src/training/trainer/trainer.ts';
import { custom } from '../../../src/training/invariants/custom.ts';
import { sgd } from '../../../src/training/optimizer/rules.ts';
import { canonicalJson, type JsonValue } from '../../../src/base/canonical-json.ts';
import { writeSafetensors } from '../../../src/tensors/safetensors.ts';
import { concatBytes } from '@noble/hashes/utils.js';
import { chartOf } from '../../../src/cli/html/chart.ts';
import { document } from '../../training/run/small-run.ts';
import { runPv } from '../../support/memory-cli.ts';

const textOf = (host: MemoryHost, path: string): string => new TextDecoder().decode(host.files.get(`/project/${path}`));

async function page(host: MemoryHost) {
  const ran = await runPv(['train', 'show', 'run', '--html', 'page.html'], { host });
  return { ...ran, html: host.files.has('/project/page.html') ? textOf(host, 'page.html') : '' };
}

async function trained(): Promise<MemoryHost> {
  const host = createMemoryHost({ 'run.yaml': JSON.stringify(document) });
  await runPv(['train', 'run.yaml', '--out', 'run', '--quiet'], { host });
  return host;
}

describe('pv train show --html', () => {
  it('shows the verdict and what it rests on, the refusal, every quantity, and unsealed times', async () => {
    const { code, html } = await page(await trained());
    expect(code).toBe(0);
    expect(html).toContain('VERIFIED (ledger)');
    expect(html).toContain('24 steps: 23 committed, 1 refused, 0 overridden');
    expect(html).toMatch(
      /Only the certificate says: data [0-9a-f]{12}; origin replayable; .*epoch 0; robustness not stated/,
    );
    expect(html).toContain('<td>9</td><td>refused</td><td>LossStabilityBound gradient norm</td>');
    expect(html).toContain('<h3>WeightNormBound conv1 ≤ 20</h3>');
    expect(html).toContain('From timing.json, which is not sealed');
    expect(html.match(/<svg class="chart"/g)?.length).toBe(8);
  });

  it('makes no request and runs no script', async () => {
    const { html } = await page(await trained());
    expect(html).toContain('default-src &#39;none&#39;');
    expect(html).not.toMatch(/<script|<link rel="stylesheet|https?:|@import|url\(/);
  });

  it('does not claim what did not verify, and exits with 1', async () => {
    const host = await trained();
    const bytes = host.files.get('/project/run/weights.safetensors')?.slice() ?? new Uint8Array();
    bytes[bytes.length - 1] = 1 ^ (bytes.at(-1) ?? 0);
    host.files.set('/project/run/weights.safetensors', bytes);
    const { code, html } = await page(host);
    expect(code).toBe(1);
    expect(html).toContain('NOT VERIFIED (ledger)');
    expect(html).toContain('PV-8411: The weights do not match the certificate.');
  });

  it('shows a run that was killed, and times that it does not have or cannot read', async () => {
    const host = await trained();
    host.files.delete('/project/run/certificate.json');
    host.files.set('/project/run/timing.json', new TextEncoder().encode('{"seconds":"<script>"}'));
    host.files.set(
      '/project/run/ledger.jsonl',
      host.files.get('/project/run/ledger.jsonl')?.slice(0, -9) ?? new Uint8Array(),
    );
    const { code, html } = await page(host);
    expect(code).toBe(0);
    expect(html).toContain('not verified: certificate.json, weights.safetensors or the end of the ledger is missing');
    expect(html).toContain('The last line is truncated');
    expect(html).toContain('Not known: the ledger contains no times');
  });

  it('escapes what strangers wrote into a ledger', async () => {
    const host = createMemoryHost({});
    const hostile = `</text></svg><script>alert(1)</script>"onload='x' \u202e::error::`;
    let ledger = '';
    const trainer = createVerifiedTrainer({
      parameters: { '<b onclick="x">.weight': Float32Array.of(1) },
      optimizer: sgd({ learningRate: 0.1 }),
      invariants: [
        custom({
          name: '<img src=x onerror=alert(1)>',
          complexity: 1,
          phase: 'before',
          check: () => [{ what: hostile, value: 2, is: 'at most', bound: 1 }],
        }),
      ],
      allowOverride: true,
      ledger: (line) => (ledger += line),
    });
    for (let i = 0; i < 2; i++)
      await trainer.step({ loss: 1, gradients: { '<b onclick="x">.weight': Float32Array.of(1) } });
    const certificate: JsonValue = JSON.parse(
      JSON.stringify(await trainer.seal({ code: { name: '<script>', version: '"', digest: null } })),
    );
    host.files.set('/project/run/ledger.jsonl', new TextEncoder().encode(ledger));
    host.files.set('/project/run/certificate.json', new TextEncoder().encode(canonicalJson(certificate)));
    host.files.set('/project/run/weights.safetensors', concatBytes(...writeSafetensors(trainer.parameters)));
    const { code, html } = await page(host);
    expect(code).toBe(0);
    expect(html).not.toMatch(/<script|<img|<b |onload='|\u202e/);
    expect(html).toContain('&lt;/text&gt;&lt;/svg&gt;&lt;script&gt;');
    expect(html).toContain('the trainer’s word for losses and gradients');
    expect(html).toContain('2 of the 2 steps that changed the weights broke an invariant');
    const verdict = await runPv(['certificate', 'verify', 'run'], { host });
    const text = await runPv(['train', 'show', 'run'], { host });
    expect(verdict.stdout + text.stdout + verdict.stderr).not.toMatch(/\u202e/);
  });

  it('overwrites a page, and nothing else', async () => {
    const host = await trained();
    for (const code of [0, 0]) expect((await page(host)).code).toBe(code);
    const before = textOf(host, 'run/ledger.jsonl');
    const ran = await runPv(['train', 'show', 'run', '--html', 'run/ledger.jsonl'], { host });
    expect(ran.code).toBe(2);
    expect(textOf(host, 'run/ledger.jsonl')).toBe(before);
  });

  it('belongs to show', async () => {
    const host = createMemoryHost({ 'run.yaml': JSON.stringify(document) });
    const ran = await runPv(['train', 'run.yaml', '--out', 'run', '--html', 'page.html'], { host });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('pv train show run --html page.html');
    expect(host.files.has('/project/run/ledger.jsonl')).toBe(false);
  });
});

describe('a chart', () => {
  const chart = (values: readonly number[], bound: number) =>
    chartOf({
      label: 'x',
      values: values.map((value, i) => ({ step: i + 1, value })),
      bounds: values.map((_, i) => ({ step: i + 1, value: bound })),
      failed: [],
      steps: values.length,
    })?.markup ?? null;

  it('leaves out what is not finite, and is nothing without values', () => {
    expect(chart([1, NaN, 2, Infinity], 3)).not.toMatch(/NaN|Infinity/);
    expect(chart([NaN], 3)).toBeNull();
    expect(chart([5, 5, 5], 5)).not.toMatch(/NaN|Infinity/);
  });

  it('keeps a spike of one step among 100,000', () => {
    const values = Array.from({ length: 100_000 }, (_, i) => (i === 54_321 ? 9 : 1));
    const drawn = chart(values, 1e9) ?? '';
    expect(drawn.length).toBeLessThan(20_000);
    // The top of the chart is at 8.
    expect(drawn).toMatch(/L\d+\.\d 8\.0/);
  });
});
