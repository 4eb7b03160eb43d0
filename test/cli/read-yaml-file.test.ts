/** Every command that reads settings in YAML refuses files of which it would take only a part. Holds src/cli/read-yaml-file.ts. */
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { runPv, type Ran } from '../support/memory-cli.ts';
import { trainerFolder } from '../support/trainer-folder.ts';
import { recordedRun, textOf } from '../training/records/recorded-run.ts';

const commands: readonly (readonly [what: string, args: readonly string[], name: string, good: string])[] = [
  [
    'a run file',
    ['train', 'settings.yaml', '--out', 'out'],
    'a run file',
    'format: pv-training-run/1\nsteps: 1\nmodel: { kind: gnn, features: 2, hidden: [2], classes: 2 }\n',
  ],
  [
    'an invariants file',
    ['certificate', 'import', 'records', '--invariants', 'settings.yaml', '--out', 'out'],
    'an invariants file',
    'format: pv-training-invariants/1\ninvariants:\n  - WeightNormBound: { max_norm: 8 }\n',
  ],
  [
    'the configuration of a resume',
    ['resume', 'check', 'checkpoint-25', '--config', 'settings.yaml'],
    'a configuration',
    'format: other\nlearning_rate: 1e-3\n',
  ],
];

function run(args: readonly string[], settings: string): Promise<Ran> {
  const { lines, weights } = recordedRun(2);
  const host = createMemoryHost({ 'settings.yaml': settings, 'records/steps.jsonl': textOf(lines) });
  host.files.set('/project/records/weights.safetensors', weights);
  for (const [name, bytes] of trainerFolder()) host.files.set(`/project/checkpoint-25/${name}`, bytes);
  return runPv(args, { host });
}

describe.each(commands)('%s', (_, args, name, good) => {
  it.each([
    ['a key twice', `${good}format: other\n`, 'error[PV-1006]', 'format'],
    ['a key twice in a mapping below', `${good}more: { a: 1, a: 2 }\n`, 'error[PV-1006]', 'a'],
    [
      'a second document',
      `${good}---\n${good}`,
      'error[PV-1009]',
      `The file contains 2 YAML documents; ${name} contains one`,
    ],
    ['nothing', '\n', 'error[PV-1002]', 'The file is empty'],
    ['only comments', '# later\n', 'error[PV-1002]', 'The file contains only comments'],
    ['a list', '- 1\n', 'error[PV-1010]', `The file contains a list; ${name} is a mapping of keys`],
    ['a word', 'softmax\n', 'error[PV-1010]', `The file contains a single value; ${name} is a mapping of keys`],
    ['JSON with a key twice', '{"format": 1, "format": 2}', 'error[PV-1006]', 'format'],
  ])('with %s is refused', async (_what, settings, code, message) => {
    const ran = await run(args, settings);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(code);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).not.toMatch(/metadata|contract/);
  });

  it.each([
    ['anchors, an explicit start and an end', `---\nmore: &a { x: 1 }\nagain: *a\n${good}...\n`],
    ['the same key in two mappings', `${good}one: { a: 1 }\ntwo: { a: 1 }\n`],
  ])('with %s is read', async (_what, settings) => {
    expect((await run(args, settings)).stderr).not.toMatch(/error\[PV-1/);
  });
});
