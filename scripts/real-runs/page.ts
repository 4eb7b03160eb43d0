/** docs/check-real-runs.md as text, from a folder of public configs and logs. */
import { readdir, readFile } from 'node:fs/promises';
import { readContract } from '../../src/contract/read.ts';
import { elaborateContract } from '../../src/contract/elaborate.ts';
import type { ElaboratedContract } from '../../src/contract/goal.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import { checkData } from '../../src/data/judge/check-data.ts';
import type { DataCheck, DataVerdict, ObligationOnData } from '../../src/data/judge/data-check.ts';
import { readData } from '../../src/data/read/read-data.ts';

/**
 * Training sequences of each data set, by its path in the configs, as counted in their comments (22,079 and 67,977
 * sequences, 500 rows, 1,987,843 sequences, 1,227,172 batches of 4).
 */
const sequences: Readonly<Record<string, number>> = {
  'data/pretokenized-2048/train/': 22079,
  'data/pretokenized-2048-v2/train/': 67977,
  'data/pretokenized-1024-v3/train/': 4 * 1227172,
  'data/pretokenized-1024-v4/train/': 1987843,
  'data/tokenized/train-500/': 500,
};

const logs = [
  'logs/distill-student-v3.log',
  'resume/logs/llamafactory-trainer_log.ccby.jsonl',
  'resume/logs/megatron-spike.apache.log',
  'resume/trainer_state/eval-keys-2025.mit.json',
  'resume/trainer_state/llamafactory-2025.ccby.json',
  'resume/trainer_state/metamath-2024.apache.json',
  'resume/hf_full_checkpoint/checkpoint-1000/trainer_state.json',
];

const marks: Readonly<Record<DataVerdict, string>> = {
  satisfied: '✓',
  violated: '✗',
  waived: '⚑',
  undetermined: '?',
  vacuous: '–',
  inapplicable: '·',
};

interface Row {
  readonly name: string;
  readonly settings: ReadonlyMap<string, number>;
  readonly check: DataCheck | null;
  readonly reason: string;
}

/** The whole page; `folder` holds train-configs-albor, logs and resume. */
export async function realRunsPage(folder: string): Promise<string> {
  const config = await contractOf('training-config-kernel-v1');
  const stability = await contractOf('training-stability-v1');
  const configs = (await readdir(`${folder}/train-configs-albor`)).filter((name) => name.endsWith('.yaml')).toSorted();
  const configRows: Row[] = [];
  for (const name of configs) {
    const path = `${folder}/train-configs-albor/${name}`;
    configRows.push(await rowOf(config, path, name, await settingsOf(path)));
  }
  const logRows: Row[] = [];
  for (const name of logs) logRows.push(await rowOf(stability, `${folder}/${name}`, name, new Map()));
  return [intro, ...section('Configs', config, configRows), ...section('Logs', stability, logRows), ''].join('\n');
}

const intro = `# Checks of real runs

What \`training-config-kernel-v1\` and \`training-stability-v1\` say about configs and logs that others wrote (paiml/albor, Hugging
Face, LLaMA-Factory, Megatron; see the README of that folder for their licences). Written by
\`node scripts/run.mjs scripts/check-real-runs.ts ../shared/data\`, and compared with a new run by
\`test/check/contracts/real-runs.test.ts\` when the files are there.

✓ satisfied, ✗ violated, – its premise is false, · not applicable (what it needs is not required of a log), ? not
evaluated since an input is missing. Sizes of data sets are not in the
configs; where their comments count the sequences, they are given with \`--set num_sequences=…\`. Everything else that a config
does not say is the contract's default (one device, incomplete batches dropped, parameters from the shape of the model).
`;

async function contractOf(id: string): Promise<ElaboratedContract> {
  const path = `contracts/${id}.yaml`;
  const { value } = readContract({ path, text: await readFile(path, 'utf8') });
  if (!value) throw new Error(`${path} cannot be read`);
  return elaborateContract(value, new Map());
}

async function settingsOf(path: string): Promise<ReadonlyMap<string, number>> {
  const train = /^\s*train:\s*"([^"]+)"/m.exec(await readFile(path, 'utf8'))?.[1];
  const count = train === undefined ? undefined : sequences[train];
  return new Map(count === undefined ? [] : [['num_sequences', count]]);
}

async function rowOf(
  contract: ElaboratedContract,
  path: string,
  name: string,
  settings: ReadonlyMap<string, number>,
): Promise<Row> {
  const { value, diagnostics } = await readData(createNodeHost(), path);
  const reason = diagnostics.map(({ message }) => message).join('; ');
  return { name, settings, reason, check: value && (await checkData(contract, [value], settings)) };
}

function section(title: string, contract: ElaboratedContract, rows: readonly Row[]): readonly string[] {
  const ids = contract.dataGoals.map(({ claim }) => claim);
  const read = rows.flatMap(({ check }) => check ?? []);
  const evaluated = read.flatMap(({ obligations }) => obligations).filter(({ verdict }) => isDecided(verdict)).length;
  return [
    `## ${title}`,
    '',
    `${read.length} of ${rows.length} files read, ${evaluated} of ${ids.length * rows.length} obligations decided.`,
    '',
    `| file | sequences | ${ids.join(' | ')} |`,
    `|---|---:|${ids.map(() => ':-:|').join('')}`,
    ...rows.map(tableRow),
    '',
    ...rows.flatMap(violations),
    ...summaryOf(ids, read),
  ];
}

const isDecided = (verdict: DataVerdict): boolean => verdict === 'satisfied' || verdict === 'violated';

function tableRow({ name, settings, check, reason }: Row): string {
  if (!check) return `| ${name} | ${reason} |`;
  const cells = check.obligations.map(({ verdict }) => marks[verdict]);
  return `| ${name} | ${settings.get('num_sequences') ?? ''} | ${cells.join(' | ')} |`;
}

function violations({ name, check }: Row): readonly string[] {
  const violated = (check?.obligations ?? []).filter(({ verdict }) => verdict === 'violated');
  if (violated.length === 0) return [];
  return [`**${name}**`, '', ...violated.map(violation), ''];
}

function violation({ id, property, numbers, places, mends, rows }: ObligationOnData): string {
  const [first] = rows === null ? [] : places;
  const at = first ? `, first at ${first.position} ${first.at}` : '';
  const counted = rows === null ? '' : ` (${rows.failing} of ${rows.of} rows${at})`;
  const mend = mends.map(
    ({ key, written, place }) => `\`${key}\` ${written.was} → ${written.becomes}${place ? ` (line ${place.at})` : ''}`,
  );
  return `- ${id}, ${property}: \`${numbers[0] ?? ''}\`${counted}${mend.length > 0 ? `; fix: ${mend.join(', or ')}` : ''}`;
}

function summaryOf(ids: readonly string[], checks: readonly DataCheck[]): readonly string[] {
  const line = (id: string): string => {
    const verdicts = checks.flatMap(({ obligations }) => obligations.filter((one) => one.id === id));
    const number = (wanted: DataVerdict): number => verdicts.filter(({ verdict }) => verdict === wanted).length;
    return `| ${id} | ${number('satisfied')} | ${number('violated')} | ${number('vacuous')} | ${number('inapplicable')} | ${number('undetermined')} |`;
  };
  return ['| obligation | ✓ | ✗ | – | · | ? |', '|---|---:|---:|---:|---:|---:|', ...ids.map(line), ''];
}
