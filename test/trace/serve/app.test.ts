import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bytesToHex } from '@noble/hashes/utils.js';
import { encodeTrace } from '../../../src/trace/format/write-trace.ts';
import type { TraceFile } from '../../../src/trace/format/trace.ts';
import { legacyTrace } from '../../../src/trace/legacy/trace.ts';
import { writeLegacyTrace } from '../../../src/trace/legacy/write-trace.ts';
import { formatVerifierKey } from '../../../src/notes/key.ts';
import { signTreeHead } from '../../../src/notes/tree-head.ts';
import { createApp } from '../../../src/trace/serve/app.ts';
import { ensureBuilt } from '../../support/built.ts';
import { seededSigner, valueOf } from '../../notes/signers.ts';
import { forged, model, promptText, recorded, tokenizer, topP } from '../verify/recorded.ts';
import { base64, broken, jsonOf, post, startService, type Started } from './service.ts';

let server: Started;
let trace: TraceFile;
let file: Uint8Array;

beforeAll(async () => {
  ensureBuilt();
  server = await startService();
  trace = await recorded();
  file = await encodeTrace(trace, null);
  const prompt = { ...trace.manifest.prompt, text: 'a'.repeat(65_537) };
  long = await encodeTrace(forged(trace, { manifest: { ...trace.manifest, prompt } }), null);
});
afterAll(() => server.service.jobs.close());

let long: Uint8Array;

const anchored = () => ({ root: bytesToHex(trace.root), size: trace.size });
const get = (path: string, init: RequestInit = {}) => server.app.request(path, init);

