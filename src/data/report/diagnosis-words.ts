/** What the formats of a diagnosis say in the same words. Every sentence restates a check; none adds to it. */
import { count, listOf } from '../../base/text.ts';
import type {
  Brick,
  CauseStatus,
  Chain,
  ContractUse,
  Diagnosis,
  Disagreement,
  GranularityCount,
  Violation,
} from '../diagnose/diagnosis.ts';
import { nameOf, rootOf } from '../diagnose/diagnosis.ts';
import type { MissingInput } from '../judge/data-check.ts';
import { placeText } from './place-text.ts';

/** One sentence: how many files were read, how many obligations evaluated, and how many violated. */
export function headline({ run, files, contracts, bricks, passedOver }: Diagnosis): string {
  const sum = (of: (one: GranularityCount) => number): number => bricks.reduce((all, one) => all + of(one), 0);
  const used = contracts.filter((one) => one.files.length > 0).length;
  const read = `${count(files.length, 'file')} read${passedOver.length > 0 ? ` of ${files.length + passedOver.length}` : ''}`;
  const evaluated = `${sum((one) => one.evaluated)} of ${count(
    sum((one) => one.declared),
    'obligation',
  )} evaluated`;
  return `${run}: ${read}, ${used} of ${count(contracts.length, 'contract')} fit, ${evaluated}, ${sum((one) => one.violated)} violated`;
}

/** `block, local (1 of 12 blocks of step 3 fails), dynamic`. */
export function brickText({ granularity, scope, because, nature }: Brick): string {
  return `${granularity}, ${scope ?? 'local or global unknown'} (${because}), ${nature}`;
}

/** `kernel  1 of 3 evaluated obligations violated`. */
export function granularityText({ declared, evaluated, violated }: GranularityCount): string {
  if (declared === 0) return 'no obligation';
  if (evaluated === 0) return `not evaluated (0 of ${declared})`;
  return `${violated} of ${evaluated} violated${evaluated < declared ? `, ${declared - evaluated} not evaluated` : ''}`;
}

/** When a violation first shows: `at step 250`, `before the run`. */
export function whenText({ onset }: Violation): string {
  if (onset.when === 'before') return 'before the run';
  if (onset.step !== null) return `at step ${onset.step}`;
  return 'at a step that the data do not say';
}

/** The claim with its numbers, and what they follow from; a failing row shows its numbers at its place. */
export function numbersOf({ numbers, formal }: Violation): readonly [string, ...string[]] {
  const [claim = formal, ...derivation] = numbers;
  return [claim, ...derivation];
}

/** Where it fails: the values at fault, and the rows that fail with it. */
export function placesOf({ places, failing }: Violation): readonly string[] {
  const labels = new Map(failing.map(({ place, label }) => [placeText(place), label]));
  const own = places.map((place) => {
    const label = labels.get(placeText(place)) ?? null;
    labels.delete(placeText(place));
    return `${placeText(place)}  ${[place.text, label].filter((text) => text !== null && text !== '').join('; ')}`;
  });
  return [...own, ...[...labels].map(([place, label]) => `${place}${label === null ? '' : `  ${label}`}`)];
}

/** The row of a claim about rows; a claim about values has many places, and its numbers say them. */
function whereText({ places }: Violation): string {
  const [place] = places;
  return place?.column === null ? ` at ${placeText(place)}` : '';
}

/** How a chain ends: what prevents it, or what is still unknown; then what else of `violations` it explains. */
export function endLines(chain: Chain, violations: readonly Violation[]): readonly string[] {
  const { end, alsoExplains } = chain;
  const last = rootOf(chain);
  const name = nameOf(last);
  const source = `${name} (${placeText(last.source)})`;
  const also = violations
    .filter((one) => alsoExplains.includes(nameOf(one)))
    .map(
      (one) => `also violated as a consequence: ${nameOf(one)} ${one.property}: ${numbersOf(one)[0]}${whereText(one)}`,
    );
  const cause = last.ifFails === null ? [] : [`cause: ${last.ifFails.trim()}`];
  switch (end.kind) {
    case 'root':
      return [...cause, `prevented by ${source}, ${preventedWhen(last)}: ${last.command}`, ...also];
    case 'unnamed':
      return [...cause, `why: ${source} names no causes; write diagnosis.caused_by there`, ...also];
    case 'undecided':
      return [
        ...cause,
        `why: not decided, since ${count(end.open.length, 'cause')} could not be evaluated`,
        ...end.open.map(openText),
        ...end.ruledOut.map(ruledOutText),
        ...also,
      ];
    case 'gap':
      return [
        ...cause,
        `gap: no contract covers why. ${end.ruledOut.length === 0 ? 'No cause is listed.' : 'Every cause that the contract lists is ruled out:'}`,
        ...end.ruledOut.map(ruledOutText),
        `write an obligation that this run violates and healthy runs satisfy, and name it in caused_by of ${source}`,
        ...also,
      ];
  }
}

function preventedWhen({ brick }: Violation): string {
  return brick.nature === 'static' ? 'which can be checked before the run' : 'checked as soon as its data are written';
}

function openText({ cause, property, reason, missing }: CauseStatus): string {
  const what = property === null ? '' : ` (${property})`;
  const needs = missing.length > 0 ? `needs ${missing.map(inputText).join(', ')}` : (reason ?? 'it was not evaluated');
  return `? ${cause}${what}: ${needs}`;
}

function ruledOutText({ cause, property, status, numbers, reason }: CauseStatus): string {
  const [claim] = numbers;
  const why = status === 'satisfied' ? `it holds${claim === undefined ? '' : `: ${claim}`}` : (reason ?? status);
  return `- not ${cause}${property === null ? '' : ` (${property})`}: ${why}`;
}

function inputText({ name, meaning }: MissingInput): string {
  return meaning === null ? name : `${name} (${meaning})`;
}

/** `batch_size: 4 was taken from train.yaml; eval.yaml says 1`. */
export function disagreementText({ name, said }: Disagreement): string {
  const [taken, ...others] = said;
  const rest = others.filter(({ value }) => value !== taken?.value).map(({ path, value }) => `${path} says ${value}`);
  return `${name}: ${taken?.value} was taken from ${taken?.path}; ${rest.join(', ')}`;
}

/** What would let more be evaluated, one line per contract that lacks something. */
export function missingLines(contracts: readonly ContractUse[]): readonly string[] {
  return contracts
    .filter(({ undetermined }) => undetermined > 0)
    .map(({ contract, declared, undetermined, missing, files }) => {
      const needs = missing.length === 0 ? 'see pv check' : `needs ${listOf(missing.map(inputText), 6)}`;
      const none = files.length === 0 ? 'no file of the run fits; ' : '';
      return `${contract}: ${undetermined} of ${declared} not evaluated; ${none}${needs}`;
    });
}

/** The result when obligations were evaluated and none is violated. */
export const nothingFound = 'No violated obligation among those evaluated.';
/** The result when no obligation could be evaluated, which is not good news. */
export const nothingEvaluated = 'Nothing could be evaluated, so nothing is confirmed.';

/** Whether no obligation of any granularity could be evaluated. */
export function isNothingEvaluated({ bricks }: Diagnosis): boolean {
  return bricks.every(({ evaluated }) => evaluated === 0);
}
