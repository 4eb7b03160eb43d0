/** A data check for a terminal: what is wrong first, with its numbers and its fix; then what could not be evaluated. */
import { count, listOf, shortened, visible } from '../../base/text.ts';
import type {
  Consequence,
  DataCheck,
  DataWaiver,
  DataVerdict,
  InputProblem,
  MissingInput,
  ObligationOnData,
  OwnValue,
  UnusedKeys,
} from '../judge/data-check.ts';
import { shellWord } from '../../base/shell-word.ts';
import { numberText } from '../judge/numbers-in.ts';
import type { Paint } from '../../report/format.ts';
import { askedInputs, type AskedInput } from '../judge/asked-inputs.ts';
import { exceptionsText, scopeText, totalsOf, type DataReport, type DataTotals } from './data-report.ts';
import { mendText } from './mend-text.ts';
import { nearestColumn } from './nearest-column.ts';
import { placeText } from './place-text.ts';

const marks: Readonly<Record<DataVerdict, { readonly symbol: string; readonly style: Parameters<Paint>[0] }>> = {
  violated: { symbol: '✗', style: 'bad' },
  waived: { symbol: '⚑', style: 'doubt' },
  undetermined: { symbol: '?', style: 'doubt' },
  vacuous: { symbol: '∅', style: 'doubt' },
  inapplicable: { symbol: '–', style: 'dim' },
  satisfied: { symbol: '✓', style: 'good' },
};

const order: readonly DataVerdict[] = ['violated', 'waived', 'undetermined', 'vacuous', 'inapplicable', 'satisfied'];

/** The report for a terminal; empty if no file could be read, since the findings about them are on stderr. */
export function dataReportAsText({ checks, scope, findings, totals }: DataReport, paint: Paint): string {
  if (checks.length === 0) return '';
  const only = visible(scopeText(scope));
  const parts = checks.flatMap((check) => [...checkLines(check, only, paint), '']);
  const files = new Set(checks.map(({ path }) => path)).size;
  return [
    ...blocking(findings, paint),
    ...parts,
    closing(totals, !findings.some(isError), `${count(files, 'data set')}${only}`, paint) +
      paint('doubt', limitsText(checks)),
  ].join('\n');
}

/** Codes of findings whose one line in the report for a terminal says all: keys that look like a known one. */
export const inTextReport: ReadonlySet<string> = new Set(['PV-7039', 'PV-7040']);

/** What could not be read, and keys that may have been meant for a known name, which block its default: both explain what follows. */
function blocking(findings: DataReport['findings'], paint: Paint): readonly string[] {
  const misspelt = findings.filter(({ code }) => inTextReport.has(code));
  const found = [...findings.filter(isError), ...misspelt];
  const lines = found.slice(0, SHOWN_COLUMNS).map(({ code, message, hint, path, start }) => {
    const place = start === null ? (path ?? '') : `${path ?? ''}:${start.line}:${start.column}`;
    const [map] = /--map \S+=[\w.-]*\w/u.exec(hint ?? '') ?? [];
    return paint('bad', `! ${code} ${visible(place)}: ${visible(message)}${map ? ` (${map} if it is the same)` : ''}`);
  });
  const more = found.length - lines.length;
  return more === 0 ? lines : [...lines, paint('bad', `! and ${more} more`)];
}

const isError = ({ severity }: DataReport['findings'][number]): boolean => severity === 'error';

function checkLines(check: DataCheck, only: string, paint: Paint): readonly string[] {
  const { contract, path, part, format, goesWith, obligations, problems, ownValues, unused } = check;
  const file = part === undefined ? path : `${path}, ${part}`;
  const sorted = order.flatMap((verdict) => obligations.filter((one) => one.verdict === verdict));
  const shownFailing = sorted.filter((one) => isFailing(one) && !isFolded(one, obligations));
  const failing = [
    ...causesFirst(shownFailing.filter(({ verdict }) => verdict === 'violated')),
    ...shownFailing.filter(({ verdict }) => verdict === 'waived'),
  ];
  const asked = askedInputs(check);
  const shown = new Set<string>();
  return [
    paint(
      'strong',
      `${visible(contract)} on ${visible(file)} (${format})${only}${goesWith === undefined ? '' : ': decides no obligation by itself'}${exceptionsText(totalsOf([check]))}${limitsText([check])}`,
    ),
    ...(goesWith === undefined
      ? []
      : [`  steps and rates are in ${goesWith}: pv check FILE --with ${visible(shellWord(path))}`]),
    ...problems.flatMap((problem) => problemLines(problem, paint)),
    ...failing.flatMap((one) => [
      ...obligationLines(one, shown, paint),
      ...consequenceLines(
        obligations.filter((other) => other.consequence?.of === one.id && isFolded(other, obligations)),
      ),
    ]),
    ...askFor(asked, check, paint),
    ...sorted.filter((one) => !isFailing(one)).flatMap((one) => obligationLines(waiting(one, asked), shown, paint)),
    ...assumptions(obligations, paint),
    ...answers(ownValues, paint),
    ...notRead(unused, paint),
    `  ${summary(totalsOf([check]))}`,
  ];
}

