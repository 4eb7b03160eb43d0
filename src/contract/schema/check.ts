/**
 * The contract schema, applied: the validator's raw findings become diagnostics at the place in the YAML.
 */
import type { JsonObject } from '../../base/canonical-json.ts';
import { closest, listOf, quoted } from '../../base/text.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Range, SourceFile } from '../../diagnostics/source.ts';
import type { Located } from '../contract.ts';
import { nodeAt, type PathStep, type YamlMapping, type YamlNode } from '../yaml/node.ts';
import { validate } from './validate.generated.ts';

/** A finding of the compiled validator: the parts of ajv's error object that are used here. */
interface SchemaFinding {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface CompiledValidator {
  (data: unknown): boolean;
  readonly errors?: readonly SchemaFinding[] | null;
}

const compiled: CompiledValidator = validate;

/**
 * What the schema has against `data`, which is `root` as plain data. A missing key that is present but misspelt is not reported
 * again.
 */
export function checkSchema(
  source: SourceFile,
  root: YamlMapping,
  data: JsonObject,
  misspelt: ReadonlyMap<string, Located<string>>,
): readonly Diagnostic[] {
  if (compiled(data)) return [];
  const findings = compiled.errors ?? [];
  const wrongType = new Set(
    findings.filter((finding) => finding.keyword === 'type').map((finding) => finding.instancePath),
  );
  return findings.flatMap((finding) => {
    // A value of the wrong type also fails every other keyword; one finding is enough.
    if (finding.keyword !== 'type' && wrongType.has(finding.instancePath)) return [];
    return explain(source, root, finding, misspelt) ?? [];
  });
}

function explain(
  source: SourceFile,
  root: YamlMapping,
  finding: SchemaFinding,
  misspelt: ReadonlyMap<string, Located<string>>,
): Diagnostic | null {
  const path = pathOf(finding.instancePath);
  const found = nodeAt(root, path);
  const node = found?.node ?? root;
  const name = nameOf(path);
  const span = { source, range: rangeOf(node, found?.entry?.keyRange ?? null) };
  switch (finding.keyword) {
    case 'required':
      return missing(span, path, String(finding.params['missingProperty']), misspelt);
    case 'type':
      return wrongType(span, name, node, finding.params['type']);
    case 'enum':
      return notAllowed(span, name, node, finding.params['allowedValues']);
    case 'pattern':
      if (node.kind === 'scalar' && typeof node.value === 'string' && specialNumber(node.value) !== null)
        return wrongType(span, name, node, 'number');
      return diagnostic('PV-2005', span, `${name} must not be empty`);
    case 'minProperties':
      return diagnostic('PV-2005', span, `${name} must have at least one part`, {
        hint: 'For example: { abs: 1e-6 }.',
      });
    default:
      return outOfRange(span, name, node, finding);
  }
}

type Span = { readonly source: SourceFile; readonly range: Range };

function missing(
  span: Span,
  path: readonly PathStep[],
  key: string,
  misspelt: ReadonlyMap<string, Located<string>>,
): Diagnostic | null {
  if (misspelt.has(decodePath([...path, key]))) return null;
  const owner = path.length === 0 ? 'The contract' : nameOf(path);
  return diagnostic('PV-2001', span, `${owner} has no '${key}'`, { hint: `Add '${key}:'.` });
}

function wrongType(span: Span, name: string, node: YamlNode, expected: unknown): Diagnostic {
  const types = Array.isArray(expected) ? expected.map(String) : [String(expected)];
  const words = types.map((type) => typeWords[type] ?? type);
  return diagnostic(
    'PV-2002',
    span,
    `${name} must be ${words.join(' or ')}, and is ${describe(node)}`,
    hintOf(types, node),
  );
}

function hintOf(expected: readonly string[], node: YamlNode): { readonly hint?: string } {
  if (node.kind !== 'scalar' || node.value === null) return {};
  if (expected.includes('string')) return { hint: 'Put it in quotes if text is meant.' };
  const special = typeof node.value === 'string' ? specialNumber(node.value) : null;
  return special !== null && expected.includes('number') ? { hint: `YAML writes this number ${special}` } : {};
}

/** `NaN` and `inf` of other languages as YAML 1.2 writes them; null for other texts. */
function specialNumber(text: string): string | null {
  const [, sign = '', word] = /^([+-]?)(nan|inf|infinity|∞)$/i.exec(text) ?? [];
  if (word === undefined) return null;
  return word.toLowerCase() === 'nan' ? '.nan' : `${sign}.inf`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping of keys',
  null: 'empty',
};

function describe(node: YamlNode): string {
  if (node.kind === 'sequence') return 'a list';
  if (node.kind === 'mapping') return 'a mapping of keys';
  if (node.value === null) return 'empty';
  return typeof node.value === 'string' ? `the text ${quoted(node.text, 40)}` : quoted(node.text, 40);
}

function notAllowed(span: Span, name: string, node: YamlNode, values: unknown): Diagnostic {
  const allowed = Array.isArray(values) ? values.map(String) : [];
  const text = node.kind === 'scalar' ? node.text : '';
  const near =
    closest(text.toLowerCase(), allowed) ?? allowed.find((value) => value.toLowerCase() === text.toLowerCase()) ?? null;
  return diagnostic('PV-2004', span, `${quoted(text, 40)} is not a ${name} that pv knows`, {
    hint: near === null ? `Known are ${listOf(allowed, 30)}.` : `Did you mean '${near}'?`,
  });
}

const limits: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
};

function outOfRange(span: Span, name: string, node: YamlNode, finding: SchemaFinding): Diagnostic {
  const limit = limits[finding.keyword];
  const value = node.kind === 'scalar' ? node.text : describe(node);
  if (limit === undefined) return diagnostic('PV-2005', span, `${name} does not match the schema (${finding.keyword})`);
  return diagnostic('PV-2005', span, `${name} must be ${limit} ${String(finding.params['limit'])}, and is ${value}`);
}

/** A mapping or list is pointed at by its key, or by its first key or character: underlining all of it says nothing. */
function rangeOf(node: YamlNode, keyRange: Range | null): Range {
  if (node.kind === 'scalar') return node.range;
  if (keyRange) return keyRange;
  const first = node.kind === 'mapping' ? node.entries[0]?.keyRange : undefined;
  return first ?? { start: node.range.start, end: node.range.start + 1 };
}

/** The steps of a JSON pointer (RFC 6901). */
function pathOf(pointer: string): readonly PathStep[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/** The path as decoding writes it: `proof_obligations[0].type`. */
function decodePath(path: readonly PathStep[]): string {
  return path
    .map((step, i) => (/^\d+$/.test(String(step)) ? `[${step}]` : i === 0 ? String(step) : `.${step}`))
    .join('');
}

const elementNames: Readonly<Record<string, string>> = {
  proof_obligations: 'obligation',
  falsification_tests: 'falsification test',
  kani_harnesses: 'harness',
  equations: 'equation',
  equivalent_mutants: 'equivalent mutant',
  references: 'reference',
  depends_on: 'dependency',
};

/** What a person calls the place: `type`, `The 2nd obligation` is the 2nd of its list. */
function nameOf(path: readonly PathStep[]): string {
  const last = path.at(-1);
  const parent = path.at(-2);
  if (last === undefined) return 'The contract';
  const element = parent === undefined ? undefined : elementNames[String(parent)];
  if (element !== undefined && parent === 'equations') return `equation '${last}'`;
  if (/^\d+$/.test(String(last))) return `${element ?? 'item'} ${Number(last) + 1}`;
  return `'${last}'`;
}
