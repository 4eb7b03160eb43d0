import { expect, it } from 'vitest';
import { gpuStanding } from '../../src/audit/gpu-standing.ts';
import { invariant } from '../../src/base/invariant.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import { abortedResult } from '../../src/plan/run-job.ts';
import type { Plan } from '../../src/plan/make-plan.ts';
import { planOf, planOptions } from '../plan/projects.ts';
import { doublingContract, doublingKernel } from './audited.ts';

const yaml = doublingContract([['D(x)_i = 2·x_i'], ['D(-x)_i = -D(x)_i']]);
const { tool } = planOptions;
const renderers = {
  swiftshader: 'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)',
  llvmpipe: 'ANGLE (Mesa/X.org, llvmpipe (LLVM 15.0.6 256 bits), OpenGL ES 3.2)',
} as const;

const onDevices = await planOf({ 'double-v1': yaml }, [doublingKernel], {
  backends: ['webgl2', 'webgpu'],
  devices: ['swiftshader', 'llvmpipe'],
});
const onProcessor = await planOf({ 'double-v1': yaml }, [doublingKernel]);

/** Receipts of every check on a device of `plan`. */
function receiptsOf(plan: Plan): readonly Receipt[] {
  return plan.checks
    .filter(({ device }) => device !== undefined)
    .map((check) => {
      const { receipt } = abortedResult({ check, replay: [], timeoutMs: 0, tool }, 'tested', '');
      invariant(check.device === 'swiftshader' || check.device === 'llvmpipe', 'the plan names both');
      return { ...receipt, reason: null, cases: 5, backend: { ...receipt.backend, device: renderers[check.device] } };
    });
}

const all = receiptsOf(onDevices);
const goals = (plan: Plan) => plan.contracts[0]?.goals ?? [];
const standing = (receipts: readonly Receipt[], plan: Plan = onDevices) => gpuStanding(goals(plan), receipts, tool);
const on = (name: string) => all.filter(({ backend }) => backend.device.includes(name));

it('plans a check for each backend on each device, and says so in its id', () => {
  expect(all).toHaveLength(2 * 2 * 2);
  expect(new Set(all.map(({ check }) => check)).size).toBe(all.length);
});

it('is verified by two implementations, whatever the run requests', () => {
  const verified = { standing: 'verified', devices: ['SwiftShader', 'llvmpipe'], failedOn: [] };
  expect(standing(all)).toEqual(verified);
  expect(standing(all, onProcessor)).toEqual(verified);
});

it('counts WebGL2 and WebGPU on one driver once', () => {
  expect(standing(on('SwiftShader'))).toEqual({ standing: 'one device', devices: ['SwiftShader'], failedOn: [] });
});

it('needs every claim on a device', () => {
  const [first] = on('llvmpipe');
  expect(
    standing(all.filter(({ backend, goal }) => !(backend.device === first?.backend.device && goal === first.goal))),
  ).toEqual({ standing: 'one device', devices: ['SwiftShader'], failedOn: [] });
  expect(first && standing([first])).toMatchObject({ standing: 'incomplete' });
});

it('fails with one claim on one device', () => {
  const broken = all.map((receipt, i) =>
    i === 0 ? { ...receipt, verdict: 'falsified' as const, reason: 'so' } : receipt,
  );
  expect(standing(broken)).toEqual({ standing: 'failed', devices: ['llvmpipe'], failedOn: ['SwiftShader'] });
});

it('takes no receipt of another build, kernel or claim, and none of a run without cases', () => {
  const none = { standing: 'not run', devices: [], failedOn: [] };
  expect(standing([])).toEqual(none);
  expect(gpuStanding(goals(onDevices), all, { ...tool, version: 'another' })).toEqual(none);
  expect(standing(all.map((one) => ({ ...one, subject: { ...one.subject, hash: 'sha256:0' } })))).toEqual(none);
  expect(standing(all.map((one) => ({ ...one, goalDigest: 'sha256:0' })))).toEqual(none);
  expect(standing(all.map((one) => ({ ...one, cases: 0 })))).toEqual(none);
  expect(standing(all.map((one) => ({ ...one, backend: { ...one.backend, id: 'gpujs-webasm' } })))).toEqual(none);
});

it('says nothing of a contract that no device could run', async () => {
  const text = 'export function kernel(x: Float32Array): Float32Array { return x.map((v) => 2 * v); }';
  const plain = await planOf({ 'double-v1': yaml }, [{ ...doublingKernel, text }]);
  expect(gpuStanding(goals(plain), [], tool)).toBeNull();
});
