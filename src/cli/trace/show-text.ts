/** A trace for people: what stands over it, and one line for each step. */
import { count, displayWidth, visible } from '../../base/text.ts';
import type { Artefact, Manifest, Sampler } from '../../trace/format/trace.ts';
import type { Shown, ShownEntry } from './shown.ts';

const columns = ['position', 'input', 'output', 'text', 'logits (SHA-256)'] as const;

export function showText(name: string, shown: Shown): string {
  const width = Math.max(...shown.facts.map(([key]) => key.length));
  return [
    `${visible(name)}: ${visible(shown.title)}`,
    ...shown.warnings.map((warning) => `    warning: ${visible(warning)}`),
    ...shown.facts.map(([key, value]) => `    ${key.padEnd(width)}  ${visible(value)}`),
    '',
    ...table(shown.entries),
  ].join('\n');
}

/** What a manifest says, by short names. */
export function manifestFacts(manifest: Manifest): readonly (readonly [string, string])[] {
  const { model, tokenizer, prompt, steps, sampler, profile, sketch, tool } = manifest;
  const tokens = prompt.tokens === null ? 'tokens unknown' : count(prompt.tokens.length, 'token');
  return [
    ['model', artefactText(model)],
    ['tokenizer', artefactText(tokenizer)],
    ['prompt', `${prompt.text === null ? 'not disclosed' : JSON.stringify(prompt.text)} (${tokens})`],
    ['steps', steps === null ? 'it is unknown how many were asked for' : `${steps} at most`],
    ['sampler', samplerText(sampler)],
    ['profile', profile],
    ['sketch', sketch === 0 ? 'none' : `the ${count(sketch, 'largest logit')} of each step`],
    ['tool', `${tool.name} ${tool.version}`],
  ];
}

const artefactText = ({ name, digest }: Artefact): string => `${name} ${digest ?? '(digest unknown)'}`;

function samplerText(sampler: Sampler): string {
  switch (sampler.kind) {
    case 'greedy':
      return 'greedy: the first largest logit';
    case 'top-p':
      return `top-p ${sampler.topP} at temperature ${sampler.temperature}, seed ${sampler.seed} (${sampler.generator})`;
    case 'other':
      return `another engine's: ${sampler.description}`;
  }
}

function table(entries: readonly ShownEntry[]): readonly string[] {
  const rows = [[...columns], ...entries.map(rowOf)];
  const widths = columns.map((_, i) => rows.reduce((widest, row) => Math.max(widest, displayWidth(row[i] ?? '')), 0));
  return rows.map((row) => `  ${row.map((cell, i) => padded(cell, widths[i] ?? 0, i)).join('  ')}`.trimEnd());
}

/** Numbers stand to the right, texts and hashes to the left. */
function padded(cell: string, width: number, column: number): string {
  const space = ' '.repeat(width - displayWidth(cell));
  return column < 3 ? `${space}${cell}` : `${cell}${space}`;
}

function rowOf(entry: ShownEntry): string[] {
  const { position } = entry;
  if (entry.kind === 'gap') return [`${position}`, '', '', `${count(entry.count, 'position')} not recorded`, ''];
  const text = entry.text === null ? '' : visible(JSON.stringify(entry.text));
  return [`${position}`, `${entry.input}`, `${entry.output ?? '?'}`, text, entry.logitsHash];
}
