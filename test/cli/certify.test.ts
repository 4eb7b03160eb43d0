/**
 * `pv certify`: what it prints and returns.
 *
 * Holds src/cli/certify/run-certify.ts, src/cli/certify/read-examples.ts, src/cli/certify/verdict-text.ts.
 */
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { runPv, type Ran } from '../support/memory-cli.ts';
import { onnxFile, smallModel } from '../support/onnx-file.ts';

const declarations = '(declare-const X_0 Real)(declare-const X_1 Real)(declare-const Y_0 Real)(declare-const Y_1 Real)';
const box = '(assert (and (>= X_0 0)(<= X_0 1)(>= X_1 0)(<= X_1 1)))';
const files = {
  'safe.vnnlib': `${declarations}${box}(assert (>= Y_0 100))`,
  'unsafe.vnnlib': `${declarations}${box}(assert (>= Y_0 1))`,
  'broken.vnnlib': `${declarations}(assert`,
  'vacuous.vnnlib': `${declarations}${box}(assert (>= X_0 (+ X_1 2)))(assert (>= Y_0 100))`,
  'point.vnnlib': `${declarations}${box}(assert (= X_0 0.1))(assert (>= Y_0 -100))`,
  'x.json': '[1, 1]',
  'several.json': '{ "inputs": [[1, 1], [[0.5], [0.25]]], "labels": [0, 0] }',
};

async function certify(...args: readonly string[]): Promise<Ran> {
  const host = createMemoryHost(files);
  host.files.set('/project/net.onnx', onnxFile(smallModel));
  return runPv(['certify', ...args], { host });
}

