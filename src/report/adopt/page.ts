/** The page of `pv adopt` as sections of short items: what every format for people prints. */
import { count, listOf, shortened } from '../../base/text.ts';
import { inputLines } from '../facts.ts';
import {
  isAdoptionFinding,
  type AcceptedVariants,
  type AdoptedStatement,
  type Adoption,
  type AdoptionWord,
  type PatchReport,
  type Share,
} from './adoption.ts';
import { reasonGroups } from './reason-groups.ts';
import { equationsThatAccept, equationsTried, variantItems } from './variant-items.ts';

/** One thing to know, with what explains it. */
interface PageItem {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Items under a heading. */
interface PageSection {
  readonly heading: string;
  readonly items: readonly PageItem[];
}

/** What a section prints, and the number in its heading, which is that of statements where an item stands for several. */
type Content = readonly PageItem[] | { readonly of: number; readonly items: readonly PageItem[] };

/** Everything that is printed. */
export interface AdoptionPage {
  /** The verdict in one sentence. */
  readonly verdict: string;
  /** `✗` if anything is wrong that nobody has accepted; `✓` only if something held, everything ran, and wrong formulas were caught, too. */
  readonly mark: '✓' | '✗' | '?';
  readonly sections: readonly PageSection[];
  readonly closing: readonly string[];
}

/** Items of a section beyond this are counted. */
const mostItems = 30;
/** Examples of a group. */
const examples = 2;
/** Groups of reasons; the rest is counted. */
const mostGroups = 6;

/** The page of a report. */
export function adoptionPage(given: Adoption): AdoptionPage {
  const folder = commonFolder([...given.judged, ...given.variants].map(({ file }) => file));
  const near = given.judged.map((one) => ({
    ...one,
    file: one.file.slice(folder.length),
    reason: one.reason.replace(`(${folder}`, '('),
  }));
  const variants = given.variants.map((one) => ({ ...one, file: one.file.slice(folder.length) }));
  const adoption = { ...given, judged: near, variants };
  const { judged, baseline } = adoption;
  const accepted = new Set(baseline?.accepted.map(keyOf) ?? []);
  const open = judged.filter((one) => isAdoptionFinding(one) && !accepted.has(keyOf(one)));
  const of = (word: AdoptionWord, extreme = false): readonly AdoptedStatement[] =>
    open.filter((one) => one.word === word && (one.extreme === true) === extreme);
  const [overflowing, inFloats] = apart(
    (['false-in-float32', 'false-in-float64'] as const).flatMap((word) => [...of(word), ...of(word, true)]),
    ({ overflows }) => overflows === true,
  );
  const [extreme, usual] = apart(inFloats, (one) => one.extreme === true);
  const [undecided, rounded] = apart(usual, (one) => one.open === true);
  const sections = [
    section(
      'Files that cannot be read',
      adoption.unread.map((title) => ({ title, lines: [] })),
    ),
    section(
      'Parts of files that are not read',
      (given.unreadParts ?? []).map(({ file, line, text: part }) => ({
        title: `${file.startsWith(folder) ? file.slice(folder.length) : file}:${line} ${text(part)}`,
        lines: [],
      })),
    ),
    section('Must leave the baseline: the finding is gone', goneItems(adoption)),
    section('False over ℝ', of('false').map(findingItem)),
    section('Contradictions', of('contradicts').map(findingItem)),
    section('True over ℝ as far as tried, and false in float arithmetic', rounded.map(findingItem)),
    section('False in float arithmetic, and open over ℝ', undecided.map(findingItem)),
    section('False in float arithmetic, seen only with numbers beyond 10^±18', extremeItems(extreme)),
    section('Overflow in float arithmetic: both sides are NaN, so that nothing is compared', extremeItems(overflowing)),
    section(
      'Hold in float arithmetic only: over ℝ they are false',
      judged.filter(({ roundedOnly }) => roundedOnly === true).map(findingItem),
    ),
    section('Vacuous: no input meets the premise, or the claim cannot fail', of('vacuous').map(findingItem)),
    section('Would accept wrong kernels', variantItems(adoption)),
    section(
      'Would accept any kernel: no statement that is understood as a whole and holds is about them',
      placesOf(variants, isUntold),
    ),
    section('Hold for every wrong variant of their formulas that was tried, too', judged.filter(isIdle).map(idleItem)),
    section(
      'Not tried on wrong variants: there are none, or the time ended',
      placesOf(variants, (one) => one.tried === 0 && !isUntold(one)),
    ),
    section(
      'Possibly false: the part that pv understands fails, but the wording may exclude this input',
      judged.filter(({ asRead }) => asRead === 'broken').map(brokenItem),
    ),
    section('Accepted in the baseline', acceptedItems(adoption)),
    section('Errors in the files', readingItems(adoption)),
    section('Run once a kernel is bound', groupItems(judged.filter(({ word }) => word === 'needs-kernel'))),
    section('Not run', groupItems(judged.filter(({ word }) => word === 'not-run'))),
    section('Prose', groupItems(judged.filter(({ word }) => word === 'prose'))),
    section('Rewritten in the patch', rewrittenItems(adoption, folder)),
  ].filter(({ items }) => items.length > 0);
  return { verdict: verdictOf(adoption), mark: markOf(adoption), sections, closing: closingOf(adoption, folder) };
}

function apart(
  statements: readonly AdoptedStatement[],
  isMeant: (one: AdoptedStatement) => boolean,
): readonly [readonly AdoptedStatement[], readonly AdoptedStatement[]] {
  return [statements.filter(isMeant), statements.filter((one) => !isMeant(one))];
}

const isIdle = ({ idleOf }: AdoptedStatement): boolean => idleOf !== undefined;

function idleItem(one: AdoptedStatement): PageItem {
  return { title: `${titleOf(one)} (${count(one.idleOf ?? 0, 'variant')})`, lines: [] };
}

const isUntold = ({ statements }: AcceptedVariants): boolean => statements === 0;

function placesOf(
  variants: readonly AcceptedVariants[],
  isMeant: (one: AcceptedVariants) => boolean,
): readonly PageItem[] {
  return variants
    .filter(isMeant)
    .map(({ file, line, equation }) => ({ title: `${file}:${line} ${equation}`, lines: [] }));
}

/** The folder that all files are in, with its last slash; empty if there is none. */
function commonFolder(files: readonly string[]): string {
  const [first = ''] = files;
  const parts = first.split('/').slice(0, -1);
  while (parts.length > 0 && !files.every((path) => path.startsWith(`${parts.join('/')}/`))) parts.pop();
  return parts.length === 0 ? '' : `${parts.join('/')}/`;
}

/** Whether every file was read as a whole and no statement is wrong, or all of those that are have been accepted, and no entry is out of date. */
export function isClean({ judged, baseline, unread, unreadParts = [] }: Adoption): boolean {
  if (unread.length + unreadParts.length > 0) return false;
  if (baseline) return baseline.unknown.length + baseline.gone.length === 0;
  return !judged.some(isAdoptionFinding);
}

const keyOf = ({ contract, claim, word }: Pick<AdoptedStatement, 'contract' | 'claim' | 'word'>): string =>
  `${contract}/${claim} ${word}`;

function share({ run, inPart, needKernel, declared }: Share, what: string): string {
  const more = [
    ...(inPart === undefined ? [] : [`${inPart} in part`]),
    ...(needKernel === undefined ? [] : [`${needKernel} once a kernel is bound`]),
  ];
  return `${run}${more.length === 0 ? '' : ` (and ${more.join(', ')})`} of ${declared} ${what}`;
}

function markOf(adoption: Adoption): AdoptionPage['mark'] {
  if (!isClean(adoption)) return '✗';
  const { equations, obligations, tests, statements } = adoption;
  // Whoever names one of two contracts with one name may mean the other.
  if (adoption.findings.some(({ code }) => code === 'PV-3008')) return '?';
  const isWhole = [equations, obligations, tests, statements].every(({ run, declared }) => run === declared);
  const tellsWrong = adoption.variants.every(({ tried, accepted }) => tried > 0 && accepted === 0);
  const isTold = adoption.judged.some(({ word }) => word === 'held') && !adoption.judged.some(isIdle);
  return isWhole && tellsWrong && isTold ? '✓' : '?';
}

function verdictOf(adoption: Adoption): string {
  const { contracts, equations, obligations, tests, statements, judged, baseline } = adoption;
  const number = (...words: readonly AdoptionWord[]): number =>
    judged.filter(({ word }) => words.includes(word)).length;
  const kinds: readonly (readonly [Share, string])[] = [
    [equations, 'equations'],
    [obligations, 'obligations'],
    [tests, 'tests'],
    [statements, 'other statements'],
  ];
  const ran = listOf(kinds.flatMap(([of, what]) => (of.declared === 0 ? [] : [share(of, what)])));
  const inFloats = judged.filter(({ word }) => word === 'false-in-float32' || word === 'false-in-float64');
  const open = inFloats.filter((one) => one.open === true).length;
  const overflow = inFloats.filter((one) => one.overflows === true).length;
  const is = (n: number): string => `${n} ${n === 1 ? 'is' : 'are'}`;
  const some = (n: number, words: string): readonly string[] => (n > 0 ? [words] : []);
  const contradicting = number('contradicts');
  const rounded = inFloats.length - open - overflow;
  // How many are false and how many held is said even if it is 0: these two are what the reader came for.
  const parts = [
    `${is(number('false'))} false`,
    ...some(contradicting, `${contradicting} ${contradicting === 1 ? 'contradicts' : 'contradict'} another`),
    ...some(rounded, `${is(rounded)} false in float arithmetic only`),
    ...some(open, `${is(open)} false in float arithmetic and open over ℝ`),
    ...some(overflow, `${overflow} ${overflow === 1 ? 'overflows' : 'overflow'} in float arithmetic`),
    ...some(number('vacuous'), `${is(number('vacuous'))} vacuous`),
    `${number('held')} held on every input tried${heldText(judged)}`,
    ...some(number('prose'), `${is(number('prose'))} prose`),
  ];
  const missing = adoption.unreadParts ?? [];
  const files = [
    ...(adoption.unread.length === 0 ? [] : [` and ${count(adoption.unread.length, 'file')} that cannot be read`]),
    ...(missing.length === 0 ? [] : [` (${count(missing.length, 'part')} not read)`]),
  ].join('');
  const known = baseline ? `; the baseline accepts ${count(baseline.accepted.length, 'finding')}` : '';
  const accepting = equationsThatAccept(adoption).length;
  const weak =
    accepting === 0
      ? ''
      : `; of ${count(equationsTried(adoption).length, 'equation')} tried, ${accepting} would accept wrong kernels`;
  const statementsJudged = judged.length === 0 ? 'no statement was judged' : `of the statements ${parts.join(', ')}`;
  const what = ran === '' ? '' : `${ran} run; `;
  return `${count(contracts, 'contract')}${files}: ${what}${statementsJudged}${known}${weak}.`;
}

/** What keeps those that held from saying all that they seem to say. */
function heldText(judged: readonly AdoptedStatement[]): string {
  const idle = judged.filter(isIdle).length;
  const inFloats = judged.filter(({ roundedOnly }) => roundedOnly === true).length;
  const parts = [
    ...(inFloats > 0
      ? [`${inFloats} of them in float arithmetic only: over ℝ ${inFloats === 1 ? 'it is' : 'they are'} false`]
      : []),
    ...(idle > 0 ? [`${idle} of them for every wrong formula tried, too`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

function section(heading: string, content: Content): PageSection {
  const { of, items } = 'of' in content ? content : { of: content.length, items: content };
  const more = items.length - mostItems;
  const shown = items.slice(0, mostItems);
  const rest = more > 0 ? [{ title: `and ${more} more: --format json has them all`, lines: [] }] : [];
  return { heading: `${heading} (${of})`, items: [...shown, ...rest] };
}

/** More of a value or a sentence is not read. */
const longestText = 200;

/** Long texts are cut where they stop to be read. */
const text = (long: string): string =>
  shortened(
    long
      .replace(/\s+/gu, ' ')
      .replace(/\bout:\d+/gu, 'the result')
      .trim(),
    200,
  );

/** Such as `softmax-kernel-v1.yaml:24 SM-INV-001: Σ σ(x) = 1`: a file is named after its contract. */
function titleOf({ file, line, claim, formal, property }: AdoptedStatement): string {
  return `${file}:${line} ${claim}: ${text(formal ?? property)}`;
}

/** What says no more than the section that the finding is in. */
const sayNothing: ReadonlySet<string> = new Set(['the claim is false', 'a counterexample in exact arithmetic']);

function findingItem(found: AdoptedStatement): PageItem {
  const { counterexample, reason, mend } = found;
  const how = [...counterexampleLines(counterexample), text(reason)].filter((line) => !sayNothing.has(line));
  return {
    title: titleOf(found),
    lines: [...how, ...(mend === null ? [] : [`to fix it, ${mend.charAt(0).toLowerCase()}${mend.slice(1)}`])],
  };
}

/** Its section says already that it is false as far as it is understood; what is false in float arithmetic only comes first. */
function brokenItem(found: AdoptedStatement): PageItem {
  const [whyInPart = '', word = ''] = found.reason.split('; as far as it is understood, it is ');
  const item = findingItem({ ...found, reason: whyInPart });
  const inFloats = /^false-in-(\w+): (.*)$/u.exec(word);
  return inFloats
    ? { ...item, lines: item.lines.toSpliced(-1, 0, text(`false in ${inFloats[1]}: ${inFloats[2]}`)) }
    : item;
}

function counterexampleLines(counterexample: AdoptedStatement['counterexample']): readonly string[] {
  if (!counterexample) return [];
  const { input, explanation, outputs } = counterexample;
  const gave =
    explanation.includes('left =') || outputs.length === 0 ? [] : [`the formula gave ${text(outputs.join(', '))}`];
  const at = inputLines(input, longestText);
  return [...(at.length > 0 ? [`at ${at.join(', ')}`] : []), text(explanation), ...gave];
}

/** One line for each contract: such numbers break almost any formula. */
function extremeItems(statements: readonly AdoptedStatement[]): Content {
  const items = byContract(statements).map(([contract, of]) => ({
    title: `${contract}: ${listOf(
      of.map(({ claim, line }) => `${claim} (line ${line})`),
      12,
    )}`,
    lines: of.slice(0, 1).map(({ claim, counterexample }) => {
      const how = counterexampleLines(counterexample).filter((line) => !sayNothing.has(line));
      return `e.g. ${claim} ${how.join(': ')}`;
    }),
  }));
  return { of: statements.length, items };
}

function byContract(
  statements: readonly AdoptedStatement[],
): readonly (readonly [string, readonly AdoptedStatement[]])[] {
  const known = new Map<string, AdoptedStatement[]>();
  for (const one of statements) known.set(one.contract, [...(known.get(one.contract) ?? []), one]);
  return [...known];
}

function acceptedItems({ baseline }: Adoption): readonly PageItem[] {
  return (baseline?.accepted ?? []).map(({ contract, claim, word, owner, reason }) => ({
    title: `${contract} ${claim}: ${word}`,
    lines: [`accepted by ${owner}: ${text(reason)}`],
  }));
}

function goneItems({ baseline }: Adoption): readonly PageItem[] {
  return (baseline?.gone ?? []).map(({ contract, claim, word, line }) => ({
    title: `${contract} ${claim}: ${word} (${baseline?.path ?? ''}:${line})`,
    lines: ['the statement was changed or is no longer broken: remove the entry'],
  }));
}

function rewrittenItems({ patch }: Adoption, folder: string): readonly PageItem[] {
  return (patch?.rewritten ?? []).map(({ file, line, id, was, now }) => ({
    title: `${file.startsWith(folder) ? file.slice(folder.length) : file}:${line} ${id}: ${text(was)}`,
    lines: [`is written ${text(now)}`],
  }));
}

function readingItems({ findings }: Adoption): readonly PageItem[] {
  const byCode = new Map<string, (typeof findings)[number][]>();
  for (const found of findings.filter(({ severity }) => severity === 'error'))
    byCode.set(found.code, [...(byCode.get(found.code) ?? []), found]);
  return [...byCode]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([code, of]) => ({
      title: `${code}${of.length === 1 ? '' : `, ${of.length} times, such as`}: ${text(of[0]?.message ?? '')}`,
      lines: of.slice(0, 1).flatMap(({ path, start }) => (path && start ? [`at ${path}:${start.line}`] : [])),
    }));
}

function patchText({ path, command, rewritten, unlocked, leftOut }: PatchReport): string {
  const others =
    leftOut === 0
      ? ''
      : ` ${count(leftOut, 'rewriting')} that would make a statement wrong or leave it open ${leftOut === 1 ? 'was' : 'were'} left out.`;
  if (rewritten.length === 0) return `Nothing can be rewritten exactly, so ${path} was not written.${others}`;
  const number = (kind: 'equation' | 'claim'): number =>
    new Set(rewritten.flatMap((one) => (one.kind === kind ? [`${one.contract}/${one.id}`] : []))).size;
  const what = `${count(number('equation'), 'equation')} and ${count(number('claim'), 'statement')}`;
  const more = `with it ${unlocked} more ${unlocked === 1 ? 'statement runs' : 'statements run'}`;
  return `${path} rewrites ${what}; ${more}.${others} Read its comments, and apply it: ${command}`;
}

function groupItems(statements: readonly AdoptedStatement[]): Content {
  const groups = reasonGroups(statements);
  const shown = groups.slice(0, mostGroups);
  const rest = groups.slice(mostGroups).reduce((sum, group) => sum + group.statements.length, 0);
  const others = count(groups.length - mostGroups, 'other reason');
  const items = [
    ...shown.map((group) => ({
      title: `${group.statements.length}: ${text(group.kind)}`,
      lines: [
        ...group.statements.slice(0, examples).map(titleOf),
        ...(group.statements.length > examples ? [`and ${group.statements.length - examples} more`] : []),
      ],
    })),
    ...(rest > 0 ? [{ title: `${rest}: ${others}`, lines: [] }] : []),
  ];
  return { of: statements.length, items };
}

function closingOf({ baseline, seed, patch }: Adoption, folder: string): readonly string[] {
  const where = folder === '' ? '' : ` Paths are relative to ${folder}.`;
  const ran = `Each statement ran on its own equations, without a kernel, in exact arithmetic and in float32; inputs were drawn with seed ${seed}.${where}`;
  const scope = patch ? [ran, patchText(patch)] : [ran];
  if (!baseline) return [...scope, 'Accept findings with --write-baseline FILE --owner NAME --reason TEXT.'];
  const { unknown, gone, path } = baseline;
  if (unknown.length + gone.length === 0) return [...scope, `${path} accepts every finding.`];
  return [
    ...scope,
    ...(unknown.length > 0
      ? [`${count(unknown.length, 'finding')} that ${path} does not have: ${listOf(unknown, 8)}`]
      : []),
    ...(gone.length > 0 ? [`${count(gone.length, 'entry', 'entries')} of ${path} must be removed`] : []),
  ];
}
