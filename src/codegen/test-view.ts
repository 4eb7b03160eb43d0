/**
 * What `templates/property-test.hbs` shows: the claims of a contract as tests of its bound kernels.
 */
import type { ElaboratedContract, Goal } from '../contract/goal.ts';
import { printArgument } from '../subject/argument-expression.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import { distinctIdentifiers, toIdentifier, toLiteral, toTypeName } from './names.ts';
import { goalFileName } from './goal-view.ts';

export interface TestView {
  readonly title: string;
  readonly runtimeImports: string;
  readonly interfaceTypes: string;
  readonly typeChecks: readonly { readonly constant: string; readonly members: string; readonly typeName: string }[];
  readonly kernels: readonly {
    readonly key: string;
    readonly importName: string;
    readonly module: string;
    readonly wrapper: string;
    readonly expression: string;
  }[];
  readonly tests: readonly {
    readonly name: string;
    readonly module: string;
    readonly title: string;
    readonly call: string;
    readonly seed: number;
    readonly reproduce: string;
  }[];
  readonly missing: readonly { readonly title: string; readonly message: string }[];
}

export interface TestRequest {
  readonly elaborated: ElaboratedContract;
  readonly subjects: readonly BoundSubject[];
  readonly source: 'obligation' | 'falsification';
  readonly seed: number;
  readonly reproduce: (goal: Goal) => string;
  /** From the test's folder to a module of the project: `../../src/kernels/softmax.js`. */
  readonly importPath: (module: string) => string;
}

export function testView(request: TestRequest): TestView {
  const { elaborated, subjects, source, seed } = request;
  const own = subjects.filter(({ contract, model }) => contract === elaborated.contract.id && model !== null);
  const boundNames = new Set(own.map(({ equation }) => equation));
  const goals = elaborated.goals.filter((goal) => goal.source === source);
  const runnable = goals.filter(({ equations }) => equations.every((equation) => boundNames.has(equation)));
  const used = own.filter(({ equation }) => runnable.some(({ equations }) => equations.includes(equation)));
  const names = distinctIdentifiers([
    ...used.map(({ name }) => name),
    ...runnable.map(({ claim }) => goalFileName(claim)),
  ]);
  const kernels = used.map((subject, at) => kernelView(subject, names[at] ?? subject.name, request));
  const call = source === 'obligation' ? 'propertyTest' : 'falsificationTest';
  return {
    title: toLiteral(elaborated.contract.id),
    runtimeImports: [...new Set([call, ...kernels.map(({ wrapper }) => wrapper), 'type TestKernels'])]
      .filter((name) => name !== call || runnable.length > 0)
      .join(', '),
    ...typeChecksOf(elaborated, used, names),
    kernels,
    tests: runnable.map((goal, at) => ({
      name: names[used.length + at] ?? goal.claim,
      module: toLiteral(`./goals/${goalFileName(goal.claim)}.js`),
      title: toLiteral(`${goal.claim}: ${goal.property}`),
      call,
      seed,
      reproduce: toLiteral(request.reproduce(goal)),
    })),
    missing: missingTests(request, goals, boundNames),
  };
}

function kernelView(subject: BoundSubject, name: string, { importPath }: TestRequest): TestView['kernels'][number] {
  const constant = constantOf(subject);
  return {
    key: toLiteral(subject.equation),
    importName: name === subject.name ? name : `${subject.name} as ${name}`,
    module: toLiteral(importPath(subject.module)),
    wrapper: subject.program.language === 'gpu.js' ? 'threadKernel' : 'functionKernel',
    expression: `${constant}.${toIdentifier(subject.equation)}${reordering(subject)}`,
  };
}

const constantOf = ({ program }: BoundSubject): string => (program.language === 'gpu.js' ? 'threads' : 'functions');

/** Where the kernel's arguments come from, when they are not simply the equation's parameters and sizes in order. */
function reordering({ arguments: sources, model }: BoundSubject): string {
  const names = [...(model?.parameters.map(({ name }) => name) ?? []), ...(model?.sizes ?? [])];
  const parameters = model?.parameters.length ?? 0;
  const items = sources.map((source) => {
    if (source.kind === 'expression')
      return `(values) => ${printArgument(source.expression, (name) => `Number(values[${names.indexOf(name)}])`)}`;
    return String(source.kind === 'parameter' ? source.index : parameters + source.index);
  });
  return items.every((item, at) => item === String(at)) ? '' : `, [${items.join(', ')}]`;
}

function typeChecksOf(
  { contract }: ElaboratedContract,
  used: readonly BoundSubject[],
  names: readonly string[],
): Pick<TestView, 'typeChecks' | 'interfaceTypes'> {
  const typeName = toTypeName(contract.id);
  const checks = (['gpu.js', 'function'] as const).flatMap((language) => {
    const members = used.flatMap((subject, at) =>
      subject.program.language === language ? [member(toIdentifier(subject.equation), names[at] ?? subject.name)] : [],
    );
    if (members.length === 0) return [];
    return [
      {
        constant: language === 'gpu.js' ? 'threads' : 'functions',
        members: members.join(', '),
        typeName: language === 'gpu.js' ? typeName : `${typeName}Functions`,
      },
    ];
  });
  return { typeChecks: checks, interfaceTypes: checks.map((check) => check.typeName).join(', ') };
}

const member = (key: string, name: string): string => (key === name ? key : `${key}: ${name}`);

/** Claims that cannot be tested yet fail, each with what to do. */
function missingTests(
  { elaborated, source }: TestRequest,
  goals: readonly Goal[],
  bound: ReadonlySet<string>,
): TestView['missing'] {
  const unbound = goals.flatMap((goal) => {
    const equations = goal.equations.filter((equation) => !bound.has(equation));
    if (equations.length === 0) return [];
    return [
      {
        title: toLiteral(`${goal.claim}: ${goal.property}`),
        message: toLiteral(
          `${equations.join(', ')} is not bound: write the kernel, add a row for it to binding.yaml, and run pv generate`,
        ),
      },
    ];
  });
  const unexecutable = elaborated.notGoals
    .filter((missing) => missing.source === source)
    .map(({ claim, property, reason, status }) => ({
      title: toLiteral(`${claim}: ${property}`),
      message: toLiteral(`${status}: ${reason}`),
    }));
  return [...unbound, ...unexecutable];
}
