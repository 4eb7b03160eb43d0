// Who may import whom. The order of the layers is defined once, in `layers`; the rules are derived from it.
import { heavyPackages } from './scripts/bundle.mjs';

/** From the bottom up: a layer sees the ones before it; folders within one layer do not see each other. */
const layers = [
  ['base'],
  ['numeric', 'diagnostics', 'host', 'merkle', 'tensors', 'wasm', 'pickle'],
  // Signed notes and keys (C2SP), over the heads of Merkle trees.
  ['math', 'evidence', 'notes'],
  ['runtime'],
  ['contract'],
  ['subject'],
  // Static rules over code: they read syntax and settings, and run nothing.
  // Proofs see the code as data, and run nothing; proofs over the reals see the mathematics alone.
  ['backends', 'scan', 'bounded-proofs', 'real-proofs'],
  // Configs, logs and profiles of runs: reading them, judging them by contracts, finding why a run failed.
  ['methods', 'data/(read|judge|diagnose)'],
  ['plan'],
  ['codegen', 'graph'],
  ['report'],
  ['data/report'],
  ['audit'],
  ['api'],
  ['cli'],
];

/** The rooms of `contract/elaborate`, from the bottom up: one sees the ones before it. */
const elaborateRooms = ['context', 'inputs', 'operators', 'expressions', 'domains', 'equations', 'claims'];

/** The domain systems are next to the engine: contracts reach them only through bindings. */
const kernels = 'kernels';
const domains = ['training', 'checkpoint', 'trace', 'federated'];
const domainsSee = ['base', 'numeric', 'host', 'evidence', 'merkle', 'notes', 'tensors', 'wasm', 'pickle', kernels];

/** What generated tests load with every suite, so it must stay small. */
const runtimeSees = ['base', 'numeric', 'math', 'evidence'];

/** The only places that touch the real file system, and why. */
const fileSystemUsers = [
  'src/host/node-host.ts', // the host itself
  'src/host/node-operations.ts', // its durable writes, one operation at a time
  'src/host/file-system.ts', // what its folders are on
  'src/host/process-identity.ts', // /proc, which says which processes run
  'src/host/process-memory.ts', // /proc, which says how much memory they use
  'src/host/run-alone.ts', // a program in a temporary folder of its own
  'src/host/temporary-folder.ts', // the folder that a thread's browsers leave their files in
  'src/host/append-bytes.ts', // a file that is open, for a thread that has no host
];

const folder = (names) => `^src/(${names.join('|')})/`;

const looksDownOnly = layers.slice(0, -1).map((names, i) => ({
  name: `${names.join('-and-')}-look-down-only`,
  comment: 'Layers import only from the layers below. Move the shared part down, or pass the value in as an argument.',
  severity: 'error',
  from: { path: folder(names) },
  to: { path: folder(layers.slice(i + 1).flat()) },
}));

const siblingsApart = layers
  .filter((names) => names.length > 1)
  .flatMap((names) =>
    names.map((name) => ({
      name: `${name}-knows-no-sibling`,
      comment: 'Folders of one layer do not know each other; what both need belongs one layer down.',
      severity: 'error',
      from: { path: folder([name]) },
      to: { path: folder(names.filter((other) => other !== name)) },
    })),
  );

const elaborateFolder = (names) => `^src/contract/elaborate/(${names.join('|')})/`;

const elaborateLooksDownOnly = elaborateRooms.slice(0, -1).map((name, i) => ({
  name: `elaborate-${name}-looks-down-only`,
  comment: 'Elaboration goes from names to claims: move the shared part down, or pass the value in as an argument.',
  severity: 'error',
  from: { path: elaborateFolder([name]) },
  to: { path: elaborateFolder(elaborateRooms.slice(i + 1)) },
}));

/** @type {(name: string, packages: string[], users: string[], comment: string) => object} */
const onlyFrom = (name, packages, users, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: '^src/', pathNot: users },
  to: { path: packages.map((name) => `^node_modules/${name}/`) },
});

