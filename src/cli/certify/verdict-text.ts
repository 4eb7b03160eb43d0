/** The findings of `pv certify`, as text and as JSON. */
import { count, visible } from '../../base/text.ts';
import { arithmeticScope } from '../../training/robustness/claim.ts';
import type { Problem } from '../../base/problem.ts';
import type { Verdict } from '../../training/robustness/certify.ts';
import type { CertifiedRadius } from '../../training/robustness/radius.ts';
import { jsonText } from '../json-text.ts';

/** The verdict on a property file, or on one of the inputs of a file. */
export interface Finding {
  /** The number of the input, or null for a property. */
  readonly example: number | null;
  readonly label: number | null;
  readonly verdict: Verdict;
  readonly radius: CertifiedRadius | null;
  /** Cases of the property that no input and output satisfy. */
  readonly emptyCases: number;
}

/** What was certified. */
export interface Shown {
  readonly network: string;
  readonly claim: string;
  readonly epsilon?: number;
  /** How the network was read where its file leaves values open. */
  readonly readAs: readonly string[];
}

const words = { holds: 'holds (proved)', violated: 'violated', undecided: 'undecided' } as const;
const methods = { ibp: 'intervals', deeppoly: 'DeepPoly', hybrid: 'DeepPoly and intervals' } as const;
const reasons = {
  boxes: 'the limit on boxes was reached: raise --boxes',
  time: 'the time ran out: raise --timeout',
  resolution: 'the remaining boxes are too small to halve in float64',
  outside: 'an input next to the bounds is unsafe, but no input within them can be represented: widen the bounds',
  unconfirmed:
    'an input seems unsafe, but that depends on the order of the roundings, or the network is too large to be evaluated over the reals: use another --arithmetic',
  vacuity: 'bounds exclude every case, but pv could not determine whether anything satisfies the constraints of one',
} as const;
const arithmetics = { real: 'exact arithmetic', float64: 'float64', float32: 'float32' } as const;

/** Values printed per row; the JSON has all of them. */
const mostShown = 12;

const scopeOf = ({ readAs }: Shown, { arithmetic }: Verdict): string =>
  [arithmeticScope[arithmetic], ...readAs.map((one) => `with ${one}`)].join('; ');

export function certifyText(shown: Shown, findings: readonly Finding[]): string {
  const lines = findings.flatMap((finding) => findingLines(shown, finding));
  return [...lines, ...summaryLines(findings)].join('\n');
}

function findingLines(shown: Shown, { example, label, verdict, radius, emptyCases }: Finding): readonly string[] {
  const { milliseconds, method, boxes, counterexample } = verdict;
  const subject =
    example === null ? visible(shown.claim) : `input ${example}, label ${label ?? ''}, radius ${shown.epsilon ?? ''}`;
  const seconds = milliseconds === null ? '' : `, ${(milliseconds / 1000).toFixed(2)} s`;
  const rows: (readonly [string, string])[] = [];
  if (verdict.verdict === 'holds')
    rows.push(['scope', `${visible(scopeOf(shown, verdict))}; inputs in the same arithmetic`]);
  if (verdict.open > 0)
    rows.push([
      'left',
      `${count(verdict.open, 'box', 'boxes')}, ${(100 * verdict.openShare).toPrecision(3)} % of the volume`,
    ]);
  if (verdict.reason !== null) rows.push(['reason', reasons[verdict.reason]]);
  if (counterexample !== null)
    rows.push(
      ['input', rowText(counterexample.inputs)],
      ['output', `${rowText(counterexample.outputs)} (float64)`],
      ['', `${rowText(counterexample.outputs32)} (float32)`],
      [
        'checked',
        `by running the network: unsafe in ${counterexample.unsafeIn.map((one) => arithmetics[one]).join(' and ')}, by ${counterexample.margin}`,
      ],
    );
  if (verdict.widened > 0)
    rows.push([
      'widened',
      `${count(verdict.widened, 'input')} to the next ${verdict.arithmetic === 'float32' ? 'float32' : 'float64'} numbers: none is within ${verdict.widened === 1 ? 'its' : 'their'} bounds`,
    ]);
  if (emptyCases > 0) rows.push(['left out', `${count(emptyCases, 'case')} that no input and output satisfy`]);
  if (radius !== null) rows.push(['radius', radiusText(radius)]);
  return [
    `${words[verdict.verdict]}: ${subject} for ${visible(shown.network)} (${methods[method]}, ${count(boxes, 'box', 'boxes')}${seconds})`,
    ...rows.map(([name, value]) => `    ${name.padEnd(8)}  ${value}`),
  ];
}

function rowText(values: readonly number[]): string {
  const rest = values.length - mostShown;
  return `[${values.slice(0, mostShown).join(', ')}${rest > 0 ? `, … ${rest} more` : ''}]`;
}

function radiusText({ radius, refutedAt }: CertifiedRadius): string {
  if (radius === null) return 'none: the input itself gets another label';
  return `${radius} is certified${refutedAt === null ? '' : `; at ${refutedAt} an input gets another label`}`;
}

function summaryLines(findings: readonly Finding[]): readonly string[] {
  if (findings.length < 2) return [];
  const certified = findings.filter(({ verdict }) => verdict.verdict === 'holds').length;
  return [
    `${certified} of ${findings.length} inputs are certified (${((100 * certified) / findings.length).toFixed(1)} %)`,
  ];
}

/** The verdict on a property that nothing could violate, with the problem that says so. */
export const vacuousText = ({ network, claim }: Shown): string =>
  `vacuous: ${visible(claim)} for ${visible(network)} (no input and output satisfy the constraints: nothing is proved)`;

export const vacuousJson = (shown: Shown, { code, message }: Problem): string =>
  jsonText({ ...shown, verdicts: [{ verdict: 'vacuous', code, message }] });

/** The findings as JSON. */
export function certifyJson({ readAs, ...shown }: Shown, findings: readonly Finding[]): string {
  const verdicts = findings.map(({ example, label, verdict, radius, emptyCases }) => ({
    ...(example !== null && { input: example, label }),
    ...verdict,
    emptyCases,
    scope: scopeOf({ readAs, ...shown }, verdict),
    ...(radius && { certifiedRadius: radius.radius, refutedAt: radius.refutedAt }),
  }));
  const certified = findings.filter(({ verdict }) => verdict.verdict === 'holds').length;
  const fraction = findings.some(({ example }) => example !== null)
    ? { certifiedFraction: certified / findings.length }
    : {};
  return jsonText({ ...shown, verdicts, ...fraction });
}
