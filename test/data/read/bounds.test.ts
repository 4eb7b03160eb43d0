/**
 * The table of bounds in docs/data-formats.md, against the figures that the code has.
 *
 * Holds src/data/read/read-bytes.ts.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALIASED_NODE_LIMIT } from '../../../src/contract/yaml/build.ts';
import { MAX_CONTRACT_LENGTH } from '../../../src/contract/yaml/hygiene.ts';
import { MAX_VALUES } from '../../../src/contract/yaml/parse.ts';
import { MAX_NESTING as YAML_NESTING } from '../../../src/contract/yaml/syntax-errors.ts';
import { DEFAULT_MAX_ROWS } from '../../../src/data/read/data-set.ts';
import { MAX_HELD } from '../../../src/data/read/read-bytes.ts';
import { MAX_RECORD } from '../../../src/data/read/stream/event-file.ts';
import { MAX_LINE_LENGTH } from '../../../src/data/read/stream/lines.ts';
import { MAX_NESTING } from '../../../src/data/read/syntax/json.ts';
import { MAX_EVENT } from '../../../src/data/read/trace/split-events.ts';
import { readFileContent } from '../../support/read-data-file.ts';

const MI = 1024 ** 2;
const table =
  readFileSync(new URL('../../../docs/data-formats.md', import.meta.url), 'utf8').split('## Bounds')[1] ?? '';

test.each([
  ['rows of a table', `${DEFAULT_MAX_ROWS / 1e6} million`],
  ['a line', `${MAX_LINE_LENGTH / MI} Mi characters`],
  ['a config or JSON document', `${MAX_HELD / MI} MiB, ${MAX_NESTING} levels`],
  ['a config in YAML', `${MAX_CONTRACT_LENGTH / MI} Mi characters`],
  ['a config in YAML', `${YAML_NESTING} levels`],
  ['a config in YAML', `${MAX_VALUES.toLocaleString('en')} values`],
  ['a config in YAML', `aliases repeat ${ALIASED_NODE_LIMIT.toLocaleString('en')} nodes`],
  ['an event of a profile', `${MAX_EVENT / MI} MiB`],
  ['a record of an event file', `${MAX_RECORD / MI} MiB`],
])('%s: %s', (what, figure) => {
  const row = table.split('\n').find((line) => line.startsWith(`| ${what} |`));
  expect(row).toContain(figure);
});

const nested = (levels: number): string =>
  `max_steps: 5\nlr: 0.1\nx: ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}\n`;
const padded = (length: number): string => `max_steps: 5\nlr: 0.1\n`.padEnd(length, '#');

test('YAML is read up to its bounds, and refused beyond them', async () => {
  for (const text of [nested(YAML_NESTING), padded(MAX_CONTRACT_LENGTH)])
    expect((await readFileContent('x.yaml', text)).value('max_steps')).toBe(5);
  for (const text of [nested(YAML_NESTING + 1), padded(MAX_CONTRACT_LENGTH + 1)]) {
    const { data, codes } = await readFileContent('x.yaml', text);
    expect([data, codes]).toEqual([null, [expect.stringMatching(/^PV-10/)]]);
  }
});
