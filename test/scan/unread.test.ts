/** Holds src/scan/unread.ts. */
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { everyRule, scan, type Scan } from '../../src/scan/scan.ts';
import { noSettings } from '../../src/scan/settings.ts';

/** A scan of a folder: nobody asked for a file, but for those that are named. */
function scanFolder(files: Readonly<Record<string, string>>, named: readonly string[] = []): Promise<Scan> {
  const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
  const isAskedFor = (path: string): boolean => named.includes(path);
  return scan(createMemoryHost(files), sources, { rules: everyRule, types: false, settings: noSettings, isAskedFor });
}

const typed = 'export const initWeights = (n: ?number): {| size: number |} => Math.random();\n';
const template = 'module.exports.{{name}} = {{value}};\n';

describe('JavaScript that does not parse', () => {
  it.each([
    ['a pragma', `// @flow\n${typed}`],
    ['a pragma below a licence', `/**\n * A licence. *\n */\n'use strict';\n/* @flow strict */\n${typed}`],
  ])('with types of Flow is counted and no finding: %s', async (_name, text) => {
    const { findings, counts, strays } = await scanFolder({ 'a.js': text, 'b.js': "import './a';\n" });
    expect([findings.length, counts.flow, strays]).toEqual([0, 1, []]);
  });

  it('that Flow marks and that parses is scanned', async () => {
    const { findings, counts } = await scanFolder({ 'a.js': '// @flow\nconst initWeights = () => Math.random();\n' });
    expect([findings.length, counts.flow]).toEqual([1, 0]);
  });

  it('and that no file imports is named, and no finding', async () => {
    const { findings, strays } = await scanFolder({ 'src/tpl.js': template, 'a.js': "read('src/tpl.js');\n" });
    expect([findings.length, strays]).toEqual([0, ['src/tpl.js']]);
  });

  it('may have any name', async () => {
    const { strays } = await scanFolder({ 'data/k-u.(1)+é😀.txt.js': template });
    expect(strays).toEqual(['data/k-u.(1)+é😀.txt.js']);
  });

  it('and has a name with signs is a finding where a file imports it', async () => {
    const { findings } = await scanFolder({ 'a-(1).js': template, 'b.js': "import './a-(1).js';\n" });
    expect(findings).toHaveLength(1);
  });

  it.each([
    ['imports it', "import { a } from './src/tpl';\n"],
    ['imports it for its effects', "import './src/tpl.js';\n"],
    ['requires it', "const a = require('./src/tpl');\n"],
    ['imports it when it is needed', "const a = await import('./src/tpl.js');\n"],
  ])('is a finding where a file %s', async (_name, text) => {
    const { findings, strays } = await scanFolder({ 'src/tpl.js': template, 'a.mjs': text });
    expect([findings.map(({ diagnostic }) => diagnostic.code), strays]).toEqual([['PV-9110'], []]);
  });

  it.each([
    ['somebody asked for it', 'src/tpl.js', ['src/tpl.js'], template],
    ['it is marked for Flow, and somebody asked for it', 'a.js', ['a.js'], `// @flow\n${typed}`],
    ['the mark is not at its head', 'a.js', ['a.js'], `${typed}// @flow\n`],
    ['it is TypeScript', 'src/tpl.ts', [], template],
  ])('is a finding where %s', async (_name, path, named, text) => {
    const { findings } = await scanFolder({ [path]: text }, named);
    expect(findings.map(({ diagnostic }) => diagnostic.code)).toEqual(['PV-9110']);
  });
});

describe('draws without a seed', () => {
  const shuffle =
    'export function shuffleData(xs) { for (let i = xs.length - 1; i > 0; i--) { const j = Math.floor(Math.random() * (i + 1)); [xs[i], xs[j]] = [xs[j], xs[i]]; } }\n';

  it('are withheld and counted in a folder whose code neither learns nor searches', async () => {
    const { findings, counts } = await scanFolder({ 'a.js': shuffle });
    expect([findings.length, counts.withheld]).toEqual([0, 1]);
  });

  it('are reported where another file learns, or somebody asked for the file', async () => {
    const other = await scanFolder({
      'a.js': shuffle,
      'b.js': 'export const crossValidate = (xs) => shuffleData(xs);\n',
    });
    expect([other.findings.length, other.counts.withheld]).toEqual([1, 0]);
    expect((await scanFolder({ 'a.js': shuffle }, ['a.js'])).findings).toHaveLength(1);
  });

  it('withhold a clock as a seed where the file itself neither learns nor searches', async () => {
    const start = 'export const rng = mulberry32(Date.now());\n';
    const other = await scanFolder({ 'a.js': start, 'b.js': 'export const crossValidate = (xs) => xs;\n' });
    expect([other.findings.length, other.counts.withheld]).toEqual([0, 1]);
    const same = await scanFolder({ 'a.js': `${start}export const crossValidate = (xs) => xs;\n` });
    expect([same.findings.length, same.counts.withheld]).toEqual([1, 0]);
  });

  it('do not withhold a seed of 0 that is ignored, nor an uneven shuffle', async () => {
    const { findings } = await scanFolder({
      'a.js': 'const seed = options.seed || Date.now();\n',
      'b.js': 'export const mix = (xs) => xs.sort(() => Math.random() - 0.5);\n',
    });
    expect(findings.map(({ diagnostic }) => diagnostic.code)).toEqual(['PV-9108', 'PV-9133']);
  });
});
