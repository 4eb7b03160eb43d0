/**
 * Short statements about a report that several formats make, worded once.
 */
import { count } from '../base/text.ts';
import type { RecordedInput } from '../evidence/receipt.ts';
import { isGreen } from '../evidence/verdict.ts';
import type { ClaimReport, ContractReport, Report } from './report.ts';

/** Whether the equation itself, in float32, breaks the claim. */
export function breaksItself({ methods }: ClaimReport): boolean {
  return methods.some(({ method, verdict }) => method === 'soundness' && verdict === 'unsound');
}

/** `3 of 4 claims evaluated, 1 failed`: always with its denominator. */
export function coverage({
  declared,
  evaluated,
  failed,
}: Pick<ContractReport, 'declared' | 'evaluated' | 'failed'>): string {
  return `${evaluated} of ${count(declared, 'claim')} evaluated, ${failed} failed`;
}

/** `41 of 42 wrong kernels caught`; null if none was tried. */
export function killsText(kills: { readonly killed: number; readonly total: number } | null): string | null {
  return kills === null ? null : `${kills.killed} of ${count(kills.total, 'wrong kernel')} caught`;
}

/** `no claim compares the kernel with its equation (softmax)`; empty if every kernel is compared. */
export function uncomparedText(equations: readonly string[]): readonly string[] {
  return equations.length === 0 ? [] : [`no claim compares the kernel with its equation (${equations.join(', ')})`];
}

/**
 * What lowers a green contract's level: a dependency; null if nothing does. A reason that is not green is one of its problems.
 */
export function limitText({ reason, verdict }: ContractReport): string | null {
  return reason !== null && isGreen(verdict) ? `limited: ${reason}` : null;
}

/** `L3`; for a contract over data with the highest level for data, which is L2. */
export function levelText({ level, about }: Pick<ContractReport, 'level' | 'about'>): string {
  return about === 'data' ? `${level} of L2: data` : level;
}

/** `3 declared equivalent`: wrong kernels that an author's reason excludes from the count; null if there are none. */
export function excusedText(adequacy: ContractReport['adequacy']): string | null {
  const excused = adequacy?.equivalent.length ?? 0;
  return excused === 0 ? null : `${excused} declared equivalent`;
}

/** `2 claims over the reals, about no kernel, equal to 80 digits`; null if there are none. */
export function overRealsText(claims: readonly ClaimReport[]): string | null {
  const over = claims.filter(
    ({ source, methods }) => source !== 'statement' && methods.some(({ method }) => method === 'reals'),
  );
  if (over.length === 0) return null;
  const digits = Math.min(...over.flatMap(({ methods }) => methods.map(({ equalTo = Infinity }) => equalTo)));
  const equal = Number.isFinite(digits) ? `, equal to ${digits} digits` : '';
  return `${count(over.length, 'claim')} over the reals, about no kernel${equal}`;
}

/** `statements of equations: 1 of 3 evaluated, 0 failed, 2 not evaluated`; null if the equations state nothing. */
export function statementsText({ statements }: Pick<ContractReport, 'statements'>): string | null {
  if (!statements) return null;
  const { declared, evaluated, failed } = statements;
  const open = declared - evaluated;
  const rest = open === 0 ? '' : `, ${open} not evaluated`;
  return `statements of equations: ${evaluated} of ${declared} evaluated, ${failed} failed${rest}`;
}

/**
 * `5 of 6 proofs over ℝ hold`, `6 proofs over ℝ not checked here`: the proofs that the contract requires; null if it requires
 * none.
 */
export function realProofsText(claims: readonly ClaimReport[]): string | null {
  const asked = claims.flatMap(({ overReals }) => overReals ?? []);
  return asked.length === 0 ? null : standText(asked, 'over ℝ');
}

/** How many of the proofs hold: those not checked here are neither proved nor refused. */
export function standText(proofs: readonly { readonly standing: string }[], what: string): string {
  const number = (wanted: string): number => proofs.filter(({ standing }) => standing === wanted).length;
  const [holding, open] = [number('proved'), number('not checked')];
  if (open === proofs.length && open > 0) return `${count(open, 'proof')} ${what} not checked here`;
  const judged = `${holding} of ${count(proofs.length, 'proof')} ${what} ${holding === 1 || proofs.length === 1 ? 'holds' : 'hold'}`;
  return open === 0 ? judged : `${judged}, ${open} not checked here`;
}

