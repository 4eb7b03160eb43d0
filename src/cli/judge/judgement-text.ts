/** A judgement for a person: the verdict first, then what shows it, then how much was looked at. */
import { distinguishes, type CaughtVariants, type Judgement, type JudgedClaim } from '../../api/judge/judgement.ts';
import { count } from '../../base/text.ts';
import { isGreen } from '../../evidence/verdict.ts';
import { inputLines, meetsLines, shortened } from '../../report/facts.ts';
import { implementationOf } from '../../subject/gpu-device.ts';
import { reportPaint } from '../report-paint.ts';

const longestValue = 160;
/** Broken claims that are described; the JSON has them all. */
const shownClaims = 3;

/** Lines without a final line break. */
export function judgementText(judgement: Judgement, color: boolean): string {
  const { status, kernel, contract, equation, reason, cheats, claims, notes, reproduce } = judgement;
  const paint = reportPaint(color);
  const head =
    status === 'correct'
      ? paint('good', '✓ correct')
      : paint('bad', `${status === 'undetermined' ? '?' : '✗'} ${status}`);
  const open = claims.filter(({ verdict }) => !isGreen(verdict));
  return [
    `${head}: ${kernel} as ${equation} of ${contract}`,
    ...cheats.map(({ kind, how }) => `  ${kind}: ${how}`),
    ...(reason === null ? [] : [`  ${reason}`]),
    ...vacuousLines(judgement.scope),
    ...open.slice(0, shownClaims).flatMap((claim) => claimLines(claim)),
    ...(open.length > shownClaims ? [`  and ${count(open.length - shownClaims, 'more claim', 'more claims')}`] : []),
    ...notes.map((note) => `  note: ${note}`),
    `  ${scopeText(judgement)}`,
    `  reproduce: ${reproduce}`,
  ].join('\n');
}

function claimLines(claim: JudgedClaim): readonly string[] {
  const { id, verdict, property, tolerance, reason, counterexample } = claim;
  return [
    `  ${id} ${verdict}: ${property}${tolerance === 'exact' ? '' : ` (tolerance ${tolerance})`}`,
    ...(counterexample
      ? [
          `    found: ${counterexample.explanation}`,
          ...inputLines(counterexample.input, longestValue).map((line) => `    at ${line}`),
          ...counterexample.outputs.map((output) => `    the kernel gave ${shortened(output, longestValue)}`),
          ...meetsLines(claim).map((line) => `    ${line}`),
        ]
      : reason === null
        ? []
        : [`    ${reason}`]),
  ];
}

function scopeText({ claims, scope, seed }: Judgement): string {
  const held = claims.filter(({ verdict }) => isGreen(verdict)).length;
  const sizes = Object.entries(scope.sizes).map(([name, [from, to]]) => `${name} = ${from}…${to}`);
  return [
    `scope: ${held} of ${count(claims.length, 'claim')} held in ${scope.cases} cases (seed ${seed}, ${scope.arithmetic}${scope.device === null ? '' : ` on ${implementationOf(scope.device)}`}, accuracy ${scope.accuracy}`,
    ...sizes.map((size) => `, ${size}`),
    ')',
    scope.domain === null ? '' : `; inputs: ${shortened(scope.domain, longestValue)}`,
    scope.replayed > 0 ? `; ${scope.replayed} calls repeated: ${[...new Set(scope.conditions)].join('; ')}` : '',
    scope.wrongKernels ? `; ${caughtText(scope.wrongKernels)} caught` : '',
    scope.byFormula.length > 0 ? `; ${scope.byFormula.join(', ')} computed by formula` : '',
    scope.byBinding.length > 0
      ? `; ${scope.byBinding.join(', ')} computed by kernels of the binding, which are trusted`
      : '',
    scope.notJudged.length > 0 ? `; ${scope.notJudged.join(', ')} need kernels of other equations` : '',
  ].join('');
}

/** Empty where every one was caught, or none was tried. */
function vacuousLines({ wrongKernels, notJudged }: Judgement['scope']): readonly string[] {
  if (wrongKernels === null) return [];
  if (distinguishes(wrongKernels)) return [];
  const { killed, total, triedAll } = wrongKernels;
  if (killed === total)
    return [
      triedAll
        ? '  no wrong variant of the formula could be tried, so that the claims may accept any kernel'
        : `  only ${count(total, 'wrong variant')} of the formula could be tried in time; give more with --timeout`,
    ];
  const what = notJudged.length === 0 ? 'the contract is vacuous: its claims' : 'the claims that it decides alone';
  return [`  ${what} catch only ${caughtText(wrongKernels)}`];
}

const caughtText = ({ killed, total, triedAll }: CaughtVariants): string =>
  `${killed} of ${count(total, 'wrong variant')} of the formula${triedAll ? '' : ' that the time was enough for'}`;