/** What a fix of another one changes comes after it, and otherwise the order stays; a circle begins with its first. */
function causesFirst(found: readonly ObligationOnData[]): readonly ObligationOnData[] {
  const left = [...found];
  const ordered: ObligationOnData[] = [];
  while (left.length > 0) {
    const isFree = ({ apartFrom }: ObligationOnData): boolean => !left.some(({ id }) => apartFrom.includes(id));
    ordered.push(...left.splice(Math.max(0, left.findIndex(isFree)), 1));
  }
  return ordered;
}

const isFailing = ({ verdict }: ObligationOnData): boolean => verdict === 'violated' || verdict === 'waived';

/**
 * What an obligation waits for, by names alone: their meanings are said once for all. What only advice waits for is not asked for
 * above.
 */
function waiting(one: ObligationOnData, asked: readonly AskedInput[]): ObligationOnData {
  if (one.verdict !== 'undetermined' || one.unusable || one.unclear.length > 0 || one.missing.length === 0) return one;
  const needs = asked.filter(({ ids }) => ids.includes(one.id));
  const own = needs.flatMap(({ errors, input }) => (errors === 0 && !input.isColumn ? [input] : []));
  const flags = own.length === 0 ? '' : `: ${flagsOf(own)}`;
  return { ...one, reason: `needs ${needs.map(({ input }) => input.name).join(', ')}${flags}${thresholdText(one)}` };
}

/** `; holds at num_sequences = 1337 and larger values tried` */
function thresholdText({ threshold }: ObligationOnData): string {
  if (threshold === null) return '';
  const { input, from, tried, least, most } = threshold;
  return from === null
    ? `; violated at all ${tried} values of ${input} tried, ${numberText(least)} to ${numberText(most)}`
    : `; holds at ${input} = ${numberText(from)} and larger values tried`;
}

/** Whether a violation is shown under the one that it follows from: not under one that is waived, nor an error under advice. */
function isFolded({ verdict, severity, consequence }: ObligationOnData, all: readonly ObligationOnData[]): boolean {
  const cause = consequence && all.find(({ id }) => id === consequence.of);
  if (!cause || verdict !== 'violated' || cause.verdict !== 'violated') return false;
  return severity === 'advice' || cause.severity === 'error';
}

function problemLines({ code, message, hint, place }: InputProblem, paint: Paint): readonly string[] {
  const where = place === null ? '' : ` ${placeText(place)}`;
  return [
    `  ${paint('bad', `✗ ${code}`)}${where}: ${visible(message)}`,
    ...(hint === null ? [] : [paint('dim', `      ${visible(hint)}`)]),
  ];
}

/** `shown`: the equations with numbers that were already printed above; added to. */
function obligationLines(one: ObligationOnData, shown: Set<string>, paint: Paint): readonly string[] {
  const { symbol, style } = marks[one.verdict];
  const { waiver } = one;
  const advice = one.severity === 'advice' && one.verdict !== 'satisfied' ? ' (advice)' : '';
  const word = one.verdict === 'inapplicable' ? 'not applicable' : one.verdict;
  const title = `  ${paint(advice === '' ? style : 'doubt', `${symbol} ${visible(one.id)} ${word}${advice}`)}: ${visible(one.property)}`;
  if (one.verdict === 'satisfied') return [`${title}${rowsText(one)}`];
  if (one.verdict !== 'violated' && waiver === null) return [`${title}: ${visible(toldOnce(one.reason ?? '', shown))}`];
  const [claim, ...derivation] = one.numbers;
  return [
    `${title}${rowsText(one)}`,
    ...(waiver === null ? [] : [paint('doubt', `      ${waiverText(waiver)}`)]),
    `      claimed: ${visible(one.formal)}`,
    ...(claim === undefined ? [] : [`      here:    ${visible(claim)}`]),
    ...derivationLines(derivation, shown).map((line) => paint('dim', `               ${visible(line)}`)),
    ...placeLines(one.places),
    ...(one.ifFails === null ? [] : [`      cause: ${visible(one.ifFails.trim())}`]),
    ...one.mends.map((mend, i) => `      ${i === 0 ? 'fix:' : ' or:'} ${mendText(mend)}`),
  ];
}

