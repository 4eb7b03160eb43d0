/** The shipped contracts tell kernels that nobody of their authors wrote apart: the right ones from the wrong. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contradiction, judgeVariant, variantProject, type KernelVariant } from '../support/kernel-variants.ts';
import { writtenOtherwise } from './written-otherwise/table.ts';

const folder = 'test/kernels/written-otherwise';

const variants = writtenOtherwise.flatMap((row): readonly KernelVariant[] =>
  Object.entries(row.kernels).map(([functionName, is]) => ({
    equation: row.equation,
    module: `${folder}/${row.module}.ts`,
    functionName,
    ...(row.arguments ? { arguments: row.arguments } : {}),
    cases: row.cases ?? 300,
    wrong: is === 'right' ? null : is,
  })),
);
const named = (name: string): KernelVariant => {
  const found = variants.find(({ functionName }) => functionName === name);
  if (!found) throw new Error(`no kernel ${name}`);
  return found;
};

const wrongAsRight: KernelVariant = { ...named('softmaxEpsilon'), wrong: null };
const rightAsWrong: KernelVariant = { ...named('softmaxOnline'), wrong: 'it is not' };
const declarations = [...variants, wrongAsRight, rightAsWrong];
const project = await variantProject(declarations);
const verdict = async (variant: KernelVariant): Promise<string | null> =>
  contradiction(variant, await judgeVariant(project, variant));

describe('kernels written otherwise', () => {
  it('are all kernels of their equations', () => {
    expect(project.refused.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
    expect(project.variants.size).toBe(declarations.length);
  });

  it('are those of the folder, each described as it describes itself', () => {
    const own = readdirSync(new URL('written-otherwise', import.meta.url))
      .filter((name) => name !== 'table.ts')
      .flatMap((name) => {
        const text = readFileSync(new URL(`written-otherwise/${name}`, import.meta.url), 'utf8');
        const exported = text.matchAll(/(?:\/\*\* Wrong: (.*)\. \*\/\n)?^export (?:async )?function (\w+)/gm);
        return [...exported].map(([, wrong = 'right', functionName]) => `${folder}/${name} ${functionName}: ${wrong}`);
      });
    const listed = variants.map(({ module, functionName, wrong }) => `${module} ${functionName}: ${wrong ?? 'right'}`);
    expect(listed.toSorted()).toEqual(own.toSorted());
  });

  it.each(variants.filter(({ wrong }) => wrong === null))(
    '$functionName is right, and every claim of $equation holds of it',
    async (variant) => {
      expect(await verdict(variant)).toBeNull();
    },
  );

  it.each(variants.filter(({ wrong }) => wrong !== null))(
    '$functionName is wrong ($wrong), and a claim of $equation says so',
    async (variant) => {
      expect(await verdict(variant)).toBeNull();
    },
  );
});

describe('the table', () => {
  it('cannot call a wrong kernel right', async () => {
    const said = await verdict(wrongAsRight);
    expect(said).toContain('softmaxEpsilon (test/kernels/written-otherwise/softmax.ts) as softmax-kernel-v1/softmax');
    // The claim, by how much it is missed, and where.
    expect(said).toMatch(/FALSIFY-SM-001: .*\|difference\|.* at \{.*\[88, 89, 90\]/);
    expect(said).toContain('to see it');
  });

  it('cannot call a right kernel wrong', async () => {
    expect(await verdict(rightAsWrong)).toMatch(/softmaxOnline .* is wrong \(it is not\), and none of FALSIFY-SM-001/);
  });
});
