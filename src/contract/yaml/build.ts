/**
 * Builds the tree of a YAML document from parse events, and says what it met on the way:
 * duplicate keys, aliases without anchors, merge keys, tags, words that YAML 1.1 reads differently.
 */
import {
  EVENT_ID,
  getScalarValue,
  SCALAR_STYLE,
  type AliasEvent,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import { invariant } from '../../base/invariant.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Range, SourceFile } from '../../diagnostics/source.ts';
import { reportLookAlike } from './look-alike.ts';
import { mergeInto } from './merge.ts';
import type { ScalarStyle, YamlEntry, YamlMapping, YamlNode, YamlScalar, YamlSequence } from './node.ts';
import { resolvePlain, trimmedRange } from './scalar.ts';

/** Nodes that aliases may add to a document; a real contract has a few thousand nodes in all. */
export const ALIASED_NODE_LIMIT = 100_000;

const styles: Readonly<Record<number, ScalarStyle>> = {
  [SCALAR_STYLE.PLAIN]: 'plain',
  [SCALAR_STYLE.SINGLE_QUOTED]: 'single',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'double',
  [SCALAR_STYLE.LITERAL_BLOCK]: 'literal',
  [SCALAR_STYLE.FOLDED_BLOCK]: 'folded',
};

interface Anchored {
  readonly node: YamlNode;
  /** Nodes in it, aliases counted as often as they occur. */
  readonly weight: number;
}

interface MappingFrame {
  readonly kind: 'mapping';
  readonly start: number;
  readonly anchor: string | null;
  readonly entries: YamlEntry[];
  readonly seen: Map<string, Range>;
  pendingKey: YamlScalar | null;
  /** The pending key is a collection or an alias; its value is read and dropped. */
  unusableKey: boolean;
  weight: number;
}

interface SequenceFrame {
  readonly kind: 'sequence';
  readonly start: number;
  readonly anchor: string | null;
  readonly items: YamlNode[];
  weight: number;
}

type Frame = MappingFrame | SequenceFrame;

interface Builder {
  readonly source: SourceFile;
  readonly diagnostics: Diagnostic[];
  readonly anchors: Map<string, Anchored>;
  readonly frames: Frame[];
  root: YamlNode | null;
  aliased: number;
}

/** The tree of one document's events (without the document events themselves), or null if it must not be built. */
export function buildTree(
  source: SourceFile,
  events: readonly Event[],
): { readonly root: YamlNode | null; readonly diagnostics: readonly Diagnostic[] } {
  const builder: Builder = { source, diagnostics: [], anchors: new Map(), frames: [], root: null, aliased: 0 };
  for (const event of events) {
    if (event.type === EVENT_ID.SCALAR) scalar(builder, event);
    else if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) open(builder, event);
    else if (event.type === EVENT_ID.ALIAS) alias(builder, event);
    else if (event.type === EVENT_ID.POP) close(builder);
    if (builder.aliased > ALIASED_NODE_LIMIT) return { root: null, diagnostics: builder.diagnostics };
  }
  return { root: builder.root, diagnostics: builder.diagnostics };
}

function report(
  builder: Builder,
  code: Parameters<typeof diagnostic>[0],
  range: Range,
  message: string,
  hint: string,
): void {
  builder.diagnostics.push(diagnostic(code, { source: builder.source, range }, message, { hint }));
}

function anchorOf(builder: Builder, event: ScalarEvent | MappingEvent | SequenceEvent): string | null {
  return event.anchorStart < 0 ? null : builder.source.text.slice(event.anchorStart, event.anchorEnd);
}

function scalar(builder: Builder, event: ScalarEvent): void {
  const node = scalarNode(builder, event);
  const anchor = anchorOf(builder, event);
  if (anchor !== null) builder.anchors.set(anchor, { node, weight: 1 });
  attach(builder, node, 1);
}

function scalarNode(builder: Builder, event: ScalarEvent): YamlScalar {
  const text = getScalarValue(builder.source.text, event);
  const style = styles[event.style] ?? 'plain';
  const block = style === 'literal' || style === 'folded';
  const range =
    event.valueStart < 0
      ? missingRange(builder)
      : block
        ? trimmedRange(builder.source.text, event.valueStart, event.valueEnd)
        : { start: event.valueStart, end: event.valueEnd };
  const tagged = event.tagStart < 0 ? null : taggedValue(builder, event, text);
  const value = tagged ? tagged.value : style === 'plain' ? resolvePlain(text) : text;
  if (style === 'plain' && typeof value === 'string' && !tagged)
    reportLookAlike(builder.source, text, range, builder.diagnostics);
  return { kind: 'scalar', text, value, style, range, indent: block ? event.indent : -1 };
}

/** A missing value has its key's place. */
function missingRange(builder: Builder): Range {
  const frame = builder.frames.at(-1);
  if (frame?.kind === 'mapping' && frame.pendingKey) return frame.pendingKey.range;
  return { start: frame?.start ?? 0, end: frame?.start ?? 0 };
}

