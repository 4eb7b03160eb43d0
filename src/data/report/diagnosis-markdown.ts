/** A diagnosis as Markdown: a table of whys per root, as people write them by hand. */
import { nameOf, rootOf, type Chain, type Diagnosis, type Violation } from '../diagnose/diagnosis.ts';
import { escapeMarkdown, inlineCode } from '../../report/markdown-escape.ts';
import {
  brickText,
  disagreementText,
  endLines,
  granularityText,
  headline,
  isNothingEvaluated,
  missingLines,
  nothingEvaluated,
  nothingFound,
  numbersOf,
  placesOf,
  whenText,
} from './diagnosis-words.ts';
import { mendText } from './mend-text.ts';
import { placeText } from './place-text.ts';

/** GitHub-flavoured Markdown; text from the user's files is escaped. */
export function diagnosisAsMarkdown(diagnosis: Diagnosis): string {
  const { bricks, firstSymptom, violations, chains, problems, disagreements, passedOver, contracts } = diagnosis;
  const open = [...passedOver.map(({ path, reason }) => `not read: ${path}: ${reason}`), ...missingLines(contracts)];
  const lines = [
    `# Diagnosis of ${escapeMarkdown(diagnosis.run)}`,
    '',
    escapeMarkdown(headline(diagnosis)),
    '',
    '| brick | obligations |',
    '|---|---|',
    ...bricks.map((one) => `| ${one.granularity} | ${granularityText(one)} |`),
    '',
    firstSymptom
      ? `First symptom, ${whenText(firstSymptom)}: ${inlineCode(nameOf(firstSymptom))}, ${escapeMarkdown(firstSymptom.property)}.`
      : isNothingEvaluated(diagnosis)
        ? nothingEvaluated
        : nothingFound,
    ...(problems.length + disagreements.length === 0 ? [] : ['', '## Inputs', '']),
    ...disagreements.map((one) => `- ${escapeMarkdown(disagreementText(one))}`),
    ...problems.map(
      ({ code, message, place }) =>
        `- ${code}${place === null ? '' : ` ${inlineCode(placeText(place))}`}: ${escapeMarkdown(message)}`,
    ),
    ...chains.flatMap((chain, i) => chainLines(chain, i, violations)),
    ...(open.length === 0 ? [] : ['', '## Not evaluated', '', ...open.map((line) => `- ${escapeMarkdown(line)}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Each question is about one violation; its finding is the next, and the last is what prevents it. */
function chainLines(chain: Chain, index: number, violations: readonly Violation[]): readonly string[] {
  const { whys } = chain;
  const last = rootOf(chain);
  const end = [...endLines(chain, violations), ...last.mends.map((mend) => `fix: ${mendText(mend)}`)];
  const rows = whys.map((why, i) => {
    const next = whys[i + 1];
    return next
      ? [question(why), finding(next), escapeMarkdown(brickText(next.brick))]
      : [question(why), end.map(escapeMarkdown).join('<br>'), inlineCode(nameOf(why))];
  });
  const [first] = whys;
  return [
    '',
    `## ${index + 1}. ${escapeMarkdown(nameOf(last))}`,
    '',
    `${finding(first)} (${escapeMarkdown(brickText(first.brick))})`,
    '',
    '| why | finding | brick boundary |',
    '|---|---|---|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ];
}

function question(why: Violation): string {
  return `Why does it not hold ${whenText(why)}: ${escapeMarkdown(why.property)}?`;
}

function finding(why: Violation): string {
  const [place] = placesOf(why);
  const at = place === undefined ? '' : `, at ${escapeMarkdown(place)}`;
  return `${inlineCode(nameOf(why))} ${escapeMarkdown(why.property)}: ${escapeMarkdown(numbersOf(why)[0])}${at}`;
}
