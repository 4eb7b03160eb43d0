/** docs/audit-of-public-contracts.md as text, from the folders of public contracts. */
import { readdir, readFile } from 'node:fs/promises';
import { adoptContracts } from '../../src/audit/adopt/adopt-contracts.ts';
import { readContracts } from '../../src/contract/validate.ts';
import { isAdoptionFinding, type AdoptedStatement, type Adoption } from '../../src/report/adopt/adoption.ts';
import { adoptionPage } from '../../src/report/adopt/page.ts';
import { inlineCode } from '../../src/report/markdown-escape.ts';
import { inputLines } from '../../src/runtime/case-text.ts';
import { confirmed, type Confirmed } from './confirmed.ts';
import { runHere, tool } from './run-here.ts';

const corpora = {
  'contracts-provable-contracts': ['paiml/provable-contracts', 'about half of the contracts of the Rust project'],
  'contracts-albor': ['paiml/albor', 'about half of the contracts of its user project'],
} as const;

/** The page; `folder` holds contracts-provable-contracts and contracts-albor. */
export async function publicContractsPage(folder: string): Promise<string> {
  const sections: string[] = [];
  for (const corpus of ['contracts-provable-contracts', 'contracts-albor'] as const)
    sections.push(...section(corpus, await adoptionOf(`${folder}/${corpus}`)));
  return [intro, ...sections].join('\n');
}

const intro = `# Audit of public contracts

What \`pv adopt\` says of contracts that others wrote, without any kernel: each statement runs on its own equations, in exact arithmetic
and in float32. The tables hold findings whose counterexample was also checked by hand, with that calculation; other findings are
counted below them. Written by \`node scripts/run.mjs scripts/audit-of-public-contracts.ts ../shared/data\`, and compared with a new run
by \`test/audit/adopt/public-contracts.test.ts\` where the files are.

Each command runs in a clone of the project. docs/adopt.md explains the words: *false* has a counterexample over ℝ; *false-in-float32* and
*false-in-float64* hold over ℝ as far as tried and are broken by rounding, overflow or underflow.
`;

async function adoptionOf(folder: string): Promise<Adoption> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).toSorted();
  const sources = await Promise.all(
    names.map(async (path) => ({ path, text: await readFile(`${folder}/${path}`, 'utf8') })),
  );
  const { value: contracts, diagnostics: findings } = readContracts(sources, { elsewhere: [] });
  return adoptContracts({ paths: names, contracts, findings }, runHere, { tool, seed: 1 });
}

function section(corpus: Confirmed['corpus'], adoption: Adoption): readonly string[] {
  const [project, what] = corpora[corpus];
  const own = confirmed.filter((row) => row.corpus === corpus);
  const rest = adoption.judged.filter(isAdoptionFinding).length - own.length;
  return [
    `## ${project}`,
    '',
    `${what[0]?.toUpperCase()}${what.slice(1)} (\`${corpus}\`, MIT): ${adoptionPage(adoption).verdict}`,
    '',
    '| command | statement | is | at | since |',
    '|---|---|---|---|---|',
    ...own.map((row) => rowText(row, findingOf(row, adoption))),
    '',
    ...(rest === 0 ? [] : [`${rest} more ${rest === 1 ? 'finding was' : 'findings were'} not checked by hand.`, '']),
  ];
}

/** A row that is no longer found must be taken out by hand: something has changed. */
function findingOf({ contract, claim, word }: Confirmed, { judged }: Adoption): AdoptedStatement {
  const found = judged.find((one) => one.contract === contract && one.claim === claim && one.word === word);
  if (!found) throw new Error(`${contract} ${claim} is not ${word} any more`);
  return found;
}

function rowText(
  { why }: Confirmed,
  { file, line, claim, word, formal, property, counterexample }: AdoptedStatement,
): string {
  const at = counterexample ? inlineCode(inputLines(counterexample.input).join(', ')) : '';
  const text = inlineCode((formal ?? property).replace(/\s+/gu, ' '));
  return `| \`pv adopt contracts/${file}\` | line ${line}, ${claim}: ${text} | ${word} | ${at} | ${why} |`;
}
