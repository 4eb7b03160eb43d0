/** Settings of gpu.js under which a kernel computes something else, or elsewhere, than it says. */
import type { ts } from 'ts-morph';
import type { Edit } from '../edits.ts';
import { creations, kernelWords } from '../kernels/kernels-in.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { bare, calledName, propertyName } from '../syntax/names.ts';

export const kernelSettings: Rule = {
  code: 'PV-9124',
  words: new RegExp(`${kernelWords.source}|\\bnew GPU\\b`),
  usesTypes: false,
  check: (module) => [...checkCreations(module), ...checkModes(module)],
};

function checkCreations(module: Module): readonly Match[] {
  const { ts } = module;
  return creations(module).flatMap((creation): readonly Match[] => {
    const map: Match[] =
      calledName(ts, creation) === 'createKernelMap'
        ? [
            {
              range: rangeOf(module, creation.expression),
              message: 'createKernelMap runs on the CPU where gpu.js would use WebAssembly, and throws on WebGPU',
              hint: 'write one kernel for each output',
              group: 'createKernelMap',
            },
          ]
        : [];
    const settings = creation.arguments.flatMap((argument) => settingsIn(module, argument));
    return [...map, ...settings];
  });
}

function settingsIn(module: Module, argument: ts.Expression): readonly Match[] {
  const { ts } = module;
  const literal = bare(ts, argument);
  if (!ts.isObjectLiteralExpression(literal)) return [];
  // Pixels are bytes: a kernel over images, or one that draws, loses nothing.
  const isOfImages = /\bHTML(Image|Video|Canvas)|\bgraphical\s*:\s*true/u.test(literal.getText(module.file));
  return literal.properties.flatMap((property): readonly Match[] => {
    if (!ts.isPropertyAssignment(property)) return [];
    const name = propertyName(ts, property.name);
    const value = bare(ts, property.initializer);
    if (name === 'precision' && ts.isStringLiteral(value) && value.text === 'unsigned' && !isOfImages) {
      const fix: readonly Edit[] = [{ range: rangeOf(module, value), text: "'single'" }];
      return [
        {
          range: rangeOf(module, property),
          message:
            "precision: 'unsigned' packs numbers into bytes: NaN and ±∞ become 1.7e38 or 0, subnormal numbers 0, floor(21/7) is 2",
          hint: "use precision: 'single'",
          fix,
        },
      ];
    }
    return name === 'constants' ? infiniteConstants(module, value) : [];
  });
}

/** gpu.js writes constants into the shader, and GLSL has no word for infinity. */
function infiniteConstants(module: Module, value: ts.Expression): readonly Match[] {
  const { ts } = module;
  if (!ts.isObjectLiteralExpression(value)) return [];
  return value.properties.flatMap((property) => {
    const isInfinite =
      ts.isPropertyAssignment(property) &&
      /^-?\s*(?:Number\.)?\w*Infinity$|_INFINITY$/iu.test(property.initializer.getText());
    if (!isInfinite) return [];
    return [
      {
        range: rangeOf(module, property),
        message: 'an infinite constant does not compile in GLSL',
        hint: 'use a large finite number, such as -1e30 for a mask, or write Infinity inside the kernel',
      },
    ];
  });
}

/** `dev` runs the function as JavaScript, with names from outside and in float64. */
function checkModes(module: Module): readonly Match[] {
  const { ts } = module;
  return module.all(ts.isNewExpression).flatMap((creation) => {
    if (calledName(ts, creation) !== 'GPU') return [];
    const [options] = creation.arguments ?? [];
    const literal = options && bare(ts, options);
    if (!literal || !ts.isObjectLiteralExpression(literal)) return [];
    return literal.properties.flatMap((property) => {
      const isDev =
        ts.isPropertyAssignment(property) &&
        propertyName(ts, property.name) === 'mode' &&
        ts.isStringLiteral(property.initializer) &&
        property.initializer.text === 'dev';
      if (!isDev) return [];
      return [
        {
          range: rangeOf(module, property),
          message: "mode: 'dev' runs the function as it is, in float64: it takes code that no backend compiles",
          hint: "use 'cpu' or 'webasm'",
        },
      ];
    });
  });
}
