/** What the evidence of a claim covers, in one line: a verdict without its scope claims too much. */
import type { Goal } from '../contract/goal.ts';
import { count, listOf } from '../base/text.ts';
import { gradeReceipt } from '../evidence/grade.ts';
import type { Receipt, StatisticRecord } from '../evidence/receipt.ts';
import { REAL_DIGITS } from '../methods/runs/decide.ts';
import type { SizeVariable } from '../math/domain.ts';
import { implementationOf } from '../subject/gpu-device.ts';
import { isGpuBackend } from '../subject/kernel.ts';

/** The scope of a claim without receipts. */
export const nothingRan = 'nothing ran';

const grouped = (count: number): string => count.toLocaleString('en-US');

/** e.g. `10,000 cases at all 128 sizes, seed 1, float32 on gpujs-webasm, 1 ≤ n ≤ 128`. */
export function scopeOf(receipts: readonly Receipt[], goal: Goal): string {
  const decided = receipts.filter(
    ({ method, verdict }) =>
      method !== 'types' && method !== 'adequacy' && (method !== 'soundness' || verdict === 'unsound'),
  );
  if (decided.length === 0) return nothingRan;
  const sizes = goal.domain.sizes.filter(({ definition }) => definition === null).map(sizeText);
  const open = [...new Set(receipts.flatMap(({ inputs }) => inputs?.open ?? []))].toSorted();
  const limits = [
    ...(goal.overReals ? ['about the equation and not about a kernel'] : []),
    ...(open.length > 0 ? [`of this run alone: it used ${listOf(open)}`] : []),
  ];
  return [...decided.map((receipt) => runOf(receipt, goal)), ...sizes, ...limits].join(', ');
}

/** e.g. `1 ≤ n ≤ 64 (the contract sets no upper bound of n: larger ones were not tested)`. */
function sizeText({ name, minimum, maximum, declaredMaximum = maximum }: SizeVariable): string {
  const tested = `${minimum} ≤ ${name} ≤ ${maximum}`;
  if (declaredMaximum === maximum) return tested;
  return declaredMaximum === Infinity
    ? `${tested} (the contract sets no upper bound of ${name}: larger ones were not tested)`
    : `${tested} (the contract goes to ${declaredMaximum}: larger ones were not tested)`;
}

function runOf(receipt: Receipt, goal: Goal): string {
  if (receipt.method === 'bounded') return proofText(receipt);
  const { cases, generator, method, backend } = receipt;
  const seed = `seed ${generator.seed}`;
  if (method === 'soundness') return `the equation itself in float32: ${grouped(cases)} cases, ${seed}`;
  if (method === 'controls')
    return `${grouped(cases)} data ${cases === 1 ? 'set' : 'sets'} with a known verdict, in float64`;
  if (goal.overReals) {
    const inputs =
      method === 'reals' && goal.source === 'obligation'
        ? `${grouped(cases)} cases, ${seed}`
        : `${grouped(cases)} inputs`;
    const equal = receipt.equalTo === undefined ? '' : `, equal to ${receipt.equalTo} digits`;
    return `over the reals: ${inputs}${beyondText(receipt)}, ${REAL_DIGITS} digits or more${equal}`;
  }
  if (method === 'statistical')
    return `${grouped(cases)} draws, ${seed}, ${ranOn(goal, backend)}, ${intervalsOf(receipt, goal)}`;
  const inputs =
    method === 'falsify'
      ? `${grouped(cases)} inputs`
      : `${grouped(cases)} cases${atSizes(receipt, goal)}${boundaryText(receipt)}${literalText(receipt)}${largeText(receipt)}, ${seed}`;
  return `${inputs}${beyondText(receipt)}, ${ranOn(goal, backend)}${toleranceOn(goal, backend.id)}`;
}