/**
 * The largest error ÷ allowed error of the claims' kernels; null if nothing was compared. NaN counts as the largest.
 * Errors of the equation itself in float32 do not count.
 */
export function worstRatio(claims: readonly ClaimReport[]): number | null {
  const ratios = claims.flatMap((claim) =>
    claim.methods.flatMap(({ method, worst }) => (worst === null || method === 'soundness' ? [] : [worst.ratio])),
  );
  return ratios.length === 0 ? null : ratios.reduce((a, b) => (Number.isNaN(a) || a >= b ? a : b));
}

/** `0.933 × the tolerance`; an infinite ratio, stored in receipts as the largest double, is an error where none is allowed. */
export function ratioText(ratio: number): string {
  if (Number.isNaN(ratio)) return 'NaN, which no tolerance allows';
  return `${ratio < Number.MAX_VALUE ? grouped(Number(ratio.toPrecision(3))) : '∞'} × the tolerance`;
}

/** `27800` as `27,800`, the same on every machine; fractions and exponents stay as they are. */
function grouped(n: number): string {
  return Number.isInteger(n) && Math.abs(n) < 1e15 ? String(n).replace(/\B(?=(?:\d{3})+$)/g, ',') : String(n);
}

/** `softmax-kernel-v1/SM-INV-001`. */
export function claimId(contract: ContractReport, claim: ClaimReport): string {
  return `${contract.id}/${claim.id}`;
}

/** `gpu: verified on SwiftShader, llvmpipe`; null if no device could run the contract. */
export function gpuText({ gpu }: Pick<ContractReport, 'gpu'>): string | null {
  if (gpu === null) return null;
  const { standing, devices, failedOn } = gpu;
  switch (standing) {
    case 'verified':
      return `gpu: verified on ${devices.join(', ')}`;
    case 'one device':
      return `gpu: one device, ${devices.join(', ')}`;
    case 'failed':
      return `gpu: failed on ${failedOn.join(', ')}`;
    default:
      return `gpu: ${standing}`;
  }
}

/** The sentence about the whole run; says so when there was nothing to verify. */
export function totalsText({ contracts, subject, totals }: Report): string {
  const what = `${subject ?? count(contracts.length, 'contract')}: ${coverage(totals)}`;
  return totals.evaluated === 0 ? `${what}; nothing was verified` : what;
}

/**
 * `PASSED` or `FAILED`, with the level that was requested; data have no level; if evidence was not requested, what to do.
 */
export function gateText({ gate, subject, totals }: Report): string {
  if (!gate.judged) return 'not verified yet: run pv audit';
  if (subject !== undefined) return `check ${gate.passed ? 'PASSED' : 'FAILED'}${gate.remark ?? ''}`;
  const { waived } = totals.byVerdict;
  const set = waived === 0 || !gate.passed ? '' : ` with ${waived} of ${count(totals.declared, 'claim')} waived`;
  const accuracy = gate.accuracy === undefined ? '' : `, accuracy ${gate.accuracy}`;
  const only = gate.claim === undefined ? '' : ` for ${gate.claim} alone`;
  return `gate ${gate.passed ? 'PASSED' : 'FAILED'}${only}${set} (minimum level ${gate.minimumLevel}${accuracy})`;
}

/** Which less accurate class a falsified claim meets; empty if none is known. */
export function meetsLines({ meets }: Pick<ClaimReport, 'meets'>): readonly string[] {
  return meets ? [`it meets the accuracy class ${meets} (--accuracy ${meets})`] : [];
}

/** `n = 2` and `x = [1.5, -0]`, one entry per size and value; longer values are shortened, with a note. */
export function inputLines(input: RecordedInput, longest: number): readonly string[] {
  const sizes = Object.entries(input.sizes).map(([name, size]) => `${name} = ${size}`);
  const values = Object.entries(input.values).map(([name, { text }]) => `${name} = ${shortened(text, longest)}`);
  return [...(sizes.length > 0 ? [sizes.join(', ')] : []), ...values];
}

/** At most `longest` characters of `text`, with the number of those left out, or of the elements of a list. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const size = / \((\d+) elements\)$/.exec(text);
  if (size)
    return `${text.slice(0, Math.min(longest, size.index))}${size.index > longest ? '…' : ''} (${Number(size[1]).toLocaleString('en-US')} elements)`;
  return `${text.slice(0, longest).replace(/\p{Surrogate}$/u, '')}… (${text.length - longest} more characters)`;
}
