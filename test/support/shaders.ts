/** Compute shaders, in the styles in which public projects write them, as subjects of an equation. */
import type { EquationModel } from '../../src/contract/goal.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import type { BoundSubject } from '../../src/subject/bound-subject.ts';
import { readBindings } from '../../src/subject/read-bindings.ts';
import { resolveBindings } from '../../src/subject/resolve.ts';

export interface ShaderSubject {
  readonly subject: BoundSubject | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** `keys` are further lines of the binding's row. */
export async function shaderSubject(
  text: string,
  model: EquationModel,
  keys = '',
  kind = 'wgsl',
): Promise<ShaderSubject> {
  const row = `  - contract: c\n    equation: ${model.name}\n    kind: ${kind}\n    module_path: k.wgsl\n    function: main\n    status: implemented\n`;
  const own = keys === '' ? '' : `    ${keys.replaceAll('\n', '\n    ')}\n`;
  const read = readBindings({ path: 'binding.yaml', text: `bindings:\n${row}${own}` });
  const host = createMemoryHost({ 'k.wgsl': text });
  const { value, diagnostics } = await resolveBindings(read.value.rows, new Map([['c', [model]]]), host);
  return { subject: value[0], diagnostics: [...read.diagnostics, ...diagnostics] };
}

const head = `
struct Params { n: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> logits: array<f32>;
@group(0) @binding(2) var<storage, read_write> probs: array<f32>;
`;

/** A softmax that one workgroup computes with a tree of partial results, as most of the engines for language models do. */
export const treeSoftmax = `${head}
const width = 64u;
var<workgroup> part: array<f32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) lid: vec3<u32>) {
  let t = lid.x;
  var m = -3.4e38;
  for (var i = t; i < params.n; i += width) { m = max(m, logits[i]); }
  part[t] = m;
  workgroupBarrier();
  for (var s = width / 2u; s > 0u; s = s / 2u) {
    if (t < s) { part[t] = max(part[t], part[t + s]); }
    workgroupBarrier();
  }
  let top = part[0];
  workgroupBarrier();
  var sum = 0.0;
  for (var i = t; i < params.n; i += width) { sum += exp(logits[i] - top); }
  part[t] = sum;
  workgroupBarrier();
  for (var s = width / 2u; s > 0u; s = s / 2u) {
    if (t < s) { part[t] = part[t] + part[t + s]; }
    workgroupBarrier();
  }
  let total = part[0];
  for (var i = t; i < params.n; i += width) { probs[i] = exp(logits[i] - top) / total; }
}
`;

/** One invocation for each element, each of which reads all inputs; `body` is what it does after that. */
export const flatSoftmax = (body: string, before = ''): string => `${head}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3<u32>) {
  let i = gid.x;
  let n = params.n;
  ${before}
  if (i >= n) { return; }
  var m = logits[0];
  for (var j = 1u; j < n; j++) { m = max(m, logits[j]); }
  var sum = 0.0;
  for (var j = 0u; j < n; j++) { sum += exp(logits[j] - m); }
  let y = exp(logits[i] - m) / sum;
  ${body}
}
`;
