/** Recorders that do more than they need, as edits of their text, are told by the claims of `contracts/trace-recording-v1.yaml` on what recording costs. */
import { describe, expect, it } from 'vitest';
import * as appendsOnce from '../../../generated/trace-recording-v1/goals/tr-ovh-002.ts';
import * as hashesLogitsOnce from '../../../generated/trace-recording-v1/goals/tr-ovh-001.ts';
import * as neverCatchesUp from '../../../generated/trace-recording-v1/goals/tr-ovh-004.ts';
import * as packsInOnePass from '../../../generated/trace-recording-v1/goals/tr-ovh-005.ts';
import * as sums from '../../../generated/trace-recording-v1/goals/tr-ovh-003.ts';
import { functionKernel, propertyTest, type GoalModule } from '../../../src/runtime/index.ts';
import type * as subject from '../../../src/trace/subjects/costs.ts';
import { editedModules, type Edit } from '../../support/edited-module.ts';

const editedModule = editedModules();

async function check(claim: GoalModule, edits: readonly Edit[]): Promise<void> {
  const { costs, packing } = await editedModule<typeof subject>('src/trace/subjects/costs.ts', edits);
  const kernels = { costs: functionKernel(costs), packing: functionKernel(packing) };
  await propertyTest(claim, kernels, { seed: 1, cases: 60, reproduce: 'this test' });
}

const edit =
  (file: string) =>
  (before: string, after: string): Edit => ({ file: `src/trace/${file}`, before, after });
const logits = edit('record/kept-logits.ts');
const tree = edit('record/growing-tree.ts');
const sink = edit('record/file-sink.ts');
const recording = edit('record/recording.ts');
const frames = edit('format/frame.ts');
const packer = edit('format/pack-journal.ts');

const hashed = 'logitsHash: sha256(littleEndianBytes(logits))';
const appended = 'file.append(begun().plainBlock([entry]))';
const added = 'if (unhashed.push(entry) === leavesAtOnce) hashLeaves();';

describe('claims on what recording costs', () => {
  it.each([
    ['TR-OVH-001', hashesLogitsOnce],
    ['TR-OVH-002', appendsOnce],
    ['TR-OVH-003', sums],
    ['TR-OVH-004', neverCatchesUp],
    ['TR-OVH-005', packsInOnePass],
  ])('%s holds of the recorder as it is', async (_, claim) => {
    await check(claim, []);
  });

  it.each<[string, GoalModule, readonly Edit[]]>([
    [
      'logits are hashed twice',
      hashesLogitsOnce,
      [logits(hashed, 'logitsHash: (sha256(littleEndianBytes(logits)), sha256(littleEndianBytes(logits)))')],
    ],
    [
      'logits are hashed as float64',
      hashesLogitsOnce,
      [logits(hashed, 'logitsHash: sha256(new Uint8Array(Float64Array.from(logits).buffer))')],
    ],
    [
      'logits are hashed one by one',
      hashesLogitsOnce,
      [
        logits(
          hashed,
          'logitsHash: sha256(...Array.from(logits, (one) => sha256(littleEndianBytes(Float32Array.of(one)))))',
        ),
      ],
    ],
    [
      'logits are hashed with those before',
      hashesLogitsOnce,
      [
        logits('/** What is known about a step', 'const all: Uint8Array[] = [];\n/** What is known about a step'),
        logits(hashed, 'logitsHash: (all.push(littleEndianBytes(logits).slice()), sha256(...all))'),
      ],
    ],
    [
      'a step is appended in two pieces',
      appendsOnce,
      [
        sink(
          appended,
          '(() => { const b = begun().plainBlock([entry]); file.append(b.subarray(0, 1)); return file.append(b.subarray(1)); })()',
        ),
      ],
    ],
    [
      'steps are appended two at a time',
      appendsOnce,
      [
        sink('let frames:', 'const kept: Parameters<FrameWriter["plainBlock"]>[0][number][] = [];\n  let frames:'),
        sink(appended, 'kept.push(entry) === 2 ? file.append(begun().plainBlock(kept.splice(0))) : ok(undefined)'),
      ],
    ],
    ['the root is made after every step', sums, [recording('tree.add(entry);', 'tree.add(entry);\n  tree.head();')]],
    [
      'leaves are hashed twice',
      sums,
      [
        tree(
          'tree.append(leafHash(entryLeaf(entry)))',
          '(leafHash(entryLeaf(entry)), tree.append(leafHash(entryLeaf(entry))))',
        ),
      ],
    ],
    [
      'a block is checked by two digests',
      sums,
      [frames('bytes.set(sha256(bytes.subarray(0, end))', 'bytes.set(sha256(sha256(bytes.subarray(0, end)))')],
    ],
    ['leaves wait for the root', neverCatchesUp, [tree(added, 'unhashed.push(entry);')]],
    [
      'the root is that of a tree built anew',
      neverCatchesUp,
      [
        tree(
          'return { size: tree.size, root: tree.root() };',
          'const anew = createCompactRange();\n      for (const leaf of all) anew.append(leaf);\n      return { size: anew.size, root: anew.root() };',
        ),
        tree('const unhashed: Entry[] = [];', 'const unhashed: Entry[] = [];\n  const all: Hash[] = [manifestHash];'),
        tree('tree.append(leafHash(entryLeaf(entry)))', 'all.push(leafHash(entryLeaf(entry)))'),
      ],
    ],
    [
      'leaves are hashed twice while a file is packed',
      packsInOnePass,
      [packer('group.push(entry);', 'group.push(entry);\n      leafHash(entryLeaf(entry));')],
    ],
    [
      'a file is packed entry by entry',
      packsInOnePass,
      [packer('group.length < blockEntries(opened.manifest.sketch)', 'group.length < 1')],
    ],
  ])('tell that %s', async (_, claim, edits) => {
    await expect(check(claim, edits)).rejects.toThrow(claim.goal.claim);
  });
});
