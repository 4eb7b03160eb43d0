/** CUDA-like runtimes: the stream is synchronised between the last launch and a copy from the device to the host. */
import type { ts } from 'ts-morph';
import { rangeOf, type Module } from '../module.ts';
import type { Edit } from '../edits.ts';
import type { Match } from '../rule.ts';
import { calledName, declaredName, keyOf, lastName, receiverOf } from '../syntax/names.ts';
import { alwaysBefore, ancestors, functionAround, isFunction, scopeOf, under } from '../syntax/walk.ts';

const copies =
  /^(copy_?to_?host(_?(at|async|sync))?|(cu_?|cuda_?)?memcpy_?dtoh(_?async)?|copy_?device_?to_?host(_?async)?|device_?to_?host)$/i;
const waits =
  /synchroni[sz]e|^(sync|wait|finish|(stream|device|ctx|context|event|cuda|cu)_?(stream|ctx|device)?_?(sync|wait).*)$/i;
const launches = /launch|enqueue|dispatch|^(forward|backward|run|execute)$|(forward|backward)$|kernel$|^gemm/i;

export function checkDeviceCopies(module: Module, calls: readonly ts.CallExpression[]): readonly Match[] {
  const { ts } = module;
  const callsOf = new Map<ts.Node, readonly ts.CallExpression[]>();
  return calls.flatMap((copy) => {
    if (!isCopy(module, copy)) return [];
    const scope = scopeOf(ts, copy);
    const inScope = callsOf.get(scope) ?? under(ts, scope, ts.isCallExpression, (node) => isFunction(ts, node));
    callsOf.set(scope, inScope);
    return checkCopy(module, copy, inScope);
  });
}

function checkCopy(module: Module, copy: ts.CallExpression, inScope: readonly ts.CallExpression[]): readonly Match[] {
  const { ts } = module;
  const around = functionAround(ts, copy);
  if (around && copies.test(declaredName(ts, around) ?? '')) return [];
  const before = lastBefore(module, copy, inScope);
  if (before === 'waited' || (before === null && isUploadOnly(module, copy, inScope))) return [];
  const fix = before && fixFor(module, copy, before);
  return [
    {
      range: rangeOf(module, copy),
      message: `\`${copy.expression.getText(module.file)}\` copies to the host before the kernels that write the buffer have finished`,
      hint: 'call stream.synchronize() before the copy: a copy does not wait for other streams',
      related: before ? [{ message: 'launched here', module, range: rangeOf(module, before) }] : [],
      ...(fix ? { fix } : {}),
    },
  ];
}

/** What comes last before a copy in its function: a wait that has surely run, or a launch; null if neither does. */
function lastBefore(
  module: Module,
  copy: ts.CallExpression,
  inScope: readonly ts.CallExpression[],
): ts.CallExpression | 'waited' | null {
  const { ts } = module;
  for (let i = inScope.indexOf(copy) - 1; i >= 0; i--) {
    const call = inScope[i];
    // What is called around the copy has its arguments evaluated first.
    if (!call || call.end > copy.getStart(module.file)) continue;
    if (waits.test(calledName(ts, call) ?? '') && alwaysBefore(ts, call, copy)) return 'waited';
    if (isLaunch(module, call)) return call;
  }
  return null;
}

/** A copy to the host; one that is awaited waits for its stream by itself. */
function isCopy({ ts }: Module, call: ts.CallExpression): boolean {
  const name = calledName(ts, call) ?? '';
  const asksForHost =
    /^(cu_?|cuda_?)memcpy(_?async)?$/i.test(name) &&
    call.arguments.some((argument) => /device_?to_?host/i.test(lastName(ts, argument) ?? ''));
  const { parent } = call;
  const isWaitedFor =
    ts.isAwaitExpression(parent) || (ts.isPropertyAccessExpression(parent) && parent.name.text === 'then');
  return (copies.test(name) || asksForHost) && !isWaitedFor;
}

/** A kernel is launched by a call of that name, or by one that is handed a stream. */
function isLaunch({ ts }: Module, call: ts.CallExpression): boolean {
  const name = calledName(ts, call) ?? '';
  if (copies.test(name) || waits.test(name) || /copy_?from_?host|htod|host_?to_?device|create|alloc|new/i.test(name))
    return false;
  return launches.test(name) || call.arguments.some((argument) => /stream$/i.test(lastName(ts, argument) ?? ''));
}

/** A buffer that this function has just filled from the host holds nothing that a kernel wrote. */
function isUploadOnly({ ts }: Module, copy: ts.CallExpression, inScope: readonly ts.CallExpression[]): boolean {
  const owner = receiverOf(ts, copy);
  if (!owner) return false;
  return inScope.some((call) => {
    if (call.end > copy.pos) return false;
    const target = receiverOf(ts, call);
    return (
      target !== null &&
      keyOf(target) === keyOf(owner) &&
      /copy_?from_?host|upload|write/i.test(calledName(ts, call) ?? '')
    );
  });
}

/** Synchronises the stream that the launch was given, before the statement that copies. */
function fixFor(module: Module, copy: ts.CallExpression, launch: ts.CallExpression): readonly Edit[] | null {
  const { ts } = module;
  const stream = launch.arguments.find((argument) => ts.isIdentifier(argument) && /stream$/i.test(argument.text));
  if (!stream) return null;
  let statement: ts.Node = copy;
  for (const parent of ancestors(copy)) {
    if (ts.isBlock(parent) || ts.isSourceFile(parent)) break;
    if (
      !ts.isStatement(parent) &&
      !ts.isExpression(parent) &&
      !ts.isVariableDeclaration(parent) &&
      !ts.isVariableDeclarationList(parent)
    )
      return null;
    if (ts.isStatement(parent)) statement = parent;
  }
  if (!ts.isStatement(statement) || !(ts.isBlock(statement.parent) || ts.isSourceFile(statement.parent))) return null;
  const start = statement.getStart(module.file);
  const indent = /[^\S\r\n]*$/.exec(module.source.text.slice(0, start))?.[0] ?? '';
  return [{ range: { start, end: start }, text: `${keyOf(stream)}.synchronize();\n${indent}` }];
}
