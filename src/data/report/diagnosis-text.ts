/** A diagnosis for a terminal: the first symptom, the bricks, then each chain of whys. */
import { visible } from '../../base/text.ts';
import { nameOf, rootOf, type Chain, type Diagnosis, type Violation } from '../diagnose/diagnosis.ts';
import type { Paint } from '../../report/format.ts';
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

/** Lines for a terminal; control characters of the user's files are made visible. */
export function diagnosisAsText(diagnosis: Diagnosis, paint: Paint): string {
  const { chains, problems, passedOver, contracts } = diagnosis;
  const missing = missingLines(contracts);
  const lines = [
    paint('strong', visible(headline(diagnosis))),
    ...diagnosis.bricks.map((one) => `  ${one.granularity.padEnd(9)} ${granularityText(one)}`),
    ...passedOver.map(({ path, reason }) => paint('dim', `  not read: ${visible(path)}: ${visible(reason)}`)),
    ...problems.map(
      ({ code, message, place }) =>
        `  ${paint('bad', `✗ ${code}`)}${place === null ? '' : ` ${placeText(place)}`}: ${visible(message)}`,
    ),
    ...diagnosis.disagreements.map((one) => `  ${paint('doubt', `! ${visible(disagreementText(one))}`)}`),
    '',
    ...symptomLines(diagnosis, paint),
    ...chains.flatMap((chain, i) => ['', ...chainLines(chain, i, diagnosis, paint)]),
    ...(missing.length === 0 ? [] : ['', paint('doubt', 'Not evaluated:')]),
    ...missing.map((line) => `  ${visible(line)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function symptomLines(diagnosis: Diagnosis, paint: Paint): readonly string[] {
  const { firstSymptom, problems } = diagnosis;
  if (firstSymptom) {
    const title = `First symptom, ${whenText(firstSymptom)}: ${nameOf(firstSymptom)}: ${firstSymptom.property}`;
    return [paint('bad', visible(title)), `  brick: ${visible(brickText(firstSymptom.brick))}`];
  }
  if (isNothingEvaluated(diagnosis)) return [paint('doubt', nothingEvaluated)];
  return [paint(problems.length > 0 ? 'doubt' : 'good', nothingFound)];
}

function chainLines(chain: Chain, index: number, { chains, violations }: Diagnosis, paint: Paint): readonly string[] {
  const { whys } = chain;
  const last = rootOf(chain);
  const isNew = firstTime();
  return [
    paint('strong', `Diagnosis ${index + 1} of ${chains.length}: ${visible(nameOf(last))}`),
    ...whys.flatMap((why, i) => [
      ...(i === 0 ? [] : [paint('dim', '     why?')]),
      ...whyLines(why, i, isNew).map((line, k) => (k === 0 ? paint('bad', visible(line)) : visible(line))),
    ]),
    ...endLines(chain, violations).map((line) => `     ${visible(line)}`),
    ...last.mends.map((mend, i) => `     ${i === 0 ? 'fix:' : ' or:'} ${mendText(mend)}`),
  ];
}

/** Whether a line is asked about for the first time: the whys of a chain share equations and values. */
function firstTime(): (line: string) => boolean {
  const seen = new Set<string>();
  return (line) => !seen.has(line) && seen.add(line).size > 0;
}

function whyLines(why: Violation, index: number, isNew: (line: string) => boolean): readonly string[] {
  const [claim, ...derivation] = numbersOf(why);
  return [
    `  ${index + 1}. ${why.property}: violated ${whenText(why)} (${nameOf(why)})`,
    `     claimed: ${why.formal}`,
    ...(claim === why.formal ? [] : [`     here:    ${claim}`]),
    ...derivation.map((line) => `              ${line}`).filter(isNew),
    ...placesOf(why)
      .map((place) => `     at ${place}`)
      .filter(isNew),
    ...(why.alsoIn.length === 0 ? [] : [`     also in ${why.alsoIn.join(', ')}`]),
    `     brick: ${brickText(why.brick)}`,
  ];
}
