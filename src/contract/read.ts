/**
 * A contract file, read: YAML, schema and decoding in one pass, every problem reported.
 */
import { count, listOf } from '../base/text.ts';
import { diagnostic, type Diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import { readNotation } from '../math/notation/read.ts';
import type { Contract } from './contract.ts';
import { decodeContract } from './decode.ts';
import type { ReadNotation } from './decode/fields.ts';
import { checkSchema } from './schema/check.ts';
import { parseYaml } from './yaml/parse.ts';

export type { ReadNotation } from './decode/fields.ts';

export interface ReadOptions {
  /** Reads formal fields, each when someone first looks at it; pv's own notation when absent. */
  readonly readNotation?: ReadNotation;
}

/**
 * Reads one contract. The value is null only when the text is no YAML mapping; otherwise it is the best contract
 * that can be made of the file, whatever the diagnostics say. Rules about its content are `validate.ts`'s work.
 */
export function readContract(source: SourceFile, options: ReadOptions = {}): Staged<Contract | null> {
  const yaml = parseYaml(source);
  if (!yaml.value) return { value: null, diagnostics: yaml.diagnostics };
  const decoded = decodeContract(source, yaml.value, options.readNotation ?? readNotation);
  const schema = checkSchema(source, yaml.value, decoded.contract.data, decoded.misspelt);
  return {
    value: decoded.contract,
    diagnostics: [...yaml.diagnostics, ...schema, ...decoded.diagnostics, ...uninterpreted(decoded.contract)],
  };
}

/** One note per file; the whole list is in the contract. */
function uninterpreted(contract: Contract): readonly Diagnostic[] {
  const [first] = contract.uninterpreted;
  if (!first) return [];
  const names = contract.uninterpreted.map((key) => key.value);
  return [
    diagnostic('PV-2006', first.span, `pv does not interpret ${count(names.length, 'key')}: ${listOf(names, 5)}`, {
      hint: 'They are kept and shown (--verbose lists all), and are never evidence.',
      related: contract.uninterpreted.slice(1, 4).map((key) => ({ message: key.value, span: key.span })),
    }),
  ];
}