/** `max_steps is not known, as above`: where the same key is the reason, it is said once. */
function toldOnce(reason: string, shown: Set<string>): string {
  const [head = '', why] = reason.split(/(?<=is not known), and no default is used: /, 2);
  if (why === undefined) return reason;
  const isRepeated = shown.has(why);
  shown.add(why);
  return isRepeated ? `${head}, as above` : reason;
}

/** `violated, and waived by ada until 2027-03-31: the run was started again` */
export function waiverText({ owner, reason, expires }: DataWaiver): string {
  return visible(`violated, and waived by ${shortened(owner, 60)} until ${expires}: ${shortened(reason)}`);
}

/** What follows from a violation, with its numbers: a person who mends that one need not read the others. */
function consequenceLines(consequences: readonly ObligationOnData[]): readonly string[] {
  const shownBy = (wanted: Consequence['shownBy']): readonly ObligationOnData[] =>
    consequences.filter(({ consequence }) => consequence?.shownBy === wanted);
  const under = (title: string, own: readonly ObligationOnData[]): readonly string[] =>
    own.length === 0 ? [] : [`      ${title}`, ...own.map((one) => `        ${consequenceText(one)}`)];
  return [
    ...under('also violated as a consequence; the first fix resolves it too:', shownBy('mend')),
    ...under('also violated as a consequence, according to the causes in the contract:', shownBy('contract')),
  ];
}

function consequenceText(one: ObligationOnData): string {
  const { id, property, formal, numbers, rows, places } = one;
  const [claim = formal] = numbers;
  const [place] = rows === null ? [] : places;
  return `${visible(`${id} ${property}: ${claim}`)}${place ? ` at ${placeText(place)}` : ''}${rowsText(one)}`;
}

/** Findings of one file rest on the same equations: each is written out once. */
function derivationLines(derivation: readonly string[], shown: Set<string>): readonly string[] {
  const fresh = derivation.filter((line) => !shown.has(line));
  const repeated = derivation.filter((line) => shown.has(line)).map((line) => line.slice(0, line.indexOf(' = ')));
  for (const line of fresh) shown.add(line);
  return repeated.length === 0 ? fresh : [...fresh, `${repeated.join(', ')}: as above`];
}

/** The values at fault, one line per file. */
function placeLines(places: ObligationOnData['places']): readonly string[] {
  const files = new Map<string, string[]>();
  for (const place of places) {
    const said = files.get(place.path);
    const { at, column } = place;
    if (!said) files.set(place.path, [`${placeText(place)}  ${visible(place.text)}`]);
    else said.push(`${column === null ? at : `${at}:${column}`} ${visible(place.text)}`);
  }
  return [...files.values()].map((said) => `      at ${said.join('; ')}`);
}

function rowsText({ rows }: ObligationOnData): string {
  if (rows === null) return '';
  const failing = rows.failing > 0 ? `, ${rows.failing} of them ${rows.failing === 1 ? 'fails' : 'fail'}` : '';
  return ` (${rows.evaluated} of ${count(rows.of, 'row')}${failing})`;
}

function askFor(asked: readonly AskedInput[], { columns: unused }: DataCheck, paint: Paint): readonly string[] {
  const deciding = asked.filter(({ errors }) => errors > 0);
  if (deciding.length === 0) return [];
  const columns = deciding.flatMap(({ input }) => (input.isColumn ? [input] : []));
  const values = deciding.flatMap(({ input }) => (input.isColumn ? [] : [input]));
  return [
    ...deciding.map((one, i) => paint('doubt', askedLine(one, i))),
    ...(values.length === 0
      ? []
      : [`      give ${values.length === 1 ? 'it' : 'them'} with ${flagsOf(values)}, or another file with --with`]),
    ...(columns.length === 0
      ? []
      : [
          `      say which columns they are with ${mapFlags(columns, unused).join(' ')}`,
          ...(unused.length === 0
            ? []
            : [paint('dim', `      columns of the file: ${visible(listOf(unused, SHOWN_COLUMNS))}`)]),
        ]),
    ...values.flatMap(({ name, instead }) =>
      instead.length === 0 ? [] : [paint('dim', `      ${name} also follows from ${instead.join(', ')}`)],
    ),
  ];
}

/** `not in the data: num_sequences (sequences in the training set), needed by 8 obligations` */
function askedLine({ input: { name, meaning }, errors, advice }: AskedInput, at: number): string {
  const what = meaning === null ? name : `${name} (${meaning})`;
  const all = errors + advice;
  const lead = at === 0 ? 'not in the data:' : '                ';
  return `  ${lead} ${what}, needed by ${count(all, 'obligation')}`;
}