describe('GET', () => {
  test('/v1/models lists digests, sizes and caps, and no folder', async () => {
    const json = await jsonOf(await get('/v1/models'));
    expect(broken('Models', json)).toBeNull();
    expect(json.models).toMatchObject([{ digest: model.digest, name: 'tiny.bin', config: { dim: 32 } }]);
    expect(json.tokenizers).toMatchObject([{ digest: tokenizer.digest, vocabSize: tokenizer.vocabSize }]);
    expect(JSON.stringify(json)).not.toContain('/');
  });

  test('/openapi.json describes every path that is served, and no other', async () => {
    const { paths, openapi } = await jsonOf(await get('/openapi.json'));
    expect(openapi).toBe('3.1.0');
    const served = server.app.routes.map(({ path }) => path).filter((path) => path !== '/*');
    expect(Object.keys(paths).toSorted()).toEqual([...new Set(served)].toSorted());
  });

  test('/healthz and the page, which may run its own script and ask the network for nothing', async () => {
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
    const page = await get('/');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'unsafe-inline';/);
    expect(await page.text()).toContain('<title>');
  });

  test('every answer has headers against sniffing, framing and caching', async () => {
    for (const path of ['/healthz', '/nothing', '/v1/models', '/v1/verify']) {
      const { headers } = await get(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('POST /v1/verify', () => {
  test('a trace of a served model is verified, on all steps, one or a sample', async () => {
    for (const steps of [undefined, { kind: 'position', position: 20 }, { kind: 'sample', count: 3, seed: 5 }]) {
      const { status, json } = await post(server, 'verify', { trace: base64(file), steps, anchor: anchored() });
      expect([status, json.verdict, json.level]).toEqual([200, 'verified', 'exact']);
      expect(json.headline).toMatch(
        /^VERIFIED \(\d+ tokens? chosen by the model, \d+ forced by the prompt.*, logits and (tree|path)\), level exact: /,
      );
    }
  });

  test('a sample without a seed gets one, which the verdict names', async () => {
    const { json } = await post(server, 'verify', { trace: base64(file), steps: { kind: 'sample', count: 2 } });
    expect(json.challenge.count).toBe(2);
    expect(json.scope.positions).toHaveLength(2);
  });

  test('another root, changed entries and a damaged file fail, each with its code', async () => {
    const other = await post(server, 'verify', { trace: base64(file), anchor: { root: '0'.repeat(64) } });
    expect([other.status, other.json.verdict, other.json.problems[0].code]).toEqual([200, 'failed', 'PV-8060']);
    const entries = trace.entries.map((entry) =>
      entry.kind === 'step' && entry.position === 5 ? { ...entry, logitsHash: new Uint8Array(32) } : entry,
    );
    const lie = await post(server, 'verify', { trace: base64(await encodeTrace(forged(trace, { entries }), null)) });
    expect([lie.json.verdict, lie.json.problems[0].code]).toEqual(['failed', 'PV-8064']);
    const flipped = file.slice();
    flipped[file.length - 60] = (flipped[file.length - 60] ?? 0) ^ 1;
    const damaged = await post(server, 'verify', { trace: base64(flipped) });
    expect([damaged.status, damaged.json.verdict]).toEqual([200, 'failed']);
    const cut = base64(file.subarray(0, file.length - 40));
    const refused = await post(server, 'verify', { trace: cut });
    expect([refused.json.verdict, refused.json.problems[0].code]).toEqual(['failed', 'PV-8032']);
  });

  test('the level is the requested one, and what its trace cannot show is undetermined', async () => {
    const sketched = base64(await encodeTrace(await recorded({ manifest: { sketch: 4 } }), null));
    const band = await post(server, 'verify', { trace: sketched, level: 'float band' });
    expect([band.json.verdict, band.json.level]).toEqual(['verified', 'float band']);
    const without = await post(server, 'verify', { trace: base64(file), level: 'engine band' });
    expect([without.json.verdict, without.json.problems[0].code]).toEqual(['undetermined', 'PV-8067']);
  });

  test('a trace that ends before the requested steps counts if the request says so', async () => {
    const short = base64(await encodeTrace(forged(trace, { entries: trace.entries.slice(0, -1) }), null));
    const whole = await post(server, 'verify', { trace: short });
    expect([whole.json.verdict, whole.json.problems[0].code]).toEqual(['undetermined', 'PV-8085']);
    const part = await post(server, 'verify', { trace: short, incomplete: true });
    expect([part.json.verdict, part.json.covers.open[0]]).toEqual(['verified', 'fewer steps than requested']);
  });

  test('a trace of llama2-rs is replayed with what the request says of it', async () => {
    const entries = trace.entries.flatMap((entry) =>
      entry.kind === 'step'
        ? [{ position: entry.position, token: entry.inputToken, text: null, logitsHash: entry.logitsHash }]
        : [],
    );
    const metadata = { modelPath: 'm', prompt: promptText, steps: 24 };
    const legacy = base64(writeLegacyTrace(valueOf(legacyTrace(entries, metadata))));
    const files = { model: model.digest, tokenizer: tokenizer.digest };
    const right = await post(server, 'verify', { trace: legacy, ...files, legacy: { sampler: topP } });
    expect([right.status, right.json.verdict]).toEqual([200, 'verified']);
    expect(right.json.unbound.join()).toContain('the legacy format does not commit to them');
    const wrong = await post(server, 'verify', {
      trace: legacy,
      ...files,
      legacy: { sampler: { ...topP, temperature: 50 } },
    });
    expect(wrong.json.verdict).toBe('failed');
    for (const given of [null, {}, { sampler: null }]) {
      const open = await post(server, 'verify', { trace: legacy, ...files, legacy: given });
      expect([open.json.verdict, open.json.problems[0].code]).toEqual(['undetermined', 'PV-8067']);
      expect(open.json.problems[0].message).toContain('Give legacy.sampler of the recording.');
    }
    const asked = { sampler: topP, prompt: 'Twice' };
    const other = await post(server, 'verify', { trace: legacy, ...files, legacy: asked });
    expect([other.json.verdict, other.json.problems[0].code]).toEqual(['failed', 'PV-8063']);
    const without = await post(server, 'verify', { trace: legacy, model: model.digest });
    expect([without.status, without.json.code]).toEqual([422, 'PV-8070']);
    const nameless = await post(server, 'verify', { trace: legacy, tokenizer: tokenizer.digest });
    expect([nameless.status, nameless.json.code]).toEqual([422, 'PV-8073']);
  });

  test('a model and a tokenizer that the server does not have are 422', async () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    for (const more of [{ model: digest }, { tokenizer: digest }]) {
      const { status, json } = await post(server, 'verify', { trace: base64(file), ...more });
      expect([status, json.code, json.actual]).toEqual([422, 'PV-8073', digest]);
    }
  });

  test('more steps than the cap are 422, and as many are not', async () => {
    const few = await startService({ steps: 24 });
    const fewer = await startService({ steps: 23 });
    expect((await post(few, 'verify', { trace: base64(file) })).status).toBe(200);
    const refused = await post(fewer, 'verify', { trace: base64(file) });
    expect([refused.status, refused.json.code]).toEqual([422, 'PV-8074']);
    const early = await post(fewer, 'verify', { trace: base64(file), steps: { kind: 'position', position: 22 } });
    expect(early.status).toBe(200);
    await Promise.all([few.service.jobs.close(), fewer.service.jobs.close()]);
  });
});

describe('pages of other origins', () => {
  const asked = async (app: Started['app'], origin: string, init: RequestInit = {}, path = '/v1/models') =>
    (await app.request(path, { ...init, headers: { origin, ...init.headers } })).headers;
  const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } };

  test('may ask nothing unless they are named', async () => {
    expect((await asked(server.app, 'https://a.example')).get('access-control-allow-origin')).toBeNull();
    const refused = await server.app.request('/v1/check', { ...preflight });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([405, null]);
  });

  test('that are named may ask with JSON, and no others', async () => {
    const open = createApp({ ...server.service, origins: ['https://a.example'] });
    for (const [origin, allowed] of [
      ['https://a.example', 'https://a.example'],
      ['https://b.example', null],
    ] as const) {
      const got = await asked(open, origin);
      expect([got.get('access-control-allow-origin'), got.get('vary')]).toEqual([allowed, 'Origin']);
      const may = await asked(open, origin, preflight, '/v1/check');
      expect(may.get('access-control-allow-origin')).toBe(allowed);
      expect(may.get('access-control-allow-headers')).toBe('Content-Type');
      expect(may.get('access-control-allow-methods')).toBe('GET,HEAD,POST');
    }
    expect((await asked(open, 'https://a.example', {}, '/nothing')).get('access-control-allow-origin')).toBe(
      'https://a.example',
    );
  });

  test('may all ask where * is named', async () => {
    const open = createApp({ ...server.service, origins: ['*'] });
    expect((await asked(open, 'https://b.example')).get('access-control-allow-origin')).toBe('*');
  });
});

describe('POST /v1/prove and /v1/check', () => {
  test('a proof of each leaf checks against the root, and not against another', async () => {
    for (const position of [null, 0, 23]) {
      const made = await post(server, 'prove', { trace: base64(file), position });
      expect(made.status).toBe(200);
      const { proof } = made.json;
      const right = await post(server, 'check', { proof, anchor: anchored() });
      expect([right.status, right.json.verdict]).toEqual([200, 'verified']);
      const alone = await post(server, 'check', { proof });
      expect(alone.json.verdict).toBe('unanchored');
      const other = await post(server, 'check', { proof, anchor: { root: 'f'.repeat(64) } });
      expect(other.json.verdict).toBe('failed');
    }
  });

  test('a proof of another step than the requested one fails', async () => {
    const { proof } = (await post(server, 'prove', { trace: base64(file), position: 7 })).json;
    const same = await post(server, 'check', { proof, position: 7, anchor: anchored() });
    expect(same.json.verdict).toBe('verified');
    const other = await post(server, 'check', { proof, position: 8, anchor: anchored() });
    expect([other.json.verdict, other.json.problems[0].code]).toEqual(['failed', 'PV-8086']);
    const legacy = await post(server, 'check', { legacyProof: '', position: 7 });
    expect([legacy.status, legacy.json.code]).toEqual([400, 'PV-8070']);
  });

  test('a proof is made under the checkpoint that is given, if it is of this trace', async () => {
    const signer = seededSigner('example.org/a', 3);
    const checkpoint = valueOf(signTreeHead(trace, 'example.org/a/trace', [signer], 0));
    const { proof } = (await post(server, 'prove', { trace: base64(file), position: 7, checkpoint })).json;
    const keys = [formatVerifierKey(signer.key)];
    const signed = await post(server, 'check', { proof, anchor: { keys } });
    expect([signed.json.verdict, signed.json.standing]).toEqual(['verified', 'signatures']);
    const other = valueOf(signTreeHead({ ...trace, size: 7 }, 'example.org/a/trace', [signer], 0));
    const refused = await post(server, 'prove', { trace: base64(file), position: 7, checkpoint: other });
    expect([refused.status, refused.json.code]).toEqual([422, 'PV-8059']);
  });

  test('what is not a proof fails; what cannot be proved is 422', async () => {
    const no = await post(server, 'check', { proof: 'no proof', anchor: anchored() });
    expect([no.status, no.json.verdict, no.json.problems[0].code]).toEqual([200, 'failed', 'PV-8058']);
    const far = await post(server, 'prove', { trace: base64(file), position: 24 });
    expect([far.status, far.json.code]).toEqual([422, 'PV-8068']);
    const broken = await post(server, 'prove', { trace: base64(file.subarray(0, 20)), position: 0 });
    expect([broken.status, broken.json.code]).toEqual([422, 'PV-8032']);
  });

  test('a proof of llama2-rs checks against a root alone, with its warnings', async () => {
    const hashes = [1, 2, 3].map((fill) => new Uint8Array(32).fill(fill));
    const entries = hashes.map((logitsHash, position) => ({ position, token: position + 1, text: null, logitsHash }));
    const legacy = valueOf(legacyTrace(entries, { modelPath: 'm', prompt: 'p', steps: 3 }));
    const made = await post(server, 'prove', { trace: base64(writeLegacyTrace(legacy)), position: 1 });
    const { legacyProof, warnings } = made.json;
    expect(warnings).toHaveLength(2);
    const right = await post(server, 'check', { legacyProof, anchor: { root: bytesToHex(legacy.root) } });
    expect([right.json.verdict, right.json.of]).toEqual(['undetermined', 'legacy-proof']);
    expect(right.json.unbound).toEqual(warnings);
    const wrong = await post(server, 'check', { legacyProof, anchor: { root: bytesToHex(trace.root) } });
    expect(wrong.json.verdict).toBe('failed');
    const size = await post(server, 'check', { legacyProof, anchor: { root: bytesToHex(legacy.root), size: 3 } });
    expect([size.status, size.json.code]).toEqual([400, 'PV-8070']);
  });
});

describe('requests that are refused', () => {
  test.each([
    ['an unknown key', { proof: 'x', path: '/etc/passwd' }],
    ['a missing key', {}],
    ['a wrong type', { proof: 7 }],
    ['a list', []],
    ['base64 in another spelling', { legacyProof: 'AB==' }],
    ['an anchor with a strange key', { proof: 'x', anchor: { file: 'a' } }],
    ['two kinds of proof', { proof: 'x', legacyProof: '' }],
  ])('%s: 400, with the place', async (_, body) => {
    const { status, json } = await post(server, 'check', body);
    expect([status, json.code]).toEqual([400, 'PV-8070']);
    expect(json.detail).toContain('request');
  });

  test.each([
    ['a key twice', '{"proof":"x","proof":"y"}', 'request.proof is repeated'],
    [
      'a key twice in two spellings',
      '{"proof":"x","anchor":{"root":null,"r\\u006fot":null}}',
      'request.anchor.root is repeated',
    ],
    ['a list twice', '{"proof":"x","anchor":{"keys":["a"],"keys":[]}}', 'request.anchor.keys is repeated'],
    ['__proto__ beside a proof', '{"proof":"x","__proto__":{"anchor":{}}}', 'request.__proto__ is unknown'],
    ['__proto__ alone', '{"__proto__":{"proof":"x"}}', 'request.__proto__ is unknown'],
    [
      'a number beyond doubles',
      '{"proof":"x","anchor":{"root":null,"size":1e400}}',
      'request.anchor.size is not a count',
    ],
    [
      'a count beyond what is exact',
      '{"proof":"x","anchor":{"root":null,"size":9007199254740993}}',
      'request.anchor.size is not a count',
    ],
    ['lists 300,000 deep', `{"proof":${'['.repeat(300_000)}${']'.repeat(300_000)}}`, 'too many lists and objects'],
    ['300,000 lists', `{"proof":[${'[],'.repeat(300_000)}[]]}`, 'too many lists and objects'],
    ['a long unknown key', `{"proof":"x","${'k'.repeat(500_000)}":0}`, 'request.kkk'],
  ])('JSON with %s: 400, with the place', async (_, body, detail) => {
    const headers = { 'content-type': 'application/json' };
    const response = await server.app.request('/v1/check', { method: 'POST', headers, body });
    const json = await jsonOf(response);
    expect([response.status, json.code]).toEqual([400, 'PV-8070']);
    expect(json.detail).toContain(detail);
    expect(json.detail.length).toBeLessThanOrEqual(300);
  });

  test.each<[string, 'verify' | 'check', () => object, number, string]>([
    [
      'a host of unknown keys',
      'check',
      () => ({ proof: 'x', ...Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, 0])) }),
      400,
      'PV-8070',
    ],
    [
      'more keys than anybody trusts',
      'check',
      () => ({ proof: 'x', anchor: { keys: Array(65).fill('a') } }),
      400,
      'PV-8070',
    ],
    [
      'a prompt that no replay would end',
      'verify',
      () => ({ trace: base64(file), legacy: { prompt: 'a'.repeat(65_537) } }),
      400,
      'PV-8070',
    ],
    ['a prompt of its trace that no replay would end', 'verify', () => ({ trace: base64(long) }), 422, 'PV-8074'],
  ])('%s: refused before it is processed', async (_, route, body, status, code) => {
    const answer = await post(server, route, body());
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test('the largest number of keys and the longest prompt that a server accepts are read', async () => {
    const keys = Array.from({ length: 64 }, () => 'x');
    expect((await post(server, 'check', { proof: 'x', anchor: { keys } })).json.code).toBe('PV-8051');
    const legacy = { prompt: 'a'.repeat(65_536) };
    expect((await post(server, 'verify', { trace: base64(file), legacy })).json.code).not.toBe('PV-8071');
  });

  test('a prompt for a trace that binds its own is refused', async () => {
    const { status, json } = await post(server, 'verify', { trace: base64(file), legacy: { prompt: 'x' } });
    expect([status, json.verdict]).toEqual([422, undefined]);
    expect(JSON.stringify(json)).toContain('binds its own prompt');
  });

  test('null represents any absent part', async () => {
    const nothing = { root: null, size: null, checkpoint: null, keys: null, threshold: null, origin: null };
    const more = { model: null, tokenizer: null, steps: null, level: null, incomplete: null, legacy: null };
    for (const anchor of [null, nothing]) {
      const verified = await post(server, 'verify', { trace: base64(file), anchor, ...more });
      expect([verified.status, verified.json.verdict, verified.json.standing]).toEqual([200, 'verified', 'nothing']);
      expect((await post(server, 'check', { proof: 'x', anchor })).status).toBe(200);
      expect((await post(server, 'check', { legacyProof: '', anchor })).status).toBe(200);
    }
    const made = await post(server, 'prove', { trace: base64(file), position: null, checkpoint: null });
    expect(made.json.proof).toContain('tlog-proof');
  });

  test('anchors that are malformed or contradict themselves are 400 with their own codes', async () => {
    const codes = [];
    for (const anchor of [{ root: 'ab' }, { size: 3 }, { keys: ['x'] }, { threshold: 1 }]) {
      const { status, json } = await post(server, 'check', { proof: 'x', anchor });
      codes.push([status, json.code]);
    }
    expect(codes).toEqual([
      [400, 'PV-8015'],
      [400, 'PV-8057'],
      [400, 'PV-8051'],
      [400, 'PV-8057'],
    ]);
  });

  const raw = async (
    body: string | Uint8Array<ArrayBuffer> | null,
    type: string,
  ): Promise<readonly [number, string]> => {
    const init = { method: 'POST', headers: { 'content-type': type }, body };
    const response = await server.app.request('/v1/check', init);
    return [response.status, (await jsonOf(response)).code];
  };

  test('what is not JSON, not UTF-8 or of another type', async () => {
    expect(await raw('{"proof": ', 'application/json')).toEqual([400, 'PV-8070']);
    expect(await raw(null, 'application/json')).toEqual([400, 'PV-8070']);
    expect(await raw(Uint8Array.of(0x22, 0xff, 0x22), 'application/json')).toEqual([400, 'PV-8070']);
    expect(await raw('{"proof":"x"}', 'text/plain')).toEqual([415, 'PV-8070']);
    expect(await raw('{"proof":"x"}', 'application/json; charset=utf-8')).toEqual([200, undefined]);
  });

  test('what comes with a content coding, which is not called bad JSON', async () => {
    const coded = async (coding: string): Promise<readonly [number, string | null]> => {
      const headers = { 'content-type': 'application/json', 'content-encoding': coding };
      const answer = await server.app.request('/v1/check', { method: 'POST', headers, body: '{"proof":"x"}' });
      return [answer.status, answer.headers.get('accept-encoding')];
    };
    expect(await coded('gzip')).toEqual([415, 'identity']);
    expect(await coded('identity')).toEqual([200, null]);
  });

  test('unknown paths are 404 and other methods 405, with what is allowed', async () => {
    for (const path of ['/v1', '/v1/verify/x', '/../etc/passwd', '/models/tiny.bin']) {
      const response = await get(path);
      expect([response.status, (await jsonOf(response)).code]).toEqual([404, 'PV-8071']);
    }
    const wrong = await get('/v1/verify');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    const post = await get('/v1/models', { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('a body at the cap is read, and one byte more is 413', async () => {
    const small = await startService({ bodyBytes: 64 });
    const send = (bytes: number, how: 'whole' | 'stream') => {
      const text = JSON.stringify({ proof: '' }).padEnd(bytes, ' ');
      const body = how === 'whole' ? text : new Blob([text]).stream();
      const length = how === 'whole' ? { 'content-length': String(bytes) } : { 'transfer-encoding': 'chunked' };
      const headers = { 'content-type': 'application/json', ...length };
      return small.app.request('/v1/check', { method: 'POST', headers, body, duplex: 'half' });
    };
    for (const how of ['whole', 'stream'] as const) {
      expect((await send(64, how)).status).toBe(200);
      const refused = await send(65, how);
      expect([refused.status, (await jsonOf(refused)).code]).toEqual([413, 'PV-8072']);
    }
    await small.service.jobs.close();
  });
});
