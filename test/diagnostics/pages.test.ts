import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readContracts } from '../../src/contract/validate.ts';
import { codes, type Code } from '../../src/diagnostics/codes.ts';
import { pageName } from '../../src/diagnostics/explain.ts';
import type { SourceFile } from '../../src/diagnostics/source.ts';
import { MAX_CONTRACT_LENGTH } from '../../src/contract/yaml/hygiene.ts';

const all = Object.keys(codes).filter((code): code is Code => Object.hasOwn(codes, code));
/** Codes of reading, schema and rules: their pages hold YAML that causes them and YAML that does not. */
const ours = all.filter((code) => /^PV-[123]/.test(code));

function pagePath(code: Code): string {
  return `docs/codes/${pageName(code)}`;
}

function page(code: Code): string {
  return readFileSync(pagePath(code), 'utf8');
}

/** The YAML blocks of a page; a block with `# file:` lines is several files. */
function examples(code: Code): readonly (readonly SourceFile[])[] {
  return [...page(code).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => filesOf(match[1] ?? ''));
}

function filesOf(block: string): readonly SourceFile[] {
  const parts = block.split(/^# file: (.*)\n/m);
  if (parts.length === 1) return [{ path: 'example.yaml', text: block }];
  return parts.flatMap((path, i) => (i % 2 === 1 ? [{ path, text: parts[i + 1] ?? '' }] : []));
}

function codesOf(files: readonly SourceFile[]): ReadonlySet<string> {
  return new Set(readContracts(files).diagnostics.map((diagnostic) => diagnostic.code));
}

/** Texts that a page cannot hold. */
const unprintable: Readonly<Partial<Record<Code, string>>> = {
  'PV-1003': 'metadata:\n  description: "a\0b"\n',
  'PV-1004': `# ${'x'.repeat(MAX_CONTRACT_LENGTH)}`,
  'PV-1007': `a: &a [x, x, x, x, x, x, x, x, x, x]\n${[...'bcdefgh'].map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[i]}`).join(', ')}]\n`).join('')}`,
  'PV-1008': '['.repeat(2000),
  'PV-1011': '\uFEFFmetadata:\n  version: "1.0.0"\n',
  'PV-1012': 'metadata:\r\n  version: "1.0.0"\n',
  'PV-1025': 'metadata:\n  description: "a\x07b"\n',
  // A command line causes it; the page shows that.
  'PV-2008': 'bindings:\n  - { contract: softmax-kernel-v1.yaml, equation: softmax }\n',
  'PV-2007': `metadata: { version: "1.0.0", description: x }\nproof_obligations:\n${'  - { type: nonsense }\n'.repeat(60)}`,
};

describe.each(ours)('%s', (code) => {
  const [wrong, ...others] = page(code).includes('\nWrong:\n\n```yaml')
    ? examples(code)
    : [undefined, ...examples(code)];

  it('has a page that starts with its title', () => {
    expect(page(code).split('\n')[0]).toBe(`# ${code}: ${codes[code].title}`);
  });

  it('is caused by the wrong example of its page, or by a text that no page can hold', () => {
    const text = unprintable[code];
    const files = wrong ?? (text === undefined ? [] : [{ path: 'example.yaml', text }]);
    expect(codesOf(files)).toContain(code);
  });

  it('is not caused by the mended example', () => {
    for (const files of others) if (files) expect(codesOf(files)).not.toContain(code);
  });
});
