/**
 * A contract file, read: YAML, schema and decoding in one pass, every problem reported.
 */
import { count, listOf } from '../base/text.ts';
import { diagnostic, type Diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import { readNotation } from '../math/notation/read.ts';
import type { FieldRole, Notation } from '../math/notation/syntax.ts';
import type { Contract } from './contract.ts';
import { decodeContract } from './decode.ts';
import type { ReadNotation } from './decode/fields.ts';
import { checkSchema } from './schema/check.ts';
import { entryOf, type YamlMapping } from './yaml/node.ts';
import { parseYaml } from './yaml/parse.ts';
import type { Fragment } from './yaml/recover.ts';

export type { ReadNotation } from './decode/fields.ts';

/** How a contract file is read. */
export interface ReadOptions {
  /** Reads formal fields, each when someone first looks at it; pv's own notation when absent. */
  readonly readNotation?: ReadNotation;
}

/** A contract with all findings of its file; null if syntax errors prevent decoding. */
export interface ContractRead extends Staged<Contract | null> {
  /** What can be made of a file with syntax errors: for rules about what is written, never for use. */
  readonly fragment: Contract | null;
}

/**
 * Reads one contract. The value is null only if the text is not a YAML mapping; otherwise it is the best contract
 * that can be made of the file, whatever the diagnostics say. Rules about its content are `validate.ts`'s work.
 */
export function readContract(source: SourceFile, options: ReadOptions = {}): ContractRead {
  const yaml = parseYaml(source);
  if (yaml.fragment) return readFragment(source, yaml.fragment, yaml.diagnostics, options);
  if (!yaml.value) return { value: null, diagnostics: yaml.diagnostics, fragment: null };
  const binding = bindingIn(source, yaml.value);
  if (binding) return { value: null, diagnostics: [...yaml.diagnostics, binding], fragment: null };
  const decoded = decodeContract(source, yaml.value, options.readNotation ?? readNotation);
  const schema = checkSchema(source, yaml.value, decoded.contract.data, decoded.misspelt);
  return {
    value: decoded.contract,
    diagnostics: [...yaml.diagnostics, ...schema, ...decoded.diagnostics, ...uninterpreted(decoded.contract)],
    fragment: null,
  };
}

/** What is wrong with the readable part of a broken file, except for what it lacks: that may be in the other part. */
function readFragment(
  source: SourceFile,
  { root, isBroken }: Fragment,
  syntax: readonly Diagnostic[],
  options: ReadOptions,
): ContractRead {
  const { contract, misspelt, diagnostics } = decodeContract(source, root, options.readNotation ?? readNotation);
  const schema = checkSchema(source, root, contract.data, misspelt).filter(({ code }) => code !== 'PV-2001');
  const elsewhere = [...schema, ...diagnostics].filter(({ span }) => span && !isBroken(span.range.start));
  return { value: null, diagnostics: [...syntax, ...elsewhere], fragment: contract };
}

/**
 * Reads each text in each role once: contracts repeat domains and claims, and those of one family repeat each other.
 * A notation depends on nothing else and never changes, so that fields can share it.
 */
export function readingOnce(read: ReadNotation): ReadNotation {
  const byRole = new Map<FieldRole, Map<string, Notation>>();
  return (text, role) => {
    let known = byRole.get(role);
    if (!known) byRole.set(role, (known = new Map()));
    const notation = known.get(text) ?? read(text, role);
    known.set(text, notation);
    return notation;
  };
}

const contractKeys = ['equations', 'data', 'proof_obligations', 'falsification_tests'];

/** One finding instead of one for each key that a binding has and a contract has not. */
function bindingIn(source: SourceFile, root: YamlMapping): Diagnostic | null {
  const rows = entryOf(root, 'bindings');
  if (rows?.value.kind !== 'sequence' || contractKeys.some((key) => entryOf(root, key))) return null;
  const folder = /^.*(?=\/)/u.exec(source.path)?.[0] ?? '.';
  return diagnostic(
    'PV-2008',
    { source, range: rows.keyRange },
    `${source.path} is a binding file: it connects kernels to contracts and is not a contract`,
    { hint: `name the contracts, and the binding next to them: pv audit ${folder} --binding ${source.path}` },
  );
}

/** One note per file; the whole list is in the contract. */
function uninterpreted(contract: Contract): readonly Diagnostic[] {
  const [first] = contract.uninterpreted;
  if (!first) return [];
  const names = contract.uninterpreted.map((key) => key.value);
  return [
    diagnostic('PV-2006', first.span, `pv does not interpret ${count(names.length, 'key')}: ${listOf(names, 5)}`, {
      hint: 'They are kept, and are never evidence.',
      related: contract.uninterpreted.slice(1, 4).map((key) => ({ message: key.value, span: key.span })),
    }),
  ];
}
