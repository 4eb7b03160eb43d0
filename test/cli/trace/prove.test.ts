import { beforeAll, describe, expect, it } from 'vitest';
import type { MemoryHost } from '../../../src/host/memory-host.ts';
import { bytesAt, put, pvTrace, recorded, rootIn, textAt } from './recorded.ts';

let host: MemoryHost;
let root = '';

beforeAll(async () => {
  const made = await recorded();
  host = made.host;
  root = rootIn(made.ran.stderr);
  await pvTrace(host, 'prove', 'run.trace', '--iteration', '5', '--out', 'step5.proof');
  for (const name of ['alice', 'bob', 'carol']) await pvTrace(host, 'keygen', name);
  await pvTrace(host, 'sign', 'run.trace', '--key', 'alice.key', '--out', 'run.checkpoint');
  await pvTrace(
    host,
    'record',
    '--model',
    'tiny-model.bin',
    '-z',
    'tiny-tokenizer.bin',
    '-n',
    '7',
    '--format',
    'legacy',
    '-o',
    'l.trace',
  );
  await pvTrace(host, 'prove', 'l.trace', '--iteration', '3', '--out', 'l.proof');
});

const check = (...argv: readonly string[]) => pvTrace(host, 'check', ...argv);

describe('pv trace prove and check', () => {
  it('prove one step to anyone with the root', async () => {
    const ran = await check('step5.proof', '--root', root, '--size', '13');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('step5.proof: ✓ VERIFIED (step of position 5 and path; nothing replayed)\n');
    expect(ran.stdout).toContain('leaf       6 of 13');
    expect(ran.stdout).toContain('position   5');
    expect(ran.stdout).toContain('bound      by the root and the size that you gave');
    expect(rootIn(ran.stdout)).toBe(root);
    expect((await check('step5.proof', '--root', `sha256:${root.toUpperCase()}`)).code).toBe(0);
  });

  it('say of a trace without its footer that it is incomplete, and of no other', async () => {
    const whole = bytesAt(host, 'run.trace');
    put(host, 'cut.trace', whole.subarray(0, whole.length - 5));
    const cut = await pvTrace(host, 'prove', 'cut.trace', '--iteration', '5', '--out', 'cut5.proof');
    expect(cut.code).toBe(0);
    expect(cut.stderr).toContain('warning: cut.trace is incomplete: it ends without its footer');
    const other = await pvTrace(host, 'prove', 'run.trace', '--iteration', '5', '--out', 'whole5.proof');
    expect(other.stderr).not.toContain('incomplete');
  });

  it('are of the step that is demanded, or fail', async () => {
    expect((await check('step5.proof', '--root', root, '--iteration', '5')).code).toBe(0);
    await pvTrace(host, 'prove', 'run.trace', '--manifest', '--out', 'leaf0.proof');
    for (const [proof, actual] of [
      ['step5.proof', 'the step of position 5'],
      ['leaf0.proof', 'the manifest'],
    ] as const) {
      const { code, stdout } = await check(proof, '--root', root, '--iteration', '6', '--json');
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        verdict: 'failed',
        problems: [{ code: 'PV-8086', position: 6, expected: 'the step of position 6', actual }],
      });
    }
    expect((await check('l.proof', '--root', root, '--iteration', '3')).code).toBe(2);
  });

  it('disclose that step and no other', async () => {
    const proof = textAt(host, 'step5.proof');
    const { entries } = JSON.parse((await pvTrace(host, 'show', 'run.trace', '--json')).stdout);
    const disclosed = Buffer.from(/^extra (.*)$/m.exec(proof)?.[1] ?? '', 'base64').toString('hex');
    expect(disclosed).toContain(entries[5].logitsHash);
    for (const { position, logitsHash } of entries) if (position !== 5) expect(disclosed).not.toContain(logitsHash);
  });

  it('prove the manifest, and a step under a signed root', async () => {
    const manifest = await pvTrace(host, 'prove', 'run.trace', '--manifest');
    expect(manifest.code).toBe(0);
    put(host, 'manifest.proof', new TextEncoder().encode(manifest.stdout));
    const checked = await check('manifest.proof', '--root', root);
    expect(checked.code).toBe(0);
    expect(checked.stdout).toContain('✓ VERIFIED (manifest and path; index and size not bound, nothing replayed)\n');
    expect(checked.stdout).toContain('seed 42 (llama2-rs/1)');
    await pvTrace(
      host,
      'prove',
      'run.trace',
      '--iteration',
      '2',
      '--checkpoint',
      'run.checkpoint',
      '--out',
      'signed.proof',
    );
    // The proof carries the checkpoint; only the key comes from elsewhere.
    const signed = await check('signed.proof', '--key', 'alice.pub');
    expect(signed.code).toBe(0);
    expect(signed.stdout).toContain('by signatures of keys that you trust');
  });

  it('verify nothing by the word of a proof alone', async () => {
    const ran = await check('step5.proof');
    expect(ran.code).toBe(5);
    expect(ran.stdout).toContain('? UNANCHORED, so not verified');
    expect(ran.stdout).toContain('self-declared');
  });

  it('refuse another root, another size, another checkpoint', async () => {
    const other = `${root.slice(0, -1)}${root.endsWith('0') ? '1' : '0'}`;
    const wrongRoot = await check('step5.proof', '--root', other);
    expect(wrongRoot.code).toBe(1);
    expect(wrongRoot.stdout).toContain('✗ FAILED');
    expect(wrongRoot.stdout).toContain('PV-8060');
    // Who has given a root is not told to give one.
    expect(wrongRoot.stdout).toContain('bound      by nothing, because the verification failed');
    expect(wrongRoot.stdout).toContain(`expected  ${other}`);
    expect(wrongRoot.stdout).toContain(`actual    ${root}`);
    expect((await check('step5.proof', '--root', root, '--size', '14')).code).toBe(1);
    await pvTrace(
      host,
      'record',
      '--model',
      'tiny-model.bin',
      '-z',
      'tiny-tokenizer.bin',
      '-n',
      '3',
      '-o',
      'other.trace',
    );
    await pvTrace(host, 'sign', 'other.trace', '--key', 'alice.key', '-o', 'other.checkpoint');
    expect((await check('step5.proof', '--checkpoint', 'other.checkpoint')).code).toBe(1);
    expect((await check('step5.proof', '--checkpoint', 'other.checkpoint', '--key', 'alice.pub')).code).toBe(1);
  });

  it('name the origin of the checkpoint that was looked at, and say whose word any other is', async () => {
    const proof = textAt(host, 'step5.proof').replace('\ntrace/', '\nexample.org/famous/trace/');
    put(host, 'posing.proof', new TextEncoder().encode(proof));
    const signed = await check('posing.proof', '--checkpoint', 'run.checkpoint', '--key', 'alice.pub');
    expect(signed.code).toBe(0);
    expect(signed.stdout).toMatch(/origin {5}alice\/trace\/[0-9a-f]{64}\n/);
    expect(signed.stdout).not.toContain('famous');
    const byRoot = await check('posing.proof', '--root', root);
    expect(byRoot.stdout).toMatch(/origin {5}example.org\/famous\/trace\/[0-9a-f]{64} \(stated by the file\)\n/);
  });

  it('say which file is damaged: the proof, also where it holds a NUL, or the given checkpoint', async () => {
    const proof = bytesAt(host, 'step5.proof');
    for (const [name, at] of [
      ['first line', 9],
      ['path', 200],
      ['end', proof.length - 1],
    ] as const) {
      put(
        host,
        'nul.proof',
        proof.map((byte, i) => (i === at ? 0 : byte)),
      );
      const ran = await check('nul.proof', '--root', root, '--size', '13');
      expect(ran.code, name).toBe(1);
      expect(ran.stdout, name).toMatch(/error\[PV-80(?:50|54|58|83)\]/);
    }
    put(host, 'cut.checkpoint', bytesAt(host, 'run.checkpoint').slice(0, -2));
    const given = await check('step5.proof', '--checkpoint', 'cut.checkpoint', '--key', 'alice.pub');
    expect(given.code).toBe(1);
    expect(given.stdout).toContain('error[PV-8050]: The given checkpoint cannot be read.');
    const proved = await pvTrace(host, 'prove', 'run.trace', '--iteration', '5', '--checkpoint', 'cut.checkpoint');
    expect(proved.code).toBe(1);
    expect(proved.stderr).toContain('error[PV-8050]: cut.checkpoint: ');
  });

  it('count signatures of distinct trusted keys, k of n', async () => {
    const keys = ['--key', 'alice.pub', '--key', 'bob.pub', '--key', 'carol.pub'];
    const under = (...more: readonly string[]) => check('step5.proof', '--checkpoint', 'run.checkpoint', ...more);
    expect((await under('--key', 'alice.pub')).code).toBe(0);
    // The key itself stands for its file.
    expect((await under('--key', textAt(host, 'alice.pub').trim())).code).toBe(0);
    expect((await under('--key', 'bob.pub')).code).toBe(1);
    expect((await under(...keys, '--threshold', '2')).code).toBe(1);
    const cosigned = await pvTrace(
      host,
      'cosign',
      'run.checkpoint',
      '--key',
      'bob.key',
      '--trace',
      'run.trace',
      '-o',
      'two.checkpoint',
    );
    expect(cosigned.code).toBe(0);
    expect((await check('step5.proof', '--checkpoint', 'two.checkpoint', ...keys, '--threshold', '2')).code).toBe(0);
    expect((await check('step5.proof', '--checkpoint', 'two.checkpoint', ...keys)).code).toBe(1);
    // One key twice is one signer.
    const twice = ['--key', 'alice.pub', '--key', 'alice.pub'];
    expect((await check('step5.proof', '--checkpoint', 'two.checkpoint', ...twice, '--threshold', '2')).code).toBe(2);
  });

  it('refuse a proof with any bit flipped', async () => {
    const proof = bytesAt(host, 'step5.proof');
    for (let at = 0; at < proof.length; at += 7) {
      const flipped = proof.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 7));
      put(host, 'flipped.proof', flipped);
      const ran = await check('flipped.proof', '--root', root, '--size', '13');
      // The origin is the prover's own word for the trace, and nothing that a root binds.
      const originAt = Buffer.from(proof).indexOf('\n\n') + 2;
      const inOrigin = at >= originAt && at < Buffer.from(proof).indexOf('\n', originAt);
      if (!inOrigin) expect(ran.code, `bit of byte ${at}`).toBe(1);
    }
  });

  it.each([
    [['step5.proof', '--size', '13'], 'PV-8057]: A size means nothing without a root'],
    [['step5.proof', '--threshold', '2'], 'PV-8057]: A threshold counts signatures'],
    [['step5.proof', '--root', '5f9a'], '64 hexadecimal digits'],
    [['step5.proof', '--key', 'nobody.pub'], "'nobody.pub' does not exist"],
    [
      ['step5.proof', '--key', 'alice.key'],
      'looks like a secret key (--key of sign and cosign takes it), and a verifier key',
    ],
    [['step5.proof', '--key', 'alice+00000000+AQ=='], 'PV-8051'],
    [['no.proof', '--root', 'a'.repeat(64)], "'no.proof' does not exist"],
    [[], 'expected'],
  ])('refuse %j with exit code 2', async (argv, message) => {
    const ran = await check(...argv);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr.toLowerCase()).toContain(message.toLowerCase());
    expect(ran.stderr).not.toContain('PRIVATE');
  });

  it.each([
    [['run.trace'], 2],
    [['run.trace', '--iteration', '5', '--manifest'], 2],
    [['run.trace', '--iteration', '12'], 1],
    [['run.trace', '--iteration', '-1'], 2],
    [['no.trace', '--iteration', '1'], 2],
    [['tiny-model.bin', '--iteration', '1'], 1],
    [['run.trace', '--iteration', '1', '--checkpoint', 'step5.proof'], 1],
    [['run.trace', '--iteration', '1', '--out', 'step5.proof'], 2],
  ])('prove %j exits with %i', async (argv, code) => {
    const ran = await pvTrace(host, 'prove', ...argv);
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr).not.toBe('');
  });

  it('say the same to machines', async () => {
    const good = JSON.parse((await check('step5.proof', '--root', root, '--json')).stdout);
    expect(good).toMatchObject({
      format: 'pv-trace-verdict/1',
      of: 'proof',
      headline: 'VERIFIED (step of position 5 and path; index and size not bound, nothing replayed)',
      verdict: 'verified',
      covers: { shown: ['step of position 5', 'path'], open: ['index and size not bound', 'nothing replayed'] },
      standing: 'given root',
      claim: { index: 6, size: 13, root },
      leaf: { kind: 'step', position: 5 },
      problems: [],
    });
    const bad = JSON.parse((await check('step5.proof', '--root', 'a'.repeat(64), '--json')).stdout);
    expect(bad).toMatchObject({
      headline: 'FAILED',
      verdict: 'failed',
      problems: [{ code: 'PV-8060', expected: 'a'.repeat(64), actual: root }],
    });
  });
});

