/**
 * Compiles src/contract/schema/contract.schema.json into src/contract/schema/validate.generated.ts, so that pv
 * neither loads a schema compiler nor compiles a schema when it starts. Run it after each change of the schema:
 *
 *     node scripts/run.mjs scripts/generate-schema-validator.ts
 *
 * A test compares the committed file with a fresh one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';

/** Relative to the repository, where the script and the tests run. */
export const schemaPath = 'src/contract/schema/contract.schema.json';
export const validatorPath = 'src/contract/schema/validate.generated.ts';

/** The text of validate.generated.ts for a schema. */
export function generateValidator(schema: AnySchemaObject): string {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    messages: false,
    code: { source: true, esm: true, lines: true },
  });
  const code = standalone.default(ajv, ajv.compile(withoutAnnotations(schema)));
  return [
    '// @ts-nocheck',
    '// Generated from contract.schema.json by scripts/generate-schema-validator.ts; change the schema, not this file.',
    `/** The keys that the schema describes, per kind of mapping. */`,
    `export const knownKeys: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(knownKeys(schema), null, 2)};`,
    code.replace(/^"use strict";/, '').replace(/^export default .*$/m, ''),
  ].join('\n');
}

/** Descriptions and examples are for editors; the validator would carry them as dead weight. */
function withoutAnnotations(schema: AnySchemaObject): AnySchemaObject {
  const annotations = new Set(['title', 'description', 'default']);
  // A property may itself be called `description`: then the value is a schema, not a text.
  const strip = (key: string, value: unknown): unknown =>
    (annotations.has(key) && (value === null || typeof value !== 'object')) ||
    (key === 'examples' && Array.isArray(value))
      ? undefined
      : value;
  return JSON.parse(JSON.stringify(schema, strip));
}

function knownKeys(schema: AnySchemaObject): Record<string, readonly string[]> {
  const keys: Record<string, readonly string[]> = { contract: Object.keys(schema['properties']) };
  for (const [name, definition] of Object.entries<AnySchemaObject>(schema['$defs'])) {
    for (const [key, list] of nestedKeys(name, definition)) keys[key] = list;
  }
  return keys;
}

/** `methods` and, for the mappings written inside it, `methods.property`. */
function nestedKeys(name: string, definition: AnySchemaObject): [string, readonly string[]][] {
  const properties: Record<string, AnySchemaObject> | undefined = definition['properties'];
  if (!properties) return [];
  return [
    [name, Object.keys(properties)],
    ...Object.entries(properties).flatMap(([key, child]) => nestedKeys(`${name}.${key}`, child)),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(validatorPath, generateValidator(JSON.parse(readFileSync(schemaPath, 'utf8'))));
}