const flagsOf = (inputs: readonly MissingInput[]): string => inputs.map(({ name }) => `--set ${name}=…`).join(' ');

const SHOWN_COLUMNS = 12;

/** Flags that can be typed, with the nearest columns of the file; optional columns that nothing is near to are not asked for. */
function mapFlags(missing: readonly MissingInput[], keys: readonly string[]): readonly string[] {
  const isAsked = missing.some(({ required }) => required);
  return missing.flatMap(({ from, required }) => {
    const name = columnName(from);
    const near = nearestColumn(name, keys);
    // It is in another table, such as that of evaluations.
    if (near === name) return [];
    if (near === null) return required || !isAsked ? [`--map ${name}=…`] : [];
    return [`--map ${shellWord(visible(`${name}=${near}`))}`];
  });
}

/** `log.loss` is the column `loss` of a log, and `log.step_or_row` follows from its steps; other tables have fixed names. */
function columnName(from: string): string {
  return from === 'log.step_or_row' ? 'step' : from.replace(/^log\./, '');
}

/** What the data do not say and the verdicts rest on nevertheless. */
function assumptions(obligations: readonly ObligationOnData[], paint: Paint): readonly string[] {
  const assumed = new Map(obligations.flatMap((one) => one.assumed).map((one) => [one.name, one]));
  const sources = new Set([...assumed.values()].map(({ defaultOf }) => defaultOf));
  return [...sources].map((source) => {
    const own = [...assumed.values()].filter(({ defaultOf }) => defaultOf === source);
    const values = own.map(({ name, value }) => `${name} = ${numberText(value)}`).join(', ');
    const whose =
      source === null ? 'assumed, since the data do not say' : `default of ${source}, since the data do not say`;
    return paint('dim', `  ${whose}: ${values}`);
  });
}

/** `; limits set by files: max_warmup_fraction = 1 at train.yaml:7:22`; empty if none is. */
export function limitsText(checks: readonly DataCheck[]): string {
  const limits = checks.flatMap(({ ownValues }) => ownValues.filter(({ isAnswer }) => !isAnswer));
  return limits.length === 0 ? '' : `; limits set by files: ${valuesText(limits)}`;
}

function answers(values: readonly OwnValue[], paint: Paint): readonly string[] {
  const own = values.filter(({ isAnswer }) => isAnswer);
  return own.length === 0 ? [] : [paint('dim', `  answered by the project: ${valuesText(own)}`)];
}

const valuesText = (values: readonly OwnValue[]): string =>
  visible(
    listOf(
      values.map(({ name, value, place }) => `${name} = ${numberText(value)} at ${placeText(place)}`),
      SHOWN_COLUMNS,
    ),
  );

function notRead({ count: all, irrelevant, keys }: UnusedKeys, paint: Paint): readonly string[] {
  if (all === 0)
    return irrelevant === 0 ? [] : [paint('dim', `  not used: ${count(irrelevant, 'key')} known to be irrelevant`)];
  const names = keys.slice(0, 8).map(({ key }) => key);
  const rest = all > names.length ? ` and ${all - names.length} more` : '';
  const known = irrelevant === 0 ? '' : `, and ${irrelevant} known to be irrelevant`;
  return [paint('dim', `  not used: ${count(all, 'key')} (${visible(shortened(names.join(', ')))}${rest})${known}`)];
}

function summary({ declared, evaluated, byVerdict, advice }: DataTotals): string {
  const asAdvice = advice === 0 ? '' : ` (${advice === byVerdict.violated ? '' : `${advice} of them `}advice)`;
  const rest = [
    `${byVerdict.violated} violated${asAdvice}`,
    ...(byVerdict.waived > 0 ? [`${byVerdict.waived} waived`] : []),
    ...(byVerdict.vacuous > 0 ? [`${byVerdict.vacuous} vacuous`] : []),
    ...(byVerdict.inapplicable > 0 ? [`${byVerdict.inapplicable} not applicable`] : []),
    ...(byVerdict.undetermined > 0 ? [`${byVerdict.undetermined} not evaluated`] : []),
  ];
  return `${evaluated} of ${count(declared, 'obligation')} evaluated, ${rest.join(', ')}`;
}

function closing(totals: DataTotals, isWhole: boolean, what: string, paint: Paint): string {
  const { violated, waived, undetermined } = totals.byVerdict;
  const failed = !isWhole || violated - totals.advice + totals.problems > 0;
  const open = undetermined + waived + totals.advice > 0 || totals.evaluated === 0;
  const style = failed ? 'bad' : open ? 'doubt' : 'good';
  const unread = isWhole ? '' : '; errors in the files are listed first';
  return paint(style, `${what}: ${summary(totals)}${unread}`);
}
