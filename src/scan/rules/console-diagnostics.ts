/**
 * §12.7.1, observability discipline: metrics of training are structured events, never lines on a console. Ad-hoc prints
 * cannot be filtered, are lost to every tool that reads the run, and remain when the bug is fixed.
 */
import type { ts } from 'ts-morph';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { keyOf, lastName, wordsOf } from '../syntax/names.ts';
import { under } from '../syntax/walk.ts';
import { isInTraining } from '../training-context.ts';

export const consoleDiagnostics: Rule = {
  code: 'PV-9102',
  words: /\bconsole\s*\.|\.(stdout|stderr)\b/,
  usesTypes: false,
  isConvention: true,
  check: (module) => {
    if (declaresConsole(module)) return [];
    return module.all(module.ts.isCallExpression).flatMap((call) => checkCall(module, call));
  },
};

const writers =
  /^(?:globalThis\.)?(?:console\.(?:log|info|warn|error|debug|trace|table|dir)|process\.std(?:out|err)\.write)$/;

function checkCall(module: Module, call: ts.CallExpression): readonly Match[] {
  if (!module.ts.isPropertyAccessExpression(call.expression)) return [];
  const writer = keyOf(call.expression).replaceAll('?', '');
  if (!writers.test(writer)) return [];
  const metric = call.arguments.map((argument) => metricIn(module, argument)).find((found) => found !== null);
  if (metric === undefined || metric === null || !isInTraining(module, call)) return [];
  return [
    {
      range: rangeOf(module, call),
      message: `\`${writer}\` prints a metric of training (${metric})`,
      hint: 'emit a structured event with the metric as a field, such as emitMetric({ step, loss, gradNorm, lr })',
    },
  ];
}

/** A module may define its own `console`. */
function declaresConsole({ ts, all }: Module): boolean {
  const declared = [...all(ts.isVariableDeclaration), ...all(ts.isParameter), ...all(ts.isImportSpecifier)];
  return declared.some(({ name }) => ts.isIdentifier(name) && name.text === 'console');
}

/** The metric that an argument prints: a value of that name, or a text that announces one. */
function metricIn(module: Module, argument: ts.Expression): string | null {
  const { ts } = module;
  for (const node of under(ts, argument, isName(module))) {
    const name = metricName(lastName(ts, node) ?? '');
    if (name !== null) return name;
  }
  for (const text of under(ts, argument, isText(module))) {
    const found = announced.exec(text.text);
    if (found?.[0] !== undefined && !otherLoss.test(text.text)) return found[0].replace(/[\s:=]+$/, '').trim();
  }
  return null;
}

const isName =
  ({ ts }: Module) =>
  (node: ts.Node): node is ts.Identifier =>
    ts.isIdentifier(node);

const isText =
  ({ ts }: Module) =>
  (node: ts.Node): node is ts.StringLiteralLike | (ts.TemplateLiteralToken & ts.LiteralLikeNode) =>
    ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node);

/** `trainLoss`, `gradNorm`, `lr`, `step`, `globalStep`; not `lossless`, `stepper` or `batchesPerEpoch`. */
function metricName(name: string): string | null {
  const words = wordsOf(name).join(' ');
  return (measured.test(words) || counted.test(words)) && !/^(on|print|format|log|save|load) /.test(words)
    ? name
    : null;
}

const measured = /\b(loss(es)?|grad(s|ient|ients)?|gnorm|lr|learning rate|ppl|perplexity|tokens per sec(ond)?)\b/;
const counted =
  /^((global|current|cur|train|training|micro|optimizer) )*(step|epoch|iter|iteration)( (index|idx|number))?$/;

const announced =
  /\b((train|val|valid|validation|eval|running|mean|avg|smoothed)[ _-]?)?(loss|grad(ient)?[ _-]?norm|gnorm|lr|learning[ _-]?rate|perplexity|ppl|step|epoch|iter(ation)?)\s*([:=#]|$|%|\s$)/i;
const otherLoss = /\b(data|packet|precision|information|weight|hearing|hair)[ -]loss\b/i;
