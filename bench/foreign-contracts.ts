/**
 * How much of contracts that others wrote can be executed, and what most often prevents it:
 * `node scripts/run.mjs bench/foreign-contracts.ts [FOLDER…]`; without folders, the shared corpora.
 *
 * An equation is `undetermined` when it is notation to its end and still not executable, `prose` otherwise.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { elaborateAll } from '../src/audit/elaborate-all.ts';
import type { Equation } from '../src/contract/contract.ts';
import type { ElaboratedContract } from '../src/contract/goal.ts';
import { isWithin } from '../src/diagnostics/is-within.ts';
import { readContracts } from '../src/contract/validate.ts';

interface Missing {
  readonly what: 'equation' | 'obligation' | 'statement';
  readonly reason: string;
  readonly example: string;
}

const given = process.argv.slice(2);
const folders =
  given.length > 0 ? given : ['../shared/data/contracts-provable-contracts', '../shared/data/contracts-albor'];
const verbose = Number(process.env['ROWS'] ?? 12);

for (const folder of folders) measure(folder);

function measure(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('binding'))
    .toSorted()
    .map((name) => ({ path: name, text: readFileSync(join(folder, name), 'utf8') }));
  const before = performance.now();
  const elaborated = elaborateAll(readContracts(files).value);
  const seconds = (performance.now() - before) / 1000;
  const declared = elaborated.flatMap(({ contract }) => contract.equations);
  const equations = elaborated.flatMap(missingEquations);
  const undetermined = equations.filter(({ equation }) => isNotation(equation)).length;
  const obligations = elaborated.flatMap(({ contract }) => contract.obligations);
  const notObligations = elaborated.flatMap(missingObligations);
  const statements = elaborated.flatMap((one) => one.statements);
  const unevaluated = elaborated.flatMap(missingStatements);
  console.log(`${folder}: ${String(files.length)} files, ${seconds.toFixed(1)} s`);
  row('equations', declared.length - equations.length, declared.length);
  console.log(
    `    ${String(undetermined)} undetermined, ${String(equations.length - undetermined)} prose or partly prose`,
  );
  const inPart = elaborated.flatMap(({ notGoals }) =>
    notGoals.filter(({ source, asRead }) => source === 'obligation' && asRead),
  );
  const wide = inPart.filter(({ widened }) => widened === true).length;
  const statementsInPart = elaborated.flatMap((one) => one.unevaluated.filter(({ asRead }) => asRead));
  const kernels = elaborated.flatMap(({ goals: all }) => all.filter(({ comparesKernels }) => comparesKernels)).length;
  const goals = obligations.length - notObligations.length - inPart.length - kernels;
  row('obligations', goals, obligations.length, inPart.length);
  console.log(`    ${String(wide)} of those in part on more inputs than are meant, so that what holds there holds`);
  console.log(`    ${String(kernels)} more run once a kernel is bound`);
  const stated = statements.length + unevaluated.length + statementsInPart.length;
  row('statements', statements.length, stated, statementsInPart.length);
  for (const list of [equations.map(({ missing }) => missing), notObligations, unevaluated]) reasons(list);
}

/** `inPart` more run as far as they are understood. */
function row(what: string, executed: number, total: number, inPart = 0): void {
  const share = (count: number): string => ((100 * count) / Math.max(1, total)).toFixed(1);
  const more = inPart > 0 ? `, ${String(inPart)} more in part (${share(executed + inPart)} %)` : '';
  console.log(
    `  ${what.padEnd(12)} ${String(executed).padStart(4)} of ${String(total).padStart(4)} run (${share(executed)} %)${more}`,
  );
}

function isNotation({ formula, domain }: Equation): boolean {
  return formula.notation.status === 'math' && (domain === null || domain.notation.status === 'math');
}

function missingEquations({
  contract,
  equations,
  unevaluated,
  diagnostics,
}: ElaboratedContract): readonly { readonly equation: Equation; readonly missing: Missing }[] {
  const known = new Set(equations.map(({ name }) => name));
  return contract.equations
    .filter(({ name }) => !known.has(name))
    .map((equation) => {
      const said = `${equation.name} is not executable: `;
      const blocked = unevaluated.find(({ reason }) => reason.startsWith(said))?.reason.slice(said.length);
      const within = diagnostics.find(
        ({ span, severity }) =>
          span !== null &&
          severity !== 'note' &&
          [equation.formula, equation.domain].some((text) => text !== null && isWithin(span, text.span)),
      )?.message;
      const reason = isNotation(equation) ? (blocked ?? within ?? 'no reason') : proseReason(equation);
      const example = `${contract.id}/${equation.name}: ${equation.formula.text} ‖ ${equation.domain?.text ?? '—'}`;
      return { equation, missing: { what: 'equation', reason, example } };
    });
}

function proseReason({ formula, domain }: Equation): string {
  return [['formula', formula] as const, ['domain', domain] as const]
    .flatMap(([name, text]) =>
      text && text.notation.status !== 'math'
        ? [`its ${name} is ${text.notation.status === 'prose' ? 'prose' : 'partly prose'}`]
        : [],
    )
    .join(' and ');
}

function missingObligations({ contract, notGoals }: ElaboratedContract): readonly Missing[] {
  return notGoals
    .filter(({ source, asRead }) => source === 'obligation' && !asRead)
    .map(({ claim, formal, reason }) => ({
      what: 'obligation',
      reason,
      example: `${contract.id}/${claim}: ${formal ?? ''}`,
    }));
}

function missingStatements({ unevaluated }: ElaboratedContract): readonly Missing[] {
  return unevaluated
    .filter(({ asRead }) => !asRead)
    .map(({ id, text, reason }) => ({ what: 'statement', reason, example: `${id}: ${text}` }));
}

/** Reasons that differ only in what they name are one. */
function reasons(missing: readonly Missing[]): void {
  const groups = new Map<string, Missing[]>();
  for (const one of missing) {
    const key = general(one.reason);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const sorted = [...groups].toSorted(([, a], [, b]) => b.length - a.length).slice(0, verbose);
  for (const [reason, list] of sorted) {
    const [first] = list;
    if (!first) continue;
    console.log(`  ${String(list.length).padStart(4)} ${first.what}: ${reason}`);
    console.log(`         ${first.example.replaceAll(/\s+/g, ' ').slice(0, 160)}`);
  }
}

function general(reason: string): string {
  const plain = reason.replaceAll(/"[^"]*"/g, '…').replace(/^\S+ is not executable: /, 'its equation: ');
  return plain.replace(/^(\S+) (is not declared|is not a function)/, '… $2').slice(0, 100);
}