describe('proofs of llama2-rs', () => {
  const legacyRoot = () => Buffer.from(bytesAt(host, 'l.trace').slice(-32)).toString('hex');

  it('are checked against a root, with a warning of what they do not bind', async () => {
    const ran = await check('l.proof', '--root', legacyRoot());
    expect(ran.code).toBe(5);
    expect(ran.stdout).toContain(
      '? UNDETERMINED, so not verified (the path leads to the root; step, index and size not bound, nothing replayed)',
    );
    expect(ran.stdout).toContain('neither the index nor the number of entries');
    expect((await check('l.proof')).code).toBe(5);
    expect((await check('l.proof', '--root', root)).code).toBe(1);
    expect((await check('l.proof', '--root', legacyRoot(), '--size', '7')).code).toBe(2);
    const json = JSON.parse((await check('l.proof', '--root', legacyRoot(), '--json')).stdout);
    expect(json).toMatchObject({ of: 'legacy-proof', verdict: 'undetermined', claim: { index: 3 } });
  });

  it('are refused with any byte changed, but for the index, which nothing binds', async () => {
    const proof = bytesAt(host, 'l.proof');
    for (let at = 8; at < proof.length; at += 5) {
      const changed = proof.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      put(host, 'changed.proof', changed);
      expect((await check('changed.proof', '--root', legacyRoot())).code, `byte ${at}`).toBe(1);
    }
  });

  it('have no manifest and no checkpoint', async () => {
    expect((await pvTrace(host, 'prove', 'l.trace', '--manifest', '-o', 'x')).code).toBe(2);
    expect((await pvTrace(host, 'prove', 'l.trace', '--iteration', '7', '-o', 'x')).code).toBe(1);
    expect((await pvTrace(host, 'prove', 'l.trace', '--iteration', '1')).code).toBe(2);
    expect((await pvTrace(host, 'sign', 'l.trace', '--key', 'alice.key', '-o', 'x')).code).toBe(2);
  });
});

