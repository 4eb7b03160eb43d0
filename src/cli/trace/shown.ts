/** What `pv trace show` shows of a trace in either format. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { JsonValue } from '../../base/canonical-json.ts';
import { count } from '../../base/text.ts';
import type { Entry, TraceFile } from '../../trace/format/trace.ts';
import type { LegacyTrace } from '../../trace/legacy/trace.ts';
import type { Tokenizer } from '../../trace/model/model.ts';
import type { AnyTrace } from '../../trace/any-trace.ts';
import { sketchJson } from '../../trace/verify/verdict-json.ts';
import { manifestFacts } from './manifest-facts.ts';

/** One line of the table. */
export type ShownEntry = ShownStep | { readonly kind: 'gap'; readonly position: number; readonly count: number };

interface ShownStep {
  readonly kind: 'step';
  readonly position: number;
  readonly input: number;
  /** Null if it was not recorded. */
  readonly output: number | null;
  /** What the output token adds to the text; null without a tokenizer. Parts of characters are U+FFFD. */
  readonly text: string | null;
  readonly logitsHash: string;
  readonly sketch: JsonValue;
}

/** The content of a trace, before formatting as text or JSON. */
export interface Shown {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly warnings: readonly string[];
  readonly entries: readonly ShownEntry[];
  /** The same for machines. */
  readonly json: { readonly [key: string]: JsonValue };
}

/** What is shown of a trace; texts of tokens only with a tokenizer. */
export function shownOf(read: AnyTrace, tokenizer: Tokenizer | null): Shown {
  return read.format === 'v2' ? shownV2(read.trace, tokenizer) : shownLegacy(read.trace, tokenizer);
}

function shownV2(trace: TraceFile, tokenizer: Tokenizer | null): Shown {
  const { manifest, size, root, complete, droppedBytes, checkpoint } = trace;
  const steps = trace.entries.filter((entry) => entry.kind === 'step').length;
  const gaps = trace.entries.length - steps;
  const entries = trace.entries.map((entry) => shownEntry(entry, tokenizer));
  const what = `the manifest, ${count(steps, 'step')}${gaps > 0 ? `, ${count(gaps, 'gap')}` : ''}`;
  return {
    title: `${manifest.format}, ${count(size, 'leaf', 'leaves')}: ${what}`,
    warnings: complete
      ? []
      : [
          `it is INCOMPLETE, without its footer; ${count(droppedBytes, 'byte')} after the last whole entry were ignored`,
        ],
    facts: [
      ['root', bytesToHex(root)],
      ...manifestFacts(manifest),
      ...(checkpoint === null
        ? []
        : [['signed', 'it carries a checkpoint, whose signatures were not checked here'] as const]),
    ],
    entries,
    json: {
      source: 'pv-trace/2',
      complete,
      droppedBytes,
      size,
      root: bytesToHex(root),
      checkpoint,
      // A manifest is JSON by its type; the compiler gives interfaces no index signature.
      manifest: manifest as unknown as JsonValue,
      entries: entries as unknown as JsonValue,
    },
  };
}

function shownEntry(entry: Entry, tokenizer: Tokenizer | null): ShownEntry {
  if (entry.kind === 'gap') return entry;
  const { position, inputToken, outputToken, logitsHash, sketch } = entry;
  return {
    kind: 'step',
    position,
    input: inputToken,
    output: outputToken,
    text: outputToken === null ? null : textOf(tokenizer, inputToken, outputToken),
    logitsHash: bytesToHex(logitsHash),
    sketch: sketchJson(sketch),
  };
}

function shownLegacy({ form, metadata, entries, root }: LegacyTrace, tokenizer: Tokenizer | null): Shown {
  const { modelPath, prompt, steps } = metadata;
  const shown = entries.map(({ position, token, text, logitsHash }, i): ShownStep => {
    const output = entries[i + 1]?.token ?? null;
    return {
      kind: 'step',
      position,
      input: token,
      output,
      text: text ?? (output === null ? null : textOf(tokenizer, token, output)),
      logitsHash: bytesToHex(logitsHash),
      sketch: null,
    };
  });
  const warnings = [
    'no hash covers the model path, the prompt, the steps and the texts: anyone with the file can change them',
    'seed, temperature and the hashes of model and tokenizer are not in the file, nor is the last token that was chosen',
  ];
  return {
    title: `llama2-rs, ${count(entries.length, 'entry', 'entries')} ${form === 'head' ? 'with' : 'without'} texts`,
    warnings,
    facts: [
      ['root', bytesToHex(root)],
      ['model', modelPath],
      ['prompt', JSON.stringify(prompt)],
      ['steps', `${steps} at most`],
    ],
    entries: shown,
    json: {
      source: form === 'head' ? 'legacy-text' : 'legacy',
      complete: true,
      size: entries.length,
      root: bytesToHex(root),
      metadata: { modelPath, prompt, steps },
      entries: shown as unknown as JsonValue,
      warnings,
    },
  };
}

function textOf(tokenizer: Tokenizer | null, previous: number, token: number): string | null {
  if (tokenizer === null || token >= tokenizer.vocabSize) return null;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(tokenizer.decode(previous, token));
}
