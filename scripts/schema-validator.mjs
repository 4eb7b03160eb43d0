/**
 * Compiles src/contract/schema/contract.schema.json into src/contract/schema/validate.generated.ts, so that pv neither loads a schema
 * compiler nor compiles a schema when it starts. Part of the build (scripts/build.mjs); git ignores the result.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { root } from './bundle.mjs';

export const validatorPath = 'src/contract/schema/validate.generated.ts';
const schemaPath = 'src/contract/schema/contract.schema.json';

/** Writes the validator when it is not what the schema compiles to. */
export async function writeValidator() {
  const text = validatorOf(JSON.parse(await readFile(join(root, schemaPath), 'utf8')));
  const path = join(root, validatorPath);
  const found = await readFile(path, 'utf8').catch(() => null);
  if (found !== text) await writeFile(path, text);
}

function validatorOf(schema) {
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
    '// Made from contract.schema.json by scripts/schema-validator.mjs; change the schema, not this file.',
    `/** The keys that the schema describes, per kind of mapping. */`,
    `export const knownKeys: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(knownKeys(schema), null, 2)};`,
    code.replace(/^"use strict";/, '').replace(/^export default .*$/m, ''),
  ].join('\n');
}

/** Descriptions and examples are for editors; the validator does not need them. */
function withoutAnnotations(schema) {
  const annotations = new Set(['title', 'description', 'default']);
  // A property may itself be called `description`: then the value is a schema, not a text.
  const strip = (key, value) =>
    (annotations.has(key) && (value === null || typeof value !== 'object')) ||
    (key === 'examples' && Array.isArray(value))
      ? undefined
      : value;
  return JSON.parse(JSON.stringify(schema, strip));
}

function knownKeys(schema) {
  const nested = Object.entries(schema.$defs).flatMap(([name, definition]) => nestedKeys(name, definition));
  return Object.fromEntries([['contract', Object.keys(schema.properties)], ...nested]);
}

/** `methods` and, for the mappings written inside it, `methods.property`. */
function nestedKeys(name, { properties }) {
  if (!properties) return [];
  return [
    [name, Object.keys(properties)],
    ...Object.entries(properties).flatMap(([key, child]) => nestedKeys(`${name}.${key}`, child)),
  ];
}
