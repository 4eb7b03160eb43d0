/** Holds src/subject/binding-reader.ts, src/subject/binding.ts. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/contract/yaml/parse.ts';
import { plainData } from '../../src/contract/yaml/node.ts';
import { invariant } from '../../src/base/invariant.ts';
import { bindingStatuses } from '../../src/subject/binding.ts';
import schema from '../../src/subject/binding.schema.json' with { type: 'json' };
import { backendIds } from '../../src/subject/kernel.ts';
import { readBindings } from '../../src/subject/read-bindings.ts';

/** The findings that a schema can have too: form, statuses, keys. Rows that repeat each other it cannot see. */
const formal = new Set(['PV-5004', 'PV-5011', 'PV-5012']);

const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false }).compile(schema);

function byReader(text: string): boolean {
  return !readBindings({ path: 'binding.yaml', text }).diagnostics.some(({ code }) => formal.has(code));
}

function bySchema(text: string): boolean {
  const { value } = parseYaml({ path: 'binding.yaml', text });
  invariant(value !== null, 'the text is YAML');
  return validate(plainData(value));
}

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const read = (relative: string): string => readFileSync(path(relative), 'utf8');

describe('binding.schema.json', () => {
  it.each([
    'contracts/binding.yaml',
    'examples/your-kernel/contracts/binding.yaml',
    'examples/your-kernel/wrong-binding.yaml',
  ])('finds nothing wrong with %s', (file) => {
    expect(bySchema(read(file)), JSON.stringify(validate.errors)).toBe(true);
    expect(byReader(read(file))).toBe(true);
  });

  it('lists the statuses and backends that the reader knows', () => {
    expect(schema.$defs.row.properties.status.enum).toEqual([...bindingStatuses]);
    expect(schema.$defs.row.properties.backends.items.enum).toEqual([...backendIds]);
  });

  it('describes every key for editors', () => {
    for (const [key, property] of Object.entries({ ...schema.properties, ...schema.$defs.row.properties }))
      expect(property.description, key).toMatch(/\.$/);
  });

  const value = fc.oneof(
    fc.constantFrom('softmax', 'src/a.ts', ' ', '', 'implementd', ...bindingStatuses, ...backendIds),
    fc.constantFrom(null, true, 0, 1, 1.5, 100, 2 ** 30, 2 ** 30 + 1),
  );
  const list = fc.array(fc.oneof({ weight: 4, arbitrary: value }, fc.constant([]), fc.constant({})), { maxLength: 3 });
  const any = fc.oneof({ weight: 6, arbitrary: value }, { weight: 2, arbitrary: list }, fc.constant({ a: 1 }));
  const whole = { contract: 'softmax-kernel-v1.yaml', equation: 'softmax', module_path: 'src/a.ts', function: 'f' };
  const rowKeys = [...Object.keys(schema.$defs.row.properties), 'modul_path', 'metadata'];
  const change = fc.tuple(fc.constantFrom(...rowKeys), fc.option(any, { nil: undefined, freq: 4 }));
  const statusChange = fc.tuple(fc.constant('status'), fc.constantFrom(undefined, ...bindingStatuses));
  const row = fc
    .array(fc.oneof(change, statusChange), { maxLength: 3 })
    .map((changes): object => ({ ...whole, ...Object.fromEntries(changes) }));
  const file = fc.record(
    {
      bindings: fc.oneof({ weight: 9, arbitrary: fc.array(fc.oneof({ weight: 9, arbitrary: row }, any)) }, any),
      version: any,
      target: any,
      target_crate: any,
      metadata: any,
      binding: any,
    },
    { requiredKeys: [] },
  );

  it('accepts exactly what the reader accepts, row by row', () => {
    let [right, wrong] = [0, 0];
    fc.assert(
      fc.property(row, (one) => {
        const text = JSON.stringify({ bindings: [one] });
        const accepted = byReader(text);
        if (accepted) right++;
        else wrong++;
        expect(bySchema(text)).toBe(accepted);
      }),
      { numRuns: 2000 },
    );
    // The rows must not all be of one kind.
    expect(Math.min(right, wrong)).toBeGreaterThan(200);
  });

  it('accepts exactly the files that the reader accepts', () => {
    fc.assert(
      fc.property(file, (data) => {
        const text = JSON.stringify(data);
        expect(bySchema(text)).toBe(byReader(text));
      }),
      { numRuns: 1000 },
    );
  });

  const shared = path('../shared/data/contracts-provable-contracts/binding-aprender.yaml');
  it.skipIf(!existsSync(shared))(
    `finds in upstream's 284 rows what the reader finds (${existsSync(shared) ? 'shared data present' : 'shared data absent'})`,
    () => {
      const text = readFileSync(shared, 'utf8');
      const found = readBindings({ path: 'binding.yaml', text }).diagnostics;
      const contradictions = found.filter(({ code }) => code === 'PV-5011').length;
      expect(bySchema(text)).toBe(false);
      const rows = new Set(validate.errors?.map(({ instancePath }) => instancePath.split('/')[2]));
      expect(rows.size).toBe(contradictions);
    },
  );
});
