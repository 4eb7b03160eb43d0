/**
 * YAML text to a tree with places. The parser's events carry offsets; whole documents are never built twice.
 */
import { EVENT_ID, parseEvents, YAMLException, type Event } from 'js-yaml';
import { diagnostic, type Diagnostic, type Staged } from '../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../diagnostics/source.ts';
import { buildTree } from './build.ts';
import { checkText, contractFile, type FileKind } from './hygiene.ts';
import type { YamlMapping, YamlNode } from './node.ts';
import { recover, type Fragment } from './recover.ts';
import { MAX_NESTING, syntaxErrors } from './syntax-errors.ts';

/** Scalars, lists and mappings; the largest contract seen in practice has two thousand. */
export const MAX_VALUES = 200_000;

/** The root mapping of a file with its syntax findings; null if there are errors. */
export interface ParsedYaml extends Staged<YamlMapping | null> {
  /** Of a file with syntax errors, the part that can be read: for findings, never for use. */
  readonly fragment: Fragment | null;
}

/**
 * The mapping that a file contains, or null with the reasons. Never throws for any text. A mapping with findings of severity
 * `error` was read only in part: of a repeated key the first, of several documents the first.
 */
export function parseYaml(source: SourceFile, kind: FileKind = contractFile): ParsedYaml {
  const hygiene = checkText(source, kind);
  if (!hygiene.readable) return { value: null, diagnostics: hygiene.diagnostics, fragment: null };
  const parsed = events(source, kind);
  if (!parsed.value) {
    const diagnostics = [...hygiene.diagnostics, ...parsed.diagnostics];
    return { value: null, diagnostics, fragment: parsed.fragment };
  }
  const first = firstDocument(source, parsed.value, kind);
  const tree = buildTree(source, first.events);
  const rootProblem = tree.root && tree.root.kind !== 'mapping' ? [notAMapping(source, tree.root, kind)] : [];
  const nothing = !tree.root && tree.diagnostics.length === 0 ? [onlyComments(source, kind)] : [];
  return {
    value: tree.root?.kind === 'mapping' ? tree.root : null,
    diagnostics: [...hygiene.diagnostics, ...first.diagnostics, ...tree.diagnostics, ...rootProblem, ...nothing],
    fragment: null,
  };
}

interface Events extends Staged<readonly Event[] | null> {
  readonly fragment: Fragment | null;
}

function events(source: SourceFile, kind: FileKind): Events {
  try {
    const value = parseEvents(source.text, { maxDepth: MAX_NESTING });
    if (value.length > MAX_VALUES) return { value: null, diagnostics: [tooMany(source, kind)], fragment: null };
    return { value, diagnostics: [], fragment: null };
  } catch (error) {
    if (error instanceof YAMLException) return brokenEvents(source, error);
    throw error;
  }
}

function brokenEvents(source: SourceFile, error: YAMLException): Events {
  const known = syntaxErrors(source, error);
  // Deeper nesting than any contract has is hostile; there is nothing to recover.
  if (known.some(({ code }) => code === 'PV-1008')) return { value: null, diagnostics: known, fragment: null };
  const { diagnostics, fragment } = recover(source, known);
  return { value: null, diagnostics: [...known, ...diagnostics], fragment };
}

function tooMany(source: SourceFile, { name }: FileKind): Diagnostic {
  return diagnostic(
    'PV-1004',
    null,
    `The file holds more than ${MAX_VALUES} values; ${name} has a few thousand at most`,
    {
      subject: source.path,
      hint: `Is this ${name}? Keep data in a separate file.`,
    },
  );
}

/** The events of the first document, without its own event and the pop that ends it. */
function firstDocument(
  source: SourceFile,
  all: readonly Event[],
  kind: FileKind,
): { readonly events: readonly Event[]; readonly diagnostics: readonly Diagnostic[] } {
  const starts = all.flatMap((event, i) => (event.type === EVENT_ID.DOCUMENT ? [i] : []));
  const second = starts[1];
  const head = all[0];
  const diagnostics: Diagnostic[] = [];
  if (head?.type === EVENT_ID.DOCUMENT && head.directives.length > 0) diagnostics.push(directive(source));
  if (second !== undefined) diagnostics.push(severalDocuments(source, starts.length, kind));
  return { events: all.slice(1, second), diagnostics };
}

function directive(source: SourceFile): Diagnostic {
  const start = source.text.startsWith('\uFEFF%') ? 1 : source.text.search(/^%/m);
  const end = start + (/\r|\n|$/.exec(source.text.slice(start))?.index ?? 1);
  return diagnostic('PV-1018', { source, range: { start, end } }, 'pv reads YAML 1.2 whatever a directive says', {
    hint: 'Remove the line.',
  });
}

function severalDocuments(source: SourceFile, count: number, { name }: FileKind): Diagnostic {
  const body = source.text.search(/^(?!---|\uFEFF?[%#]|\s*$)/m);
  const marker = /^(?:---|\.\.\.)(?=\s|$)/m.exec(source.text.slice(Math.max(0, body)));
  const start = Math.max(0, body) + (marker?.index ?? 0);
  return diagnostic(
    'PV-1009',
    { source, range: { start, end: start + 3 } },
    `The file contains ${count} YAML documents; ${name} contains one`,
    {
      hint: 'Only the first is read. Put each document in its own file.',
    },
  );
}

function notAMapping(source: SourceFile, root: YamlNode, { name, start }: FileKind): Diagnostic {
  const what = root.kind === 'sequence' ? 'a list' : 'a single value';
  return diagnostic(
    'PV-1010',
    { source, range: root.range },
    `The file contains ${what}; ${name} is a mapping of keys`,
    {
      hint: start,
    },
  );
}

function onlyComments(source: SourceFile, { start }: FileKind): Diagnostic {
  return diagnostic('PV-1002', { source, range: { start: 0, end: 1 } }, 'The file contains only comments', {
    hint: start,
  });
}
