/** Documents name each other by relative links, and no tool that builds pv would notice one that leads nowhere. */
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, normalize, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const names = await readdir('docs', { recursive: true });
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];

/** A document without its code, where brackets are no links and a # is no heading. */
const prose = (path: string): string => readFileSync(path, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');

/** The name that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (path: string): readonly string[] =>
  [...prose(path).matchAll(/^#{1,6} (.*)$/gm)].map((match) => anchorOf((match[1] ?? '').trim()));

const linksOf = (path: string): readonly string[] =>
  [
    ...prose(path)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map((match) => match[1] ?? '')
    .filter((link) => !/^[a-z]+:/.test(link));

/** Why a link of a document leads nowhere; null where it does not. */
function broken(document: string, link: string): string | null {
  const [path = '', anchor] = link.split('#', 2);
  const target = path === '' ? document : normalize(`${dirname(document)}/${path}`);
  if (!existsSync(resolve(target))) return `${link}: there is no ${target}`;
  if (anchor === undefined || anchorsOf(target).includes(anchor)) return null;
  return `${link}: ${target} has no such heading`;
}

describe('links between documents', () => {
  it.each(documents.filter((document) => linksOf(document).length > 0))('lead somewhere: %s', (document) => {
    expect(linksOf(document).flatMap((link) => broken(document, link) ?? [])).toEqual([]);
  });

  it('are reported if they lead nowhere', () => {
    expect(broken('docs/trace.md', 'no-such-page.md')).toContain('there is no docs/no-such-page.md');
    expect(broken('docs/trace.md', '#no-such-heading')).toContain('no such heading');
    expect(broken('docs/trace.md', 'trace-verify.md#who-vouches-for-a-root')).toBeNull();
  });
});
