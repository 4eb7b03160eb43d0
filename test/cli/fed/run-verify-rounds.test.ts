import { expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { ok } from '../../../src/base/result.ts';
import { writeAdapter } from '../../../src/federated/adapter/adapter-file.ts';
import { layersOf, loraRules, startOf } from '../../../src/federated/lora-rules.ts';
import { readBaseModel } from '../../../src/federated/train/base-model.ts';
import { createWorld, draftOf, enabled, good, joinedAll, startNode, submittedAll } from '../../federated/nodes.ts';
import { runFiles } from '../../federated/train/support.ts';
import { runPv } from '../../support/memory-cli.ts';

it('verifies rounds beyond the limits that nodes have by default', async () => {
  const { certificate, weights } = await runFiles();
  const host = createMemoryHost();
  await host.writeFileAtomic('base/certificate.json', certificate);
  await host.writeFileAtomic('base/weights.safetensors', weights);
  const base = good(readBaseModel(certificate, weights));
  const config = enabled({ maxLoraRank: 96, maxTrainSteps: 5000, maxRoundParticipants: 64 });
  const draft = draftOf({
    baseModelSha: base.sha256,
    loraTargetModules: ['query'],
    loraRank: 96,
    trainSteps: 5000,
    minParticipants: 2,
    maxParticipants: 64,
  });
  const parts = {
    model: { sha: base.sha256, hiddenSize: 8, layers: 1, residentBytes: 1000 },
    train: async (manifest: Parameters<typeof layersOf>[1]) =>
      ok({
        bytes: writeAdapter(startOf(good(layersOf(base, manifest)), manifest)),
        numSamples: 1,
        trainLoss: 1,
      }),
  };
  const world = createWorld(['ada', 'bernd']);
  const setting = { config, rules: loraRules(base), parts };
  const ada = await startNode(world, 'ada', { ...setting, host });
  const nodes = [ada, await startNode(world, 'bernd', setting)];
  const round = await joinedAll(nodes, draft);
  await submittedAll(nodes, round);
  good(await ada.coordinator.finalizeAndPublish(round));
  const { code, stdout, stderr } = await runPv(['fed', 'verify', 'node', '--base', 'base'], { host });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^VERIFIED: round \w{26}: 2 submissions/);
  expect(code).toBe(0);
});