export default {
  forbidden: [
    ...looksDownOnly,
    ...siblingsApart,
    ...elaborateLooksDownOnly,
    {
      name: 'no-cycles',
      comment: 'A cycle means that two files are one, or that a third is missing. Types count too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'Nothing imports this file and it is no entry: delete it, or import it where it is needed.',
      severity: 'error',
      // Kernels are reached through contracts/binding.yaml; the rest are entries.
      from: {
        orphan: true,
        path: '^src/',
        pathNot: [
          '^src/kernels/',
          '^src/(checkpoint|federated|trace|training)/subjects/',
          '^src/(index|(checkpoint|training)/index)\\.ts$',
          '^src/cli/bin\\.ts$',
          '\\.worker\\.ts$',
          '\\.d\\.ts$',
          '\\.json$',
        ],
      },
      to: {},
    },
    {
      name: 'nothing-imports-the-public-api',
      comment:
        'src/index.ts, src/trace/{index,node}.ts and src/{checkpoint,training}/index.ts are for users. Inside, import the file that defines the name.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/(index|trace/(index|node)|(checkpoint|training)/index)\\.ts$' },
    },
    {
      name: 'runtime-stays-small',
      comment: 'Generated tests load the runtime with every suite: no YAML, no schema, no command line.',
      severity: 'error',
      from: { path: '^src/runtime/' },
      to: { path: '^src/', pathNot: folder(['runtime', ...runtimeSees]) },
    },
    {
      name: 'runtime-is-for-tests-and-methods',
      comment:
        'Only generated tests, the methods that share its engine and kernels (types) import the runtime; the data of a goal are for all.',
      severity: 'error',
      from: { path: folder(layers.flat().filter((name) => !['runtime', 'methods', 'plan', 'cli'].includes(name))) },
      to: { path: '^src/runtime/', pathNot: '^src/runtime/testable-goal[.]ts$' },
    },
    {
      name: 'kernels-are-self-contained',
      comment: 'A kernel runs on a GPU from its own text: it may import types of the runtime and nothing else.',
      severity: 'error',
      from: { path: folder([kernels]) },
      to: { pathNot: '^src/(kernels|runtime)/' },
    },
    {
      name: 'kernels-import-types-only',
      comment: 'A kernel runs on a GPU from its own text: what it imports must vanish when types are removed.',
      severity: 'error',
      from: { path: folder([kernels]) },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'engine-knows-no-kernel-or-domain',
      comment: 'Contracts reach kernels and the domain systems through bindings, never by import.',
      severity: 'error',
      from: { path: folder(layers.flat().filter((name) => name !== 'cli')) },
      to: { path: folder([kernels, ...domains]) },
    },
    {
      name: 'command-line-knows-no-kernel',
      comment: 'Commands offer the domain systems to people; kernels they reach as everything does, through bindings.',
      severity: 'error',
      from: { path: folder(['cli']) },
      to: { path: folder([kernels]) },
    },
    {
      name: 'domains-stand-beside-the-engine',
      comment: 'A domain system knows numbers, files and evidence; never contracts, methods or the command line.',
      severity: 'error',
      from: { path: folder(domains) },
      to: { path: '^src/', pathNot: folder([...domains, ...domainsSee]) },
    },
    {
      name: 'files-through-the-host',
      comment: 'Files are read and written through src/host/host.ts, so that everything runs in memory and in tests.',
      severity: 'error',
      from: { path: '^src/', pathNot: fileSystemUsers },
      to: { path: '^(node:)?fs(/promises)?$' },
    },
    {
      name: 'processes-at-the-edge',
      comment: 'The process and child processes belong to bin.ts and the host; everything else gets values.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/bin\\.ts$', '^src/host/'] },
      to: { path: '^(node:)?(process|child_process)$' },
    },
    onlyFrom(
      'gpu-js-in-one-place',
      ['gpu\\.js'],
      ['^src/backends/gpujs\\.ts$'],
      'gpu.js is loose in types and noisy; src/backends/gpujs.ts is its only adapter.',
    ),
    onlyFrom(
      'nats-in-one-place',
      ['@nats-io'],
      ['^src/federated/bus/nats\\.ts$'],
      'NATS is an optional peer: src/federated/bus/nats.ts is its only adapter, and loads it when a node asks for it.',
    ),
    onlyFrom(
      'devices-at-their-links',
      ['playwright-core', 'webgpu'],
      ['^src/backends/(chromium-link|dawn\\.worker)\\.ts$'],
      'Browsers and drivers are started in one place each: src/backends/chromium-link.ts and dawn.worker.ts.',
    ),
    onlyFrom(
      'ts-morph-where-code-is-read',
      ['ts-morph', 'typescript'],
      ['^src/(subject|codegen|scan)/'],
      'Loading the compiler takes 400 ms: only resolving bindings, merging code and scanning it need it.',
    ),
    onlyFrom(
      'fast-check-in-the-runtime',
      ['fast-check'],
      ['^src/runtime/'],
      'The engine draws from its own streams; fast-check is the face of generated tests.',
    ),
    onlyFrom(
      'chalk-in-the-command-line',
      ['chalk', '@stricli'],
      ['^src/cli/'],
      'Colour and arguments are the terminal’s business; renderers get a palette passed in.',
    ),
    {
      name: 'command-line-starts-light',
      comment: 'These packages take longer to load than pv --help in all: import() them in the module that needs them.',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: { path: heavyPackages.map((name) => `^node_modules/${name.replaceAll('.', '\\.')}/`), dynamic: false },
    },
    {
      name: 'declared-packages-only',
      comment: 'A published file needs its package among the dependencies, not the development ones.',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
        dependencyTypesNot: ['type-only', 'npm-peer'],
        pathNot: '^node_modules/gpu\\.js/',
      },
    },
    {
      name: 'resolvable',
      comment: 'The import leads nowhere: a typo, or a package that is not installed.',
      severity: 'error',
      from: {},
      // Types alone, from @types/sarif: there is no package to load.
      to: { couldNotResolve: true, pathNot: '^sarif$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