describe('pv certify', () => {
  it('proves a property, with its scope', async () => {
    const { code, stdout } = await certify('net.onnx', 'safe.vnnlib');
    expect(stdout.split('\n')[0]).toMatch(
      /^holds \(proved\): safe\.vnnlib for net\.onnx \(DeepPoly and intervals, 1 box, \d+\.\d\d s\)$/,
    );
    expect(stdout).toContain('float32 in any order of summation');
    expect(code).toBe(0);
  });

  it('says in the scope that weights declared as inputs are taken as constants', async () => {
    const host = createMemoryHost(files);
    const inputs = { x: ['N', 2], w1: [2, 3], b1: [3] };
    host.files.set('/project/net.onnx', onnxFile({ ...smallModel, inputs }));
    const text = await runPv(['certify', 'net.onnx', 'safe.vnnlib'], { host });
    const scope = "with the values stored for the inputs 'w1' and 'b1'; with a batch of 1";
    expect(text.stdout.split('\n')[1]).toContain(`  scope     float32 in any order`);
    expect(text.stdout.split('\n')[1]).toContain(scope);
    const json = await runPv(['certify', 'net.onnx', 'safe.vnnlib', '--format', 'json'], { host });
    expect(JSON.parse(json.stdout).verdicts[0].scope).toContain(scope);
  });

  it('shows an input that violates a property, and the outputs for it', async () => {
    const { code, stdout } = await certify('net.onnx', 'unsafe.vnnlib');
    expect(stdout).toMatch(/^violated: unsafe\.vnnlib/);
    expect(stdout).toMatch(/checked {3}by running the network: unsafe in float64 and float32/);
    expect(code).toBe(1);
  });

  it('names the engines that round in between in the scope of float64', async () => {
    const { stdout } = await certify('net.onnx', 'safe.vnnlib', '--arithmetic', 'float64');
    expect(stdout).toContain('not for engines that round a factor to float32');
  });

  it('proves in the requested arithmetic, by the requested method', async () => {
    const { stdout } = await certify('net.onnx', 'safe.vnnlib', '--arithmetic', 'real', '--method', 'ibp');
    expect(stdout).toContain('(intervals, 1 box');
    expect(stdout).toContain('the function over the reals, with the weights as stored');
  });

  it('prints the counterexample as JSON', async () => {
    const { code, stdout } = await certify('net.onnx', 'unsafe.vnnlib', '--format', 'json');
    const { verdicts } = JSON.parse(stdout);
    expect(verdicts).toMatchObject([{ verdict: 'violated', method: 'hybrid', arithmetic: 'float32' }]);
    expect(verdicts[0].counterexample.outputs[0]).toBeGreaterThanOrEqual(1);
    expect(code).toBe(1);
  });

  it('says in a verdict line and in the JSON that nothing could violate a property', async () => {
    const { code, stdout, stderr } = await certify('net.onnx', 'vacuous.vnnlib');
    expect(stdout).toBe(
      'vacuous: vacuous.vnnlib for net.onnx (no input and output satisfy the constraints: nothing is proved)\n',
    );
    expect(stderr).toContain('error[PV-8312]: vacuous.vnnlib:');
    expect(code).toBe(1);
    const json = await certify('net.onnx', 'vacuous.vnnlib', '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ verdicts: [{ verdict: 'vacuous', code: 'PV-8312' }] });
    expect(json.code).toBe(1);
  });

  it('does not report an input outside the bounds as a violation', async () => {
    const { code, stdout } = await certify('net.onnx', 'point.vnnlib');
    expect(stdout).toMatch(/^undecided: point\.vnnlib/);
    expect(stdout).toContain('reason    an input next to the bounds is unsafe');
    expect(stdout).toContain('widened   1 input to the next float32 numbers: none is within its bounds');
    expect(code).toBe(1);
  });

  it('certifies balls around inputs, and finds radii', async () => {
    const ran = await certify('net.onnx', '--epsilon', '0.01', '--input', 'x.json');
    expect(ran.stdout).toMatch(/^holds \(proved\): input 0, label 0, radius 0\.01/);
    expect(ran.code).toBe(0);
    const several = await certify('net.onnx', '--epsilon', '4', '--input', 'several.json', '--radius');
    expect(several.stdout).toMatch(/radius {4}0\.\d+ is certified; at [\d.]+ an input gets another label/);
    expect(several.stdout).toMatch(/\d of 2 inputs are certified/);
    expect(several.code).toBe(1);
  });

  it('exits with 1 for malformed files, and with 2 for unusable flags and paths', async () => {
    const broken = await certify('net.onnx', 'broken.vnnlib');
    expect([broken.code, broken.stdout]).toEqual([1, '']);
    expect(broken.stderr).toContain('error[PV-8310]: broken.vnnlib:');
    expect((await certify('safe.vnnlib', 'safe.vnnlib')).stderr).toContain('PV-8300');
    expect((await certify('net.onnx', '--epsilon', '1', '--input', 'safe.vnnlib')).stderr).toContain('PV-8314');
    for (const [text, message] of [
      ['{ "inputs": [[1, 1]], "label": [1] }', "The key 'label' is unknown"],
      ['{ "inputs": [[1, 1]], "labels": 1 }', 'one integer per input'],
      ['{ "inputs": [[1, 1]], "labels": [1, 0] }', 'one integer per input'],
      ['{ "inputs": [[1, 1]], "labels": [0] }', 'omit --label'],
    ] as const) {
      const host = createMemoryHost({ 'in.json': text });
      host.files.set('/project/net.onnx', onnxFile(smallModel));
      const label = message === 'omit --label' ? ['--label', '1'] : [];
      const ran = await runPv(['certify', 'net.onnx', '--epsilon', '0.1', '--input', 'in.json', ...label], { host });
      expect(ran).toMatchObject({ code: 1, stdout: '' });
      expect(ran.stderr).toContain('PV-8314');
      expect(ran.stderr).toContain(message);
    }
    expect((await certify('missing.onnx', 'safe.vnnlib')).code).toBe(2);
    expect((await certify('net.onnx')).code).toBe(2);
    expect((await certify('net.onnx', '--epsilon', '0.1')).code).toBe(2);
    expect((await certify('net.onnx', 'safe.vnnlib', '--epsilon', '0.1')).code).toBe(2);
    expect((await certify('net.onnx', 'safe.vnnlib', '--epsilon', '-0.1')).code).toBe(2);
  });
});
