/** A kernel is compiled from its own text: names from outside do not exist on the device. */
import type { ts } from 'ts-morph';
import { givenNames, kernelsIn, kernelWords, type Kernel } from '../kernels/kernels-in.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { under } from '../syntax/walk.ts';

export const kernelOutsideNames: Rule = {
  code: 'PV-9115',
  words: kernelWords,
  usesTypes: false,
  check: (module) => kernelsIn(module).flatMap((kernel) => checkKernel(module, kernel)),
};

function checkKernel(module: Module, kernel: Kernel): readonly Match[] {
  const { ts } = module;
  const own = new Set([
    'Math',
    'Infinity',
    'NaN',
    'undefined',
    'Number',
    'isNaN',
    ...[kernel.node, ...under(ts, kernel.body, isNamed(module))].flatMap(namesOf(module)),
    // gpu.addFunction(name) makes a function of the module one of the device's; so do settings and maps of kernels.
    ...givenNames(module),
  ]);
  const seen = new Set<string>();
  return under(ts, kernel.body, ts.isIdentifier)
    .filter((name) => isValue(module, name) && !own.has(name.text))
    .flatMap((name): Match[] => {
      if (seen.has(name.text)) return [];
      seen.add(name.text);
      const called = ts.isCallExpression(name.parent) && name.parent.expression === name;
      return [
        {
          range: rangeOf(module, name),
          message: `the kernel uses \`${name.text}\`, which is defined outside it: gpu.js compiles only the text of the kernel`,
          hint: called
            ? `write what \`${name.text}\` computes inside the kernel, or hand it to gpu.addFunction`
            : `make \`${name.text}\` a parameter, or write its value inside the kernel`,
        },
      ];
    });
}

type Named = ts.VariableDeclaration | ts.ParameterDeclaration | ts.FunctionDeclaration | ts.BindingElement;

function isNamed({ ts }: Module): (node: ts.Node) => node is Named {
  return (node): node is Named =>
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isBindingElement(node);
}

function namesOf({ ts }: Module): (node: ts.Node) => readonly string[] {
  return (node) => {
    const own =
      'name' in node && node.name && ts.isIdentifier(node.name as ts.Node) ? [(node.name as ts.Identifier).text] : [];
    const parameters = 'parameters' in node ? (node.parameters as readonly ts.ParameterDeclaration[]) : [];
    return [...own, ...parameters.map(({ name }) => name.getText())];
  };
}

/** Not a property, a key, a type or a label. */
function isValue({ ts }: Module, name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === name;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === name;
  for (let at: ts.Node = parent; ; at = at.parent) {
    if (ts.isTypeNode(at)) return false;
    if (ts.isStatement(at) || ts.isExpression(at) || ts.isSourceFile(at)) break;
  }
  return !ts.isLabeledStatement(parent) && !ts.isBreakOrContinueStatement(parent);
}
