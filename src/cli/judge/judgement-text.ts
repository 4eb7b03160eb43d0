/** A judgement for a person: the verdict first, then what shows it, then how much was looked at. */
import type { Judgement, JudgedClaim } from '../../api/judge/judgement.ts';
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
    ...open.slice(0, shownClaims).flatMap((claim) => claimLines(claim)),
    ...(open.length > shownClaims ? [`  and ${count(open.length - shownClaims, 'claim')} more`] : []),
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
    scope.replayed > 0 ? `; ${scope.replayed} calls repeated: ${scope.conditions.join('; ')}` : '',
    scope.notJudged.length > 0 ? `; ${scope.notJudged.join(', ')} need other equations` : '',
  ].join('');
}
