/** Each bug of a real project, re-created in small, is led back to the contract that prevents it. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import type { Diagnosis } from '../../../src/data/diagnose/diagnosis.ts';
import { runPv } from '../../support/memory-cli.ts';
import { bugs, healthyRun, type RunFiles } from './runs.ts';

const folder = 'test/fixtures/diagnose';
const contracts: RunFiles = Object.fromEntries([
  ...readdirSync(folder).map((name) => [`contracts/${name}`, readFileSync(`${folder}/${name}`, 'utf8')]),
  ['contracts/training-config-kernel-v1.yaml', readFileSync('contracts/training-config-kernel-v1.yaml', 'utf8')],
]);

async function diagnosisOf(files: RunFiles): Promise<{ readonly code: number; readonly found: Diagnosis }> {
  const ran = await runPv(['diagnose', 'run', '--format', 'json', '--set', 'num_parameters=1000000'], {
    files: { ...contracts, ...healthyRun, ...files },
  });
  expect(ran.stderr).toBe('');
  return { code: ran.code, found: JSON.parse(ran.stdout) };
}

const nameOf = ({ contract, id }: { readonly contract: string; readonly id: string }): string => `${contract}/${id}`;

describe('a healthy run', () => {
  it('has no finding, and every granularity was looked at', async () => {
    const { code, found } = await diagnosisOf({});
    expect(found.chains).toEqual([]);
    expect(found.firstSymptom).toBeNull();
    expect(found.bricks.map(({ evaluated, violated }) => [evaluated > 0, violated])).toEqual(
      Array.from({ length: 4 }, () => [true, 0]),
    );
    expect(code).toBe(exitCodes.ok);
  });
});

describe('a bug', () => {
  it.each(bugs)('$name', async ({ files, root, granularity, scope, nature, whys }) => {
    const { code, found } = await diagnosisOf(files);
    expect(code).toBe(exitCodes.findings);
    const chain = found.chains.find((one) => nameOf(one.whys.at(-1) ?? one.whys[0]) === root);
    expect(chain?.end.kind).toBe('root');
    expect(chain?.whys.map(nameOf)).toEqual(whys);
    expect(chain?.whys.at(-1)?.brick).toMatchObject({ granularity, scope, nature });
    // Nothing is left unexplained beside it.
    expect(found.chains.filter(({ end }) => end.kind !== 'root')).toEqual([]);
  });
});
