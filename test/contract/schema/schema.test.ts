/** Holds src/contract/schema/check.ts. */
import { readFileSync } from 'node:fs';
import type { AnySchemaObject } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { readContract } from '../../../src/contract/read.ts';
import { knownKeys } from '../../../src/contract/schema/validate.generated.ts';
import { positionAt } from '../../../src/diagnostics/source.ts';

const schema: AnySchemaObject = JSON.parse(readFileSync('src/contract/schema/contract.schema.json', 'utf8'));

function findings(text: string): readonly string[] {
  return readContract({ path: 'x.yaml', text }).diagnostics.map((diagnostic) => {
    const place = diagnostic.span && positionAt(diagnostic.span.source, diagnostic.span.range.start);
    return `${diagnostic.code} ${place?.line}:${place?.column} ${diagnostic.message}${diagnostic.hint === null ? '' : ` | ${diagnostic.hint}`}`;
  });
}

describe('contract.schema.json', () => {
  it('describes every key for editors', () => {
    const undescribed = Object.entries<AnySchemaObject>({ contract: schema, ...schema['$defs'] }).flatMap(
      ([name, definition]) =>
        Object.entries<AnySchemaObject>(definition['properties'] ?? {})
          .filter(([, property]) => property['description'] === undefined && property['$ref'] === undefined)
          .map(([key]) => `${name}.${key}`),
    );
    expect(undescribed).toEqual([]);
  });

  it('has the keys that decoding requires', () => {
    for (const kind of [
      'contract',
      'metadata',
      'equation',
      'obligation',
      'tolerance',
      'methods',
      'methods.property',
      'falsificationTest',
      'kaniHarness',
      'qaGate',
      'equivalentMutant',
      'kernelStructure',
      'phase',
    ]) {
      expect(knownKeys[kind]?.length ?? 0).toBeGreaterThan(0);
    }
  });

  it('is compiled to code that needs no schema compiler at run time', () => {
    expect(readFileSync('src/contract/schema/validate.generated.ts', 'utf8')).not.toMatch(
      /require\(|\bimport\b|new Function|\beval\b/,
    );
  });
});

describe('findings', () => {
  it.each([
    ['NaN', '.nan'],
    ['inf', '.inf'],
    ['-Infinity', '-.inf'],
  ])('say how YAML writes %s where a number belongs', (written, yaml) => {
    const [found] = findings(
      `metadata: { version: "1", description: d }\nequations: {}\nproof_obligations:\n  - { type: bound, property: p, tolerance: { abs: ${written} } }\n`,
    );
    expect(found).toContain(`YAML writes this number ${yaml}`);
  });

  it('point at the key or value, never show the validator', () => {
    expect(findings('metadata: { version: "1", description: 5 }\nequations:\n  a: { domain: [x] }\n')).toEqual([
      "PV-2002 1:40 'description' must be text, and is '5' | Put it in quotes if text is meant.",
      "PV-2001 3:3 equation 'a' has no 'formula' | Add 'formula:'.",
      "PV-2002 3:8 'domain' must be text, and is a list",
    ]);
  });

  it('fold a missing and a misspelt key into one', () => {
    expect(findings('metadata: { version: "1", descripton: d }\n')).toEqual([
      "PV-2003 1:27 There is no key 'descripton' here; it is read as 'description' | Write 'description'.",
    ]);
  });

  it('understand words for a key that are far from it', () => {
    expect(findings('metadata: { version: "1", description: d }\nobligations: []\n')).toEqual([
      "PV-2003 2:1 There is no key 'obligations' here; it is read as 'proof_obligations' | Write 'proof_obligations'.",
    ]);
  });

  it('do not take a key for a misspelling of one that is there', () => {
    expect(findings('metadata: { version: "1", description: d, versions: [] }\n')[0]).toMatch(/^PV-2006/);
  });

  it('suggest the nearest word of an enumeration', () => {
    expect(findings('metadata: { version: "1", description: d, kind: Kernel }\n')).toEqual([
      "PV-2004 1:49 'Kernel' is not a 'kind' that pv knows | Did you mean 'kernel'?",
    ]);
  });

  it('say one thing about one value', () => {
    expect(findings('metadata: { version: "1", description: d, kind: [kernel] }\n')).toEqual([
      "PV-2002 1:43 'kind' must be text, and is a list",
    ]);
  });

  it('say what a number must be', () => {
    expect(
      findings('metadata: { version: "1", description: d }\nkani_harnesses: [{ id: a, obligation: b, bound: -1 }]\n'),
    ).toEqual(["PV-2005 2:49 'bound' must be at least 0, and is -1"]);
    expect(
      findings(
        'metadata: { version: "1", description: d }\nproof_obligations: [{ type: bound, property: p, tolerance: {} }]\n',
      ),
    ).toEqual(["PV-2005 2:49 'tolerance' must have at least one part | For example: { abs: 1e-6 }."]);
  });

  it('survive keys with slashes and tildes', () => {
    expect(findings('metadata: { version: "1", description: d }\nequations:\n  "a/b~c": { formula: 1 }\n')).toEqual([
      "PV-2002 3:23 'formula' must be text, and is '1' | Put it in quotes if text is meant.",
    ]);
  });
});
