/** The recipes of docs/found-in-the-wild.md: its commands are typed, and pv says what the page says. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { runPv } from '../support/memory-cli.ts';

const data = new URL('../../../shared/data', import.meta.url).pathname;
const isThere = existsSync(`${data}/strangers/configs`) && existsSync(`${data}/train-configs-albor`);
const page = readFileSync('docs/found-in-the-wild.md', 'utf8');

interface Row {
  readonly words: readonly string[];
  readonly files: readonly string[];
  readonly says: string;
}

const rows: readonly Row[] = [...page.matchAll(/^\| `pv (check [^`]+)` \| [^`|]*`([^`]+)` \|/gm)].map(
  ([, command = '', says = '']) => {
    const words = command.split(' ');
    return { words, files: words.filter((word) => /\.ya?ml$/.test(word)), says };
  },
);
const contracts = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync('contracts')
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => [`/pv/contracts/${name}`, readFileSync(`contracts/${name}`, 'utf8')]),
  );

/** A file of a project, in the corpus: there its name is its path with `_` for `/`, or albor's without its folder. */
function textOf(path: string): string {
  const folders = readdirSync(`${data}/strangers/configs`).map((name) => `${data}/strangers/configs/${name}`);
  const all = [
    ...folders.map((folder) => `${folder}/${path.replaceAll('/', '_')}`),
    `${data}/train-configs-albor/${basename(path)}`,
  ];
  return readFileSync(all.find((file) => existsSync(file)) ?? path, 'utf8');
}

describe('the recipes found in the wild', () => {
  it.runIf(isThere).each(rows)('$says', async ({ words, files, says }) => {
    const texts = Object.fromEntries(files.map((path) => [path, textOf(path)]));
    const { stdout, stderr } = await runPv(words, { files: { ...contracts(), ...texts } });
    expect(`${stdout}${stderr}`.split(says).length - 1, `${stdout}${stderr}`).toBe(files.length);
  });

  it.runIf(!isThere)(`are not checked: ${data} has no configs`, () => {
    expect(isThere).toBe(false);
  });

  test('are as many as the page says', () => {
    const sections = page.split('\n## ');
    const operators = sections[1]?.split('\n').filter((line) => /^\| (?!library|command)\w/.test(line)).length ?? 0;
    const places = page.match(/^\| \S+ [\d.]+(?:-\S+)? +\| (?:`pv scan |the same)/gm)?.length ?? 0;
    const recipes = rows.flatMap(({ files }) => files).length;
    const audited = readFileSync('docs/audit-of-public-contracts.md', 'utf8');
    const statements = audited.match(/^\| `pv adopt/gm)?.length ?? 0;
    const inFloats = audited.match(/^\| `pv adopt.*\| false-in-float\d\d \|/gm)?.length ?? 0;
    expect(page.replaceAll('\n', ' ')).toContain(
      `${operators + recipes + places + statements} entries: ${operators} operators, ${recipes} recipes, ${places} places in code, and the ${statements} statements`,
    );
    expect(page).toContain(`(${statements - inFloats} over ℝ, ${inFloats} in floats only)`);
  });
});
