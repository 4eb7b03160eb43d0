/**
 * A submission that python/pv_federated.py wrote, read by the protocol. Holds python/pv_federated.py. Skipped where no Python has
 * torch; on Debian, `apt-get install python3-torch` brings it.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../src/base/canonical-json.ts';
import { adapterFault } from '../../src/federated/adapter/adapter-fault.ts';
import { readAdapter } from '../../src/federated/adapter/adapter-file.ts';
import { manifestForm, manifestSha, type RoundManifest } from '../../src/federated/manifest.ts';
import { submissionForm } from '../../src/federated/statements.ts';
import type { RoundId } from '../../src/federated/ulid.ts';
import { sign } from '../../src/federated/wire/signed.ts';
import { openSigned } from '../../src/federated/wire/signed.ts';
import { sha256 } from '../../src/merkle/sha256.ts';
import { generateSigner } from '../../src/notes/signer.ts';
import { draftOf, good, idOf, signerOf } from '../federated/nodes.ts';
import { repositoryRoot } from '../support/built.ts';
import { absentTorch, python } from '../support/python-torch.ts';

const folder = mkdtempSync(join(tmpdir(), 'pv-federated-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const layers = [{ path: 'model.q_proj', inputs: 6, outputs: 4 }];
const manifest: RoundManifest = sign(
  manifestForm,
  {
    ...draftOf({ loraTargetModules: ['q_proj'], loraRank: 2, learningRate: 0.00012345678 }),
    format: 'pv-fedlearn-manifest/1',
    roundId: '01KT1GW6G0VYEDNCZY18V8J49C' as RoundId, // the form is right
    coordinator: idOf('anna'),
  },
  signerOf('anna'),
);

const script = `
import sys, json, torch
sys.path.insert(0, sys.argv[1])
import pv_federated as fed

class Lora(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lora_A = torch.nn.ModuleDict({"default": torch.nn.Linear(6, 2, bias=False)})
        self.lora_B = torch.nn.ModuleDict({"default": torch.nn.Linear(2, 4, bias=False)})

class Wrapped(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.base_model = torch.nn.ModuleDict({"model": torch.nn.ModuleDict({"model": torch.nn.ModuleDict({"q_proj": Lora()})})})

torch.manual_seed(1)
model = Wrapped()
adapter = {name: p for name, p in model.named_parameters() if "lora_" in name}
manifest = fed.read_manifest("manifest.json")
assert manifest["sha"] == sys.argv[2], manifest["sha"]
fed.write_submission("submission", manifest, "ben.key", adapter, num_samples=12, train_loss=1.23456789e-7)
other = Wrapped()
sha = json.load(open("submission/submission.json"))["delta_sha"]
fed.apply_adapter(other, "submission/adapter_model.safetensors", sha)
assert all(torch.equal(a, b) for a, b in zip(model.parameters(), other.parameters()))
for name, attempt in {
    "another digest": lambda: fed.apply_adapter(other, "submission/adapter_model.safetensors", "0" * 64),
    "another rank": lambda: fed.write_submission("x", {**manifest, "lora_rank": 3}, "ben.key", adapter, 1, 1.0),
    "NaN": lambda: fed.write_submission("x", manifest, "ben.key", {n: p * float("nan") for n, p in adapter.items()}, 1, 1.0),
    "nothing": lambda: fed.write_submission("x", manifest, "ben.key", {}, 1, 1.0),
    "secure aggregation": lambda: fed.write_submission("x", {**manifest, "secure": "double_mask"}, "ben.key", adapter, 1, 1.0),
    "a public key": lambda: fed.write_submission("x", manifest, "ben.pub", adapter, 1, 1.0),
    "a loss that is not a number": lambda: fed.write_submission("x", manifest, "ben.key", adapter, 1, float("inf")),
}.items():
    try:
        attempt()
    except ValueError:
        continue
    raise SystemExit("took " + name)
print(json.dumps([fed.number(x) for x in json.load(open("numbers.json"))]))
`;

const numbers = [
  1, 0.1, 1e-7, 1.5e-7, 1e21, 123456789012345680000, 5e-324, 1.7976931348623157e308, 0.000001, 4.5, 1e23, -2.5e-9, 100,
];

describe.skipIf(absentTorch)('a submission from PyTorch', { timeout: 120_000 }, () => {
  let printed = '';
  beforeAll(() => {
    const seed = new Uint8Array(32);
    seed.set(new TextEncoder().encode('ben'));
    seed[31] = 7; // as signerOf has it
    const { signerKey, verifierKey } = good(generateSigner('ben', 'ed25519', seed));
    writeFileSync(join(folder, 'ben.key'), `${signerKey}\n`);
    writeFileSync(join(folder, 'ben.pub'), `${verifierKey}\n`);
    writeFileSync(join(folder, 'manifest.json'), canonicalJson(manifestForm.encode(manifest)));
    writeFileSync(join(folder, 'numbers.json'), JSON.stringify(numbers));
    const ran = spawnSync(python ?? 'python3', ['-c', script, join(repositoryRoot, 'python'), manifestSha(manifest)], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    if (ran.status !== 0) throw new Error(ran.stderr);
    printed = ran.stdout;
  });

  it('has a signature that the protocol accepts, about the manifest and the delta', async () => {
    const text = readFileSync(join(folder, 'submission/submission.json'), 'utf8');
    const opened = good(await openSigned(submissionForm, JSON.parse(text), (node) => node === idOf('ben')));
    const delta = new Uint8Array(readFileSync(join(folder, 'submission/adapter_model.safetensors')));
    expect(opened).toMatchObject({
      manifestSha: manifestSha(manifest),
      deltaSha: bytesToHex(sha256(delta)),
      deltaSize: delta.length,
      numSamples: 12,
      trainLoss: 1.23456789e-7,
    });
    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });

  it('has the factors of the round, and nothing else', () => {
    const delta = new Uint8Array(readFileSync(join(folder, 'submission/adapter_model.safetensors')));
    expect(adapterFault(delta, { layers, targetModules: ['q_proj'], rank: 2, alpha: 16, frozen: null })).toBeNull();
    expect([...good(readAdapter(delta)).keys()]).toEqual([
      'base_model.model.model.q_proj.lora_A.weight',
      'base_model.model.model.q_proj.lora_B.weight',
    ]);
  });

  it('writes numbers as ECMAScript does', () => {
    expect(JSON.parse(printed)).toEqual(numbers.map((value) => JSON.stringify(value)));
  });
});

it('the file for PyTorch is short, and needs nothing but torch', () => {
  const content = readFileSync(join(repositoryRoot, 'python/pv_federated.py'), 'utf8');
  expect(content.split('\n').length).toBeLessThanOrEqual(200);
  const imports = [...content.matchAll(/^\s*(?:import|from) (.*)$/gm)].map(([, what]) => what);
  expect(imports).toEqual(['base64, ctypes, datetime, hashlib, json, math, os, re, struct', 'torch']);
});
