/** The waivers of a project applied to what was checked: a violation that somebody accepts, and what is wrong with the waivers. */
import { isInForce, namesNothing, outOfForce, unnecessary } from '../../audit/waivers.ts';
import { quoted } from '../../base/text.ts';
import type { DataCheck, ObligationOnData } from '../../data/judge/data-check.ts';
import type { Diagnostic, Staged } from '../../diagnostics/diagnostic.ts';
import type { DataWaiverRow } from '../../subject/binding.ts';
import { fitsPattern } from './file-pattern.ts';

/** What waivers apply to. */
export interface Waivable {
  readonly checks: readonly DataCheck[];
  /** Every claim of a contract that judged a file, asked for or not, by the contract's id. */
  readonly claims: ReadonlyMap<string, readonly string[]>;
  /** The path of a file from the root of the project. */
  readonly keyOf: (path: string) => string;
  /** `2027-03-31`, UTC. */
  readonly today: string;
  readonly isFile: (key: string) => Promise<boolean>;
}

/** The checks with violations that are waived; only violations are: what did not run cannot be accepted. */
export async function waive(
  rows: readonly DataWaiverRow[],
  { checks, claims, keyOf, today, isFile }: Waivable,
): Promise<Staged<readonly DataCheck[]>> {
  const keys = new Map(checks.map(({ path }) => [path, keyOf(path)]));
  const rowsOn = (check: DataCheck): readonly DataWaiverRow[] =>
    rows.filter(({ file }) => fits(file.value, keys.get(check.path) ?? ''));
  const covering = new Map(checks.map((check) => [check, rowsOn(check)]));
  const diagnostics: Diagnostic[] = [];
  for (const row of rows) {
    const covered = checks.filter((check) => covering.get(check)?.includes(row));
    if (covered.length > 0) diagnostics.push(...findingsOn(row, covered, claims, today));
    else if (!isPattern(row.file.value) && !(await isFile(row.file.value)))
      diagnostics.push(namesNothing(row.file, `there is no file ${quoted(row.file.value)}`, [...keys.values()]));
  }
  const value = checks.map((check) => {
    const own = (covering.get(check) ?? []).filter(
      (row) => row.contract.value === check.contract && isInForce(row, today),
    );
    return { ...check, obligations: check.obligations.map((one) => waived(one, own)) };
  });
  return { value, diagnostics };
}

function waived(one: ObligationOnData, rows: readonly DataWaiverRow[]): ObligationOnData {
  const row = one.verdict === 'violated' ? rows.find(({ claim }) => claim.value === one.id) : undefined;
  if (!row) return one;
  const waiver = { owner: row.owner.value, reason: row.reason.value, expires: row.expires.value };
  return { ...one, verdict: 'waived', waiver };
}

/** A path outside the project is covered by nothing: `..` is not a folder of it. */
function fits(pattern: string, key: string): boolean {
  const isOutside = key === '..' || key.startsWith('../') || /^(?:\/|[a-z]:)/iu.test(key);
  return !isOutside && (isPattern(pattern) ? fitsPattern(pattern, key) : pattern === key);
}

const isPattern = (file: string): boolean => /[*?]/.test(file);

function findingsOn(
  row: DataWaiverRow,
  covered: readonly DataCheck[],
  claims: Waivable['claims'],
  today: string,
): readonly Diagnostic[] {
  const { contract, claim, file } = row;
  const ids = claims.get(contract.value);
  if (ids === undefined) return unjudged(row, [...claims.keys()]);
  if (!ids.includes(claim.value))
    return [namesNothing(claim, `${contract.value} has no claim ${quoted(claim.value)}`, ids)];
  const judged = covered
    .filter((check) => check.contract === contract.value)
    .flatMap(({ obligations }) => obligations.filter(({ id }) => id === claim.value));
  const [first] = judged;
  if (judged.some(({ verdict }) => verdict === 'violated')) return outOfForce(row, today, 'the file');
  // A pattern may be there for a file that was not checked now; what could not be evaluated may be violated.
  const isKnown = !isPattern(file.value) || judged.length > 1;
  const isOpen = judged.some(({ verdict }) => verdict === 'undetermined');
  return first && isKnown && !isOpen ? [unnecessary(row, first.verdict)] : [];
}

/** A contract that judged none of the files may be there for another run, unless its name is a slip. */
function unjudged({ contract }: DataWaiverRow, names: readonly string[]): readonly Diagnostic[] {
  const found = namesNothing(contract, `no contract ${quoted(contract.value)} judged this file`, names);
  return found.hint?.startsWith('did you mean') === true ? [found] : [];
}