describe('pv trace sign and cosign', () => {
  it('write a C2SP checkpoint of size and root', async () => {
    const note = textAt(host, 'run.checkpoint');
    const [origin, size, rootLine, blank, signature] = note.split('\n');
    expect(origin).toMatch(/^alice\/trace\/[0-9a-f]{64}$/);
    expect(size).toBe('13');
    expect(rootLine).toBe(Buffer.from(root, 'hex').toString('base64'));
    expect(blank).toBe('');
    expect(signature).toMatch(/^— alice \S+$/);
  });

  it('do not cosign what is of another trace, nor what is not a checkpoint', async () => {
    await pvTrace(
      host,
      'record',
      '--model',
      'tiny-model.bin',
      '-z',
      'tiny-tokenizer.bin',
      '-n',
      '4',
      '-o',
      'four.trace',
    );
    const ran = await pvTrace(host, 'cosign', 'run.checkpoint', '--key', 'bob.key', '--trace', 'four.trace', '-o', 'x');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('PV-8059');
    expect((await pvTrace(host, 'cosign', 'step5.proof', '--key', 'bob.key', '-o', 'x')).code).toBe(1);
    expect(host.files.has('/project/x')).toBe(false);
  });

  it('say that nothing was compared if so asked, and state the time with a cosigning key', async () => {
    await pvTrace(host, 'keygen', 'witness', '--cosigner');
    const argv = ['cosign', 'run.checkpoint', '--key', 'witness.key', '-o', 'witnessed.checkpoint'];
    expect(await pvTrace(host, ...argv)).toMatchObject({ code: 1, stderr: expect.stringContaining('PV-8094') });
    const ran = await pvTrace(host, ...argv, '--blind');
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('warning: the checkpoint was not compared with anything');
    const checked = await check(
      'step5.proof',
      '--checkpoint',
      'witnessed.checkpoint',
      '--key',
      'witness.pub',
      '--json',
    );
    expect(JSON.parse(checked.stdout).signedBy).toEqual([
      { name: 'witness', keyId: expect.any(String), type: 'cosignature/v1', time: '1767225600' },
    ]);
  });

  it.each([
    [['sign', 'run.trace', '--key', 'alice.pub', '-o', 'x'], 2],
    [['sign', 'run.trace', '-o', 'x'], 2],
    [['sign', 'run.trace', '--key', 'alice.key', '-o', 'run.checkpoint'], 2],
    [['sign', 'run.trace', '--key', 'alice.key', '--origin', 'two\nlines', '-o', 'x'], 2],
    [['sign', 'tiny-model.bin', '--key', 'alice.key', '-o', 'x'], 1],
  ])('%j exits with %i and shows no secret', async (argv, code) => {
    const ran = await pvTrace(host, ...argv);
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr).not.toContain(textAt(host, 'alice.key').trim().slice(-20));
  });
});
