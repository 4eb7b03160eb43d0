/** A recording that ends with signatures, opened by those who trust the keys. */
import { expect, it } from 'vitest';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import { createRecorder } from '../../../src/trace/record/recorder.ts';
import { isRecorderError } from '../../../src/trace/record/recorder-error.ts';
import { signWith } from '../../../src/trace/record/sign-with.ts';
import { checkAnchor } from '../../../src/trace/verify/anchor.ts';
import { noFindings } from '../../../src/trace/verify/check.ts';
import { greedyManifest } from '../../support/trace-cases.ts';
import { generated, valueOf, verifierOf } from '../../notes/signers.ts';

const alice = generated('example.org/alice');
const witness = generated('example.org/witness', 'cosignature/v1');

it('is in the file, and belongs to this trace alone', async () => {
  const recorder = createRecorder(greedyManifest);
  recorder.logits(0, 1, new Float32Array(512));
  recorder.token(7);
  const { file } = await recorder.finish(signWith([alice.signerKey, witness.signerKey], 1_700_000_000));
  const trace = valueOf(await readTrace(file));
  const policy = { keys: [alice, witness].map((one) => verifierOf(one.verifierKey)), threshold: 2 };
  const findings = noFindings();
  const anchored = await checkAnchor(trace, { policy }, findings);
  expect(findings.problems).toEqual([]);
  expect(anchored).toMatchObject({ standing: 'signatures' });
  expect(anchored.origin).toMatch(/^example\.org\/alice\/trace\/[0-9a-f]{64}$/);

  const other = noFindings();
  await checkAnchor({ ...trace, size: 3 }, { policy }, other);
  expect(other.problems).toMatchObject([{ code: 'PV-8059' }]);
});

it('refuses a malformed key before anything is recorded, and shows none of it', () => {
  const broken = alice.signerKey.slice(0, -1);
  for (const keys of [[], [broken], [alice.verifierKey]]) {
    let thrown: unknown = null;
    try {
      signWith(keys, 0);
    } catch (error) {
      thrown = error;
    }
    expect(isRecorderError(thrown)).toBe(true);
    expect(String(thrown)).not.toContain(broken.slice(-20));
  }
});
