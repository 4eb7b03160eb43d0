/**
 * What `templates/property-test.hbs` shows: the claims of a contract as tests of its bound kernels.
 */
import type { ElaboratedContract, Goal } from '../contract/goal.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import type { KernelProgram } from '../subject/kernel.ts';
import { beyondTests, goalFileNames, testableGoals } from './goal-view.ts';
import { memberNames } from './interface-view.ts';
import { constantOf, kernelFileNames, kernelView, type KernelView } from './kernel-view.ts';
import { distinctIdentifiers, toCommentLine, toLiteral, toTypeName } from './names.ts';

/** The whole test file: its imports, its kernels, one test per claim. */
export interface TestView {
  readonly title: string;
  readonly runtimeImports: string;
  readonly interfaceTypes: string;
  readonly typeChecks: readonly { readonly constant: string; readonly members: string; readonly typeName: string }[];
  readonly kernels: readonly KernelView[];
  readonly tests: readonly {
    readonly name: string;
    readonly module: string;
    readonly title: string;
    readonly call: string;
    readonly seed: number;
    readonly reproduce: string;
  }[];
  readonly missing: readonly { readonly title: string; readonly message: string }[];
  /** Claims that are prose, each with the reason: nobody can make a test of them pass. */
  readonly prose: readonly string[];
  /** Claims without a test here: what checks them instead. */
  readonly elsewhere: readonly { readonly claim: string; readonly why: string; readonly command: string }[];
}

/** One contract's claims of one kind, and the kernels that they run. */
export interface TestRequest {
  readonly elaborated: ElaboratedContract;
  readonly subjects: readonly BoundSubject[];
  readonly source: 'obligation' | 'falsification';
  readonly seed: number;
  readonly reproduce: (goal: Goal) => string;
  /** From the test's folder to a module of the project: `../../src/kernels/softmax.js`. */
  readonly importPath: (module: string) => string;
}

/** The view of one test file; null if the contract has no claim of that source. */
export function testView(request: TestRequest): TestView | null {
  const { elaborated, source, seed } = request;
  const bound = boundSubjects(request);
  const goals = testableGoals(elaborated.goals).filter((goal) => goal.source === source);
  const runnable = goals.filter(({ equations }) => equations.every((equation) => bound.has(equation)));
  const missing = missingTests(request, goals, bound);
  const prose = proseTests(request);
  if (runnable.length + missing.length + prose.length === 0) return null;
  const files = goalFileNames(elaborated.goals);
  const used = [...bound].flatMap(([name, subject]) =>
    runnable.some(({ equations }) => equations.includes(name)) ? [subject] : [],
  );
  const symbols = [
    ...used.map(({ name }) => name),
    ...runnable.map((goal) => files.get(goal) ?? goal.claim),
    ...used.map(({ name }) => `${name}_texts`),
  ];
  const names = distinctIdentifiers(symbols, ownNames);
  const kernels = kernelViews(request, used, names, names.slice(used.length + runnable.length));
  const call = source === 'obligation' ? 'propertyTest' : 'falsificationTest';
  return {
    title: toLiteral(elaborated.contract.id),
    runtimeImports:
      runnable.length === 0
        ? ''
        : [...new Set([call, ...kernels.map(({ wrapper }) => wrapper), 'type TestKernels'])].join(', '),
    ...typeChecksOf(elaborated, used, kernels),
    kernels,
    tests: runnable.map((goal, at) => ({
      name: names[used.length + at] ?? goal.claim,
      module: toLiteral(`./goals/${files.get(goal) ?? goal.claim}.js`),
      title: toLiteral(`${goal.claim}: ${goal.property}`),
      call,
      seed,
      reproduce: toLiteral(request.reproduce(goal)),
    })),
    missing,
    prose,
    elsewhere: checkedElsewhere(request),
  };
}

/** Claims of this file that no test can run, and those of a file that has no tests at all and so is not there. */
function checkedElsewhere({ elaborated, source, reproduce }: TestRequest): TestView['elsewhere'] {
  const { goals, notGoals } = elaborated;
  const hasFile = new Set([...testableGoals(goals), ...notGoals].map((claim) => claim.source));
  return goals.flatMap((goal) => {
    const why = beyondTests(goal);
    if (why === null || (goal.source !== source && hasFile.has(goal.source))) return [];
    return [
      {
        claim: toCommentLine(`${goal.claim}: ${goal.property}`),
        why: toCommentLine(why),
        command: toCommentLine(reproduce(goal)),
      },
    ];
  });
}

/** Names that the template itself uses. */
const ownNames =
  'describe test kernels threads functions propertyTest falsificationTest threadKernel functionKernel'.split(' ');