/** e.g. ` at all 128 sizes`, ` at 1,246 of 4,608 combinations of sizes`. */
function atSizes({ combinations }: Receipt, { domain }: Goal): string {
  if (!combinations) return '';
  const { run, all } = combinations;
  const chosen = domain.sizes.filter(({ definition }) => definition === null).length;
  const one = chosen === 1 ? 'size' : 'combination of sizes';
  const many = chosen === 1 ? 'sizes' : 'combinations of sizes';
  if (all === null) return ` at ${grouped(run)} ${run === 1 ? one : many}`;
  if (run < all) return ` at ${grouped(run)} of ${grouped(all)} ${many}`;
  return all === 1 ? '' : ` at all ${grouped(all)} ${many}`;
}

/** e.g. ` and 129 on the boundaries of the formula`. */
function boundaryText({ boundaries = 0 }: Receipt): string {
  return boundaries === 0 ? '' : ` and ${grouped(boundaries)} on the boundaries of the formula`;
}

/** e.g. ` and 52 at the numbers in the kernel`. */
function literalText({ literals = 0 }: Receipt): string {
  return literals === 0 ? '' : ` and ${grouped(literals)} at the numbers in the kernel`;
}

/** e.g. ` and 2 at n = 4,096`, ` and 2 at H = 8, n = 512`. */
function largeText({ large = [] }: Receipt): string {
  return large
    .map(({ sizes, cases }) => {
      const named = Object.entries(sizes).map(([name, value]) => `${name} = ${grouped(value)}`);
      return ` and ${grouped(cases)} at ${named.join(', ')}`;
    })
    .join('');
}

/** e.g. ` and 50 beyond the numbers of kernels (3 more are open)`. */
function beyondText({ beyond }: Receipt): string {
  if (!beyond) return '';
  const open = beyond.open === 0 ? '' : ` (${beyond.open} more ${beyond.open === 1 ? 'is' : 'are'} open)`;
  return ` and ${grouped(beyond.cases)} beyond the numbers of kernels${open}`;
}

/** e.g. `float32 code proved for every n from 1 to 16 under 4 axioms`. */
function proofText(receipt: Receipt): string {
  const { proof } = receipt;
  if (proof === null) return 'no proof';
  const { verdict } = gradeReceipt(receipt);
  if (verdict !== 'proved') return `bounded proof ${verdict}`;
  const under = proof.axioms.length === 0 ? '' : ` under ${count(proof.axioms.length, 'axiom')}`;
  const part = proof.inPart === null ? '' : ` in part (${proof.inPart})`;
  return `${proof.about} proved${part} for ${proof.scope}${under}`;
}

/** The tolerance of a backend with its own. */
function toleranceOn({ onBackends }: Goal, backend: string): string {
  const own = onBackends[backend];
  return own ? ` (tolerance ${own.toleranceText})` : '';
}

function ranOn({ applications }: Goal, { id, device, arithmetic }: Receipt['backend']): string {
  if (applications.length === 0) return 'mathematics in float64';
  if (isGpuBackend(id)) return `float32 on ${id} (${implementationOf(device)})`;
  return `${arithmetic === 'f32' ? 'float32' : 'float64'} on ${id}`;
}

/** e.g. `64 intervals at 99.9 % together, closest: mean(…) ≈ x_i at 0.498 in [0.49, 0.51] for 0.5 ± 0.05`. */
function intervalsOf({ statistics, backend }: Receipt, goal: Goal): string {
  const alpha = goal.statistical?.alpha ?? 0;
  const total = (statistics ?? []).reduce((sum, { intervals }) => sum + intervals, 0);
  const closest = (statistics ?? []).map(estimateText);
  const together = `${total} intervals at confidence ${short(100 * (1 - alpha))} % together${toleranceOn(goal, backend.id)}`;
  return [together, ...closest].join(', ');
}

function estimateText({ statistic, relation, worst }: StatisticRecord): string {
  const { estimate, low, high, target, allowed } = worst;
  const right = allowed === null ? `${relation} ${short(target)}` : `≈ ${short(target)} ± ${short(allowed)}`;
  return `${statistic} ${short(estimate)} in [${short(low)}, ${short(high)}] for ${right}`;
}

const short = (x: number): string => String(Number(x.toPrecision(4)));
