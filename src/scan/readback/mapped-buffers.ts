/** WebGPU: `mapAsync` is awaited before the range is read, and the commands that fill the buffer are submitted before it. */
import type { ts } from 'ts-morph';
import { rangeOf, type Module } from '../module.ts';
import type { Match } from '../rule.ts';
import { bare, calledName, keyOf, receiverOf } from '../syntax/names.ts';
import { functionAround, isFunction, scopeOf, under } from '../syntax/walk.ts';

export function checkMappedBuffers(module: Module, calls: readonly ts.CallExpression[]): readonly Match[] {
  const { ts } = module;
  const maps = calls.filter((call) => calledName(ts, call) === 'mapAsync' && receiverOf(ts, call));
  return maps.flatMap((map) => [...checkAwaited(module, map), ...checkSubmitted(module, calls, map)]);
}

function bufferOf(module: Module, call: ts.CallExpression): string {
  const owner = receiverOf(module.ts, call);
  return owner ? keyOf(owner) : '';
}

/** `mapAsync` whose promise nothing waits for before the range is taken. */
function checkAwaited(module: Module, map: ts.CallExpression): readonly Match[] {
  const { ts } = module;
  const scope = scopeOf(ts, map);
  const buffer = bufferOf(module, map);
  const reads = callsIn(module, scope).filter(
    (call) => calledName(ts, call) === 'getMappedRange' && call.pos > map.pos && bufferOf(module, call) === buffer,
  );
  const promise = promiseOf(module, map);
  if (promise.kind === 'awaited') return [];
  const held = promise.kind === 'held' ? promise.name : null;
  const read = reads.find((one) => held === null || !isMentioned(module, scope, held, map.end, one.pos));
  if (!read && held !== null) return [];
  if (!read && !isStatement(ts, map)) return [];
  const isAsync = isAsyncFunction(module, map);
  return [
    {
      range: rangeOf(module, read ?? map),
      message: read
        ? `\`${buffer}\` is read before \`mapAsync\` has resolved`
        : `nothing waits for \`${buffer}.mapAsync\``,
      hint: `await ${buffer}.mapAsync(…) before getMappedRange()`,
      related: read ? [{ message: 'not awaited', module, range: rangeOf(module, map) }] : [],
      ...(promise.kind === 'floating' && isStatement(ts, map) && isAsync
        ? { fix: [{ range: { start: map.getStart(module.file), end: map.getStart(module.file) }, text: 'await ' }] }
        : {}),
    },
  ];
}

type PromiseUse =
  { readonly kind: 'awaited' } | { readonly kind: 'floating' } | { readonly kind: 'held'; readonly name: string };

/** What becomes of the promise: waited for, dropped, or held in a variable. */
function promiseOf({ ts }: Module, map: ts.CallExpression): PromiseUse {
  const node = chainEnd(ts, map);
  const { parent } = node;
  if (ts.isExpressionStatement(parent) || ts.isVoidExpression(parent)) return { kind: 'floating' };
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return { kind: 'held', name: parent.name.text };
  if (ts.isBinaryExpression(parent) && parent.right === node) return { kind: 'held', name: keyOf(parent.left) };
  return { kind: 'awaited' };
}

/** The promise with the assertions around it and the callbacks chained to it. */
function chainEnd(ts: Module['ts'], map: ts.Expression): ts.Expression {
  const { parent } = map;
  if (ts.isExpression(parent) && bare(ts, parent) === bare(ts, map)) return chainEnd(ts, parent);
  const isChained = ts.isPropertyAccessExpression(parent) && /^(then|catch|finally)$/.test(parent.name.text);
  return isChained && ts.isCallExpression(parent.parent) ? chainEnd(ts, parent.parent) : map;
}

/** Whether the promise is used between two places: awaited, joined with others, or passed on. */
function isMentioned({ ts }: Module, scope: ts.Node, name: string, from: number, to: number): boolean {
  const isName = (node: ts.Node): node is ts.Node =>
    (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) &&
    node.pos >= from &&
    node.end <= to &&
    keyOf(node) === name;
  return under(ts, scope, isName).length > 0;
}

/** A copy into the buffer that is mapped, recorded and never submitted in between. */
function checkSubmitted(module: Module, calls: readonly ts.CallExpression[], map: ts.CallExpression): readonly Match[] {
  const { ts } = module;
  const scope = scopeOf(ts, map);
  const buffer = bufferOf(module, map);
  const copy = calls.findLast(
    (call) => call.end <= map.pos && scopeOf(ts, call) === scope && copyTarget(module, call) === buffer,
  );
  if (!copy) return [];
  const encoder = bufferOf(module, copy);
  const isHandedOn = callsIn(module, scope).some((call) => {
    if (call.pos < copy.end || call.pos >= map.pos) return false;
    const name = calledName(ts, call) ?? '';
    return (
      /submit|flush|execute|run|onSubmittedWorkDone/i.test(name) ||
      call.arguments.some((argument) => keyOf(argument) === encoder)
    );
  });
  if (isHandedOn) return [];
  return [
    {
      range: rangeOf(module, map),
      message: `\`${buffer}\` is mapped before the copy into it is submitted`,
      hint: 'submit the commands first: device.queue.submit([encoder.finish()])',
      related: [{ message: 'recorded here', module, range: rangeOf(module, copy) }],
    },
  ];
}

function copyTarget({ ts }: Module, call: ts.CallExpression): string | null {
  const name = calledName(ts, call);
  if (name === 'copyBufferToBuffer') {
    const target = call.arguments[call.arguments.length <= 3 ? 1 : 2];
    return target ? keyOf(target) : null;
  }
  if (name !== 'copyTextureToBuffer') return null;
  const target = call.arguments[1];
  if (!target || !ts.isObjectLiteralExpression(target)) return null;
  const buffer = target.properties.find((one) => one.name?.getText() === 'buffer');
  return buffer && ts.isPropertyAssignment(buffer) ? keyOf(buffer.initializer) : null;
}

const callsIn = ({ ts }: Module, scope: ts.Node): readonly ts.CallExpression[] =>
  under(ts, scope, ts.isCallExpression, (node) => isFunction(ts, node));

const isStatement = (ts: Module['ts'], call: ts.CallExpression): boolean => ts.isExpressionStatement(call.parent);

function isAsyncFunction({ ts }: Module, node: ts.Node): boolean {
  const around = functionAround(ts, node);
  if (around === null) return true;
  return (
    ts.canHaveModifiers(around) &&
    (ts.getModifiers(around)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false)
  );
}