/** By the name that goals use: `softmax` of this contract, `softmax-kernel-v1/softmax` of any other. */
function boundSubjects({
  elaborated: { contract },
  subjects,
}: Pick<TestRequest, 'elaborated' | 'subjects'>): ReadonlyMap<string, BoundSubject> {
  const runnable = subjects.filter(({ model, program }) => model !== null && beyondTestFiles(program) === null);
  return new Map(runnable.map((subject) => [nameFor(contract.id, subject), subject]));
}

/** What generated tests do not run, in words; null for what they run. */
function beyondTestFiles({ language, wasm }: KernelProgram): string | null {
  if (language === 'wgsl') return 'a shader';
  return wasm ? 'a WebAssembly module' : null;
}

function kindNotRun(subjects: readonly BoundSubject[], equations: readonly string[]): string | null {
  const kinds = subjects.flatMap(({ program, equation }) =>
    equations.includes(equation) ? (beyondTestFiles(program) ?? []) : [],
  );
  return kinds[0] ?? null;
}

function nameFor(contract: string, subject: BoundSubject): string {
  return subject.contract === contract ? subject.equation : `${subject.contract}/${subject.equation}`;
}

function kernelViews(
  { elaborated, subjects, importPath }: TestRequest,
  used: readonly BoundSubject[],
  names: readonly string[],
  textNames: readonly string[],
): readonly KernelView[] {
  const files = kernelFileNames(testedSubjects({ elaborated, subjects }));
  const members = memberNames(elaborated.equations);
  return used.map((subject, at) => {
    const member = subject.contract === elaborated.contract.id ? (members.get(subject.equation) ?? null) : null;
    return kernelView({
      subject,
      key: nameFor(elaborated.contract.id, subject),
      name: names[at] ?? subject.name,
      member,
      importPath,
      texts: { name: textNames[at] ?? 'texts', module: files.get(subject) ?? 'kernels' },
    });
  });
}

/** The kernels that the tests of a contract run. */
export function testedSubjects({
  elaborated,
  subjects,
}: Pick<TestRequest, 'elaborated' | 'subjects'>): readonly BoundSubject[] {
  const bound = boundSubjects({ elaborated, subjects });
  const runnable = elaborated.goals.filter(({ equations }) => equations.every((equation) => bound.has(equation)));
  return [...bound].flatMap(([name, subject]) =>
    runnable.some(({ equations }) => equations.includes(name)) ? [subject] : [],
  );
}

function typeChecksOf(
  { contract }: ElaboratedContract,
  used: readonly BoundSubject[],
  kernels: readonly KernelView[],
): Pick<TestView, 'typeChecks' | 'interfaceTypes'> {
  const typeName = toTypeName(contract.id);
  const checks = (['gpu.js', 'function'] as const).flatMap((language) => {
    const typed = kernels.flatMap(({ member }, at) =>
      member && used[at]?.program.language === language ? [member] : [],
    );
    if (typed.length === 0) return [];
    const members = typed.map(({ name, value }) => (name === value ? name : `${name}: ${value}`)).join(', ');
    return [
      {
        constant: constantOf({ language }),
        members,
        typeName: language === 'gpu.js' ? typeName : `${typeName}Functions`,
      },
    ];
  });
  return { typeChecks: checks, interfaceTypes: checks.map((check) => check.typeName).join(', ') };
}

/** Claims that cannot be tested yet fail, each with what to do. */
function missingTests(
  { elaborated, source, subjects }: TestRequest,
  goals: readonly Goal[],
  bound: ReadonlyMap<string, BoundSubject>,
): TestView['missing'] {
  const unbound = goals.flatMap((goal) => {
    const equations = goal.equations.filter((equation) => !bound.has(equation));
    if (equations.length === 0) return [];
    return [
      {
        title: toLiteral(`${goal.claim}: ${goal.property}`),
        message: toLiteral(
          kindNotRun(subjects, equations) !== null
            ? `${equations.join(', ')} is bound to ${kindNotRun(subjects, equations) ?? ''}, which generated tests do not run: run pv audit`
            : `${equations.join(', ')} is not bound: write the kernel, add a row for it to binding.yaml, and run pv generate`,
        ),
      },
    ];
  });
  const unexecutable = elaborated.notGoals
    .filter((missing) => missing.source === source && missing.status !== 'prose')
    .map(({ claim, property, reason, status }) => ({
      title: toLiteral(`${claim}: ${property}`),
      message: toLiteral(`${status}: ${reason}`),
    }));
  return [...unbound, ...unexecutable];
}

function proseTests({ elaborated, source }: TestRequest): TestView['prose'] {
  return elaborated.notGoals
    .filter((missing) => missing.source === source && missing.status === 'prose')
    .map(({ claim, property, reason }) => toLiteral(`${claim}: ${property} (prose: ${reason})`));
}