function taggedValue(
  builder: Builder,
  event: ScalarEvent,
  text: string,
): { readonly value: string | number | boolean | null } | null {
  const tag = builder.source.text.slice(event.tagStart, event.tagEnd);
  if (tag === '!!str' || tag === '!') return { value: text };
  if (tag === '!!int' || tag === '!!float' || tag === '!!bool' || tag === '!!null')
    return { value: resolvePlain(text) };
  report(
    builder,
    'PV-1016',
    { start: event.tagStart, end: event.tagEnd },
    `The tag ${tag} means nothing in a contract and is ignored`,
    'Remove the tag.',
  );
  return null;
}

function open(builder: Builder, event: MappingEvent | SequenceEvent): void {
  if (event.tagStart >= 0) {
    const range = { start: event.tagStart, end: event.tagEnd };
    const tag = builder.source.text.slice(range.start, range.end);
    if (tag !== '!!map' && tag !== '!!seq')
      report(builder, 'PV-1016', range, `The tag ${tag} means nothing in a contract and is ignored`, 'Remove the tag.');
  }
  const common = { start: event.start, anchor: anchorOf(builder, event), weight: 1 };
  if (event.type === EVENT_ID.SEQUENCE) builder.frames.push({ kind: 'sequence', items: [], ...common });
  else
    builder.frames.push({
      kind: 'mapping',
      entries: [],
      seen: new Map(),
      pendingKey: null,
      unusableKey: false,
      ...common,
    });
}

function alias(builder: Builder, event: AliasEvent): void {
  const name = builder.source.text.slice(event.anchorStart, event.anchorEnd);
  const range = { start: event.anchorStart - 1, end: event.anchorEnd };
  const anchored = builder.anchors.get(name);
  if (!anchored) {
    report(
      builder,
      'PV-1014',
      range,
      `*${name} refers to no anchor that is complete above it`,
      `Put &${name} before the value that is meant, or put the text in quotes: "*${name}".`,
    );
    attach(builder, { kind: 'scalar', text: `*${name}`, value: `*${name}`, style: 'plain', range, indent: -1 }, 1);
    return;
  }
  builder.aliased += anchored.weight;
  if (builder.aliased > ALIASED_NODE_LIMIT) {
    report(
      builder,
      'PV-1007',
      range,
      `Aliases repeat more than ${ALIASED_NODE_LIMIT} nodes`,
      'Write the values out where they are needed; a contract has no use for nested aliases.',
    );
    return;
  }
  attach(builder, anchored.node, anchored.weight);
}

function close(builder: Builder): void {
  const frame = builder.frames.pop();
  // The last pop closes the document itself.
  if (!frame) return;
  const node = frame.kind === 'mapping' ? mappingNode(builder, frame) : sequenceNode(frame);
  if (frame.anchor !== null) builder.anchors.set(frame.anchor, { node, weight: frame.weight });
  attach(builder, node, frame.weight);
}

function mappingNode(builder: Builder, frame: MappingFrame): YamlMapping {
  const entries = mergeInto(frame.entries, (range) =>
    report(
      builder,
      'PV-1015',
      range,
      'Merge keys (<<) belong to YAML 1.1; other readers of this file ignore them',
      'Write the merged keys out.',
    ),
  );
  const last = frame.entries.at(-1);
  return {
    kind: 'mapping',
    entries,
    range: { start: frame.start, end: Math.max(frame.start, last?.value.range.end ?? 0, last?.keyRange.end ?? 0) },
  };
}

function sequenceNode(frame: SequenceFrame): YamlSequence {
  return {
    kind: 'sequence',
    items: frame.items,
    range: { start: frame.start, end: Math.max(frame.start, frame.items.at(-1)?.range.end ?? 0) },
  };
}

function attach(builder: Builder, node: YamlNode, weight: number): void {
  const frame = builder.frames.at(-1);
  if (!frame) {
    builder.root = node;
    return;
  }
  frame.weight += weight;
  if (frame.kind === 'sequence') frame.items.push(node);
  else if (frame.unusableKey) frame.unusableKey = false;
  else if (frame.pendingKey) addEntry(builder, frame, frame.pendingKey, node);
  else addKey(builder, frame, node);
}

function addKey(builder: Builder, frame: MappingFrame, node: YamlNode): void {
  if (node.kind === 'scalar') {
    frame.pendingKey = node;
    return;
  }
  frame.unusableKey = true;
  report(
    builder,
    'PV-1017',
    node.range,
    'A key must be a word, not a list or a mapping',
    'If this is text in braces or brackets, put it in quotes.',
  );
}

function addEntry(builder: Builder, frame: MappingFrame, key: YamlScalar, value: YamlNode): void {
  frame.pendingKey = null;
  const first = frame.seen.get(key.text);
  if (first) {
    invariant(key.range.start >= 0, 'keys have places in the file');
    builder.diagnostics.push(
      diagnostic(
        'PV-1006',
        { source: builder.source, range: key.range },
        `The key '${key.text}' is repeated in one mapping`,
        {
          hint: 'Only the first is read. Remove one, or rename it.',
          related: [{ message: 'first here', span: { source: builder.source, range: first } }],
        },
      ),
    );
    return;
  }
  frame.seen.set(key.text, key.range);
  frame.entries.push({ key: key.text, keyRange: key.range, value });
}
