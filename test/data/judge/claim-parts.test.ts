import { expect, it } from 'vitest';
import { partsOfClaim, withLets, type ClaimPart } from '../../../src/data/judge/claim-parts.ts';
import { printTerm } from '../../../src/math/term/print-term.ts';
import { claims } from './claims.ts';

const domain = 'v ∈ F64_ext^T, a ∈ ℝ, b ∈ ℝ, p ∈ Bool, q ∈ Bool';

/** `∀ row: premise ⟹ conclusion`, each below the values that it shares. */
function partText(part: ClaimPart): string {
  const row = part.row ? `∀ ${part.row.name}: ` : '';
  const premise = part.premise ? `${printTerm(withLets(part, part.premise))} ⟹ ` : '';
  return row + premise + printTerm(withLets(part, part.conclusion));
}

it.each<readonly [formal: string, parts: readonly string[]]>([
  ['v_t ≤ 2', ['∀ t: v_t ≤ 2']],
  ['p ∧ (q ∧ a ≤ b)', ['p', 'q', 'a ≤ b']],
  ['p ⟹ a ≤ b', ['p ⟹ a ≤ b']],
  ['p ⟹ (q ⟹ a ≤ b)', ['p ∧ q ⟹ a ≤ b']],
  ['p ⟹ v_t ≤ 1', ['∀ t: p ⟹ v_t ≤ 1']],
  ['v_t > 1 ⟹ v_t ≤ b', ['∀ t: v_t > 1 ⟹ v_t ≤ b']],
  ['p ⟹ (v_t > 1 ⟹ v_t ≤ b)', ['∀ t: p ∧ v_t > 1 ⟹ v_t ≤ b']],
  ['v_t ≤ max(v)', ['∀ t: let max = max_{i<T} v_i in v_t ≤ max']],
  [
    'v_t > mean(v) ⟹ v_t ≤ max(v)',
    [
      '∀ t: let sum = Σ_{i<T} v_i in let max = max_{i~2<T} v_i~2 in v_t > sum / T ⟹ let sum = Σ_{i<T} v_i in let max = max_{i~2<T} v_i~2 in v_t ≤ max',
    ],
  ],
  ['p ∨ a ≤ b', ['p ∨ a ≤ b']],
  ['(∀ t: v_t ≤ 1) ∧ p', ['∀ t: v_t ≤ 1', 'p']],
  ['∀ t: v_t ≤ 1 ∧ v_t ≥ 0', ['∀ t: v_t ≤ 1 ∧ v_t ≥ 0']],
  ['∀ s, t: v_s ≤ v_t', ['∀_{s<T, t<T}: v_s ≤ v_t']],
  ['max(v) ≤ 1 ∧ min(v) ≥ 0', ['max_{i<T} v_i ≤ 1', 'min_{i~2<T} v_i~2 ≥ 0']],
  ['p ⟹ max(v) ≤ a ∧ max(v) ≥ b', ['let max = max_{i<T} v_i in p ⟹ let max = max_{i<T} v_i in max ≤ a ∧ max ≥ b']],
  ['∃ t: v_t ≤ 1', ['∃_{t<T}: v_t ≤ 1']],
  ['p ⟹ max(v) ≤ a', ['p ⟹ max_{i<T} v_i ≤ a']],
  [
    'p ⟹ (Σ_j v_j·v_t > a ⟹ Σ_j v_j·v_t ≤ b)',
    ['∀ t: let sum = Σ_{j<T} v_j · v_t in p ∧ sum > a ⟹ let sum = Σ_{j<T} v_j · v_t in sum ≤ b'],
  ],
])('the parts of %s are %o', (formal, parts) => {
  const [goal] = claims('log', domain, [formal]).dataGoals;
  expect(goal && partsOfClaim(goal.predicate).map(partText)).toEqual(parts);
});
