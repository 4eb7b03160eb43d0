import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractRules, setRules } from '../../../src/contract/rules.ts';
import { knownKeys } from '../../../src/contract/schema/validate.generated.ts';
import { readContracts } from '../../../src/contract/validate.ts';

const document = readFileSync('docs/contract-format.md', 'utf8');

/** What stands under the heading of a kind of mapping, up to the next heading. */
function sectionOf(kind: string): string {
  const heading = kind === 'contract' ? '## The keys' : `###${kind.includes('.') ? '#' : ''} ${kind}`;
  const [, rest = ''] = document.split(`\n${heading}\n`);
  return rest.split(/^##/mu)[0] ?? '';
}

describe('docs/contract-format.md', () => {
  it.each(Object.entries(knownKeys))('lists every key of %s once, and no other', (kind, keys) => {
    const listed = [...sectionOf(kind).matchAll(/^\| `([^`]+)`/gmu)].map(([, key]) => key);
    expect(new Set(listed)).toEqual(new Set(keys));
    expect(listed).toHaveLength(keys.length);
  });

  it('lists every rule', () => {
    const names = [...contractRules, ...setRules].map((rule) => rule.name);
    expect(names.filter((name) => !document.includes(`| ${name} |`))).toEqual([]);
  });

  it('shows a whole contract without a finding', () => {
    const example = /## A small contract, whole\n\n```yaml\n([\s\S]*?)```/.exec(document)?.[1] ?? '';
    expect(example).toContain('metadata:');
    expect(readContracts([{ path: 'double-kernel-v1.yaml', text: example }]).diagnostics).toEqual([]);
  });
});
