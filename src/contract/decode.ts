/**
 * Decodes the tree of a YAML document into a Contract: the best possible value, whatever else is wrong.
 */
import type { JsonObject } from '../base/canonical-json.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import type { Contract, Located, Phase } from './contract.ts';
import { decodeDataSection } from './decode/data-section.ts';
import { declarationsIn } from './decode/declarations.ts';
import { decodeEquation } from './decode/equation.ts';
import { decodeFalsificationTest, decodeKaniHarness } from './decode/falsification.ts';
import { deriveIds } from './decode/derive-ids.ts';
import {
  formalField,
  listField,
  mappingField,
  mappingsOf,
  openFields,
  spanOfNode,
  textField,
  type Decoder,
  type Fields,
  type ReadNotation,
} from './decode/fields.ts';
import { decodeObligation } from './decode/obligation.ts';
import { decodeQaGate } from './decode/qa-gate.ts';
import { digestsOf } from './digests.ts';
import { plainObject, type YamlMapping } from './yaml/node.ts';

/** A contract with what is wrong with its file. */
export interface Decoded {
  readonly contract: Contract;
  readonly diagnostics: readonly Diagnostic[];
  /** Misspelt keys by the path of the key that was meant. */
  readonly misspelt: ReadonlyMap<string, Located<string>>;
}

/** The contract's name: the file's name without folder and extension. */
export function contractId(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.(contract\.)?ya?ml$/i, '');
}

/** Decodes a file. Faults become diagnostics, and missing or malformed parts become null or empty. */
export function decodeContract(source: SourceFile, root: YamlMapping, readNotation: ReadNotation): Decoded {
  const decoder: Decoder = { source, readNotation, diagnostics: [], uninterpreted: new Set(), misspelt: new Map() };
  const fields = openFields(decoder, root, 'contract', '');
  const metadataNode = mappingField(fields, 'metadata');
  const metadata = metadataNode ? openFields(decoder, metadataNode, 'metadata', 'metadata') : null;
  const contract = { ...describe(source.path, metadata), ...sections(decoder, fields, contractId(source.path)) };
  return {
    contract: withLazyParts(
      { ...contract, path: source.path, ...remarks(decoder, root), span: spanOfNode(decoder, root) },
      root,
    ),
    diagnostics: decoder.diagnostics,
    misspelt: decoder.misspelt,
  };
}

function describe(
  path: string,
  metadata: Fields | null,
): Pick<Contract, 'id' | 'version' | 'kind' | 'description' | 'references' | 'dependsOn'> {
  const text = (key: string): string | null => (metadata ? textField(metadata, key) : null);
  const list = (key: string): readonly Located<string>[] => (metadata ? listField(metadata, key) : []);
  return {
    id: contractId(path),
    version: text('version'),
    kind: text('kind') ?? 'kernel',
    description: text('description'),
    references: list('references').map((reference) => reference.value),
    // Upstream writes some dependencies as file names.
    dependsOn: list('depends_on').map((dependency) => ({ ...dependency, value: contractId(dependency.value) })),
  };
}

type Sections = Pick<
  Contract,
  'equations' | 'obligations' | 'falsificationTests' | 'kaniHarnesses' | 'phases' | 'qaGate' | 'dataSection'
>;

function sections(decoder: Decoder, fields: Fields, id: string): Sections {
  const list = (key: string): readonly { readonly node: YamlMapping; readonly path: string }[] =>
    mappingsOf(fields.entry(key, 'list')?.value ?? null, key);
  const dataNode = mappingField(fields, 'data');
  const dataSection = dataNode ? decodeDataSection(decoder, dataNode) : null;
  const obligations = list('proof_obligations').map((item) =>
    decodeObligation(decoder, item.node, item.path, dataSection ? 'data' : 'kernel'),
  );
  const tests = list('falsification_tests').map((item, i) =>
    decodeFalsificationTest(decoder, item.node, item.path, i + 1),
  );
  const gate = mappingField(fields, 'qa_gate');
  return {
    equations: (mappingField(fields, 'equations')?.entries ?? []).flatMap(
      (entry) => decodeEquation(decoder, entry) ?? [],
    ),
    obligations: deriveIds(
      obligations,
      tests.map((test) => test.id),
      id,
    ),
    falsificationTests: tests,
    kaniHarnesses: list('kani_harnesses').map((item, i) => decodeKaniHarness(decoder, item.node, item.path, i + 1)),
    phases: phases(decoder, fields),
    qaGate: gate ? decodeQaGate(decoder, gate) : null,
    dataSection,
  };
}

function phases(decoder: Decoder, fields: Fields): readonly Phase[] {
  const structure = mappingField(fields, 'kernel_structure');
  if (!structure) return [];
  const list =
    openFields(decoder, structure, 'kernelStructure', 'kernel_structure').entry('phases', 'list')?.value ?? null;
  return mappingsOf(list, 'kernel_structure.phases').flatMap(({ node, path }) => {
    const phase = openFields(decoder, node, 'phase', path);
    const name = textField(phase, 'name');
    if (name === null) return [];
    return [
      { name, description: textField(phase, 'description'), invariant: formalField(phase, 'proposition', 'invariant') },
    ];
  });
}

function remarks(decoder: Decoder, root: YamlMapping): Pick<Contract, 'declarations' | 'uninterpreted'> {
  return { declarations: declarationsIn(decoder.source, root), uninterpreted: [...decoder.uninterpreted] };
}

/** Validation needs neither plain data nor digests; on 150 files they cost as much as parsing. */
function withLazyParts(contract: Omit<Contract, 'data' | 'digests'>, root: YamlMapping): Contract {
  let data: JsonObject | null = null;
  let digests: ReadonlyMap<string, string> | null = null;
  return {
    ...contract,
    get data() {
      return (data ??= plainObject(root));
    },
    get digests() {
      return (digests ??= digestsOf(this));
    },
  };
}
