import type { CommandRow } from './command.ts';

/** Every command, in the order of `pv --help`. Adding one is its file under commands/ and a row here. */
export const commands = {
  validate: {
    brief: 'Read contracts and report everything that is wrong with them',
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  init: {
    brief: 'Add a first contract, kernel, binding and CI gate to this project',
    load: async () => (await import('./commands/init.ts')).init,
  },
  verify: {
    brief: 'Audit the project and write its verification DAG as a page',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  audit: {
    brief: 'Run every check that is stale and derive each status from evidence',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  adopt: {
    brief:
      'Say on one page what contracts that others wrote are worth: what runs, what is false, what contradicts what',
    load: async () => (await import('./commands/adopt.ts')).adopt,
  },
  judge: {
    brief: 'Judge one kernel that may cheat, on inputs that it cannot know: for code of others and of models',
    load: async () => (await import('./commands/judge.ts')).judgeKernel,
  },
  status: {
    brief: 'Say what the stored evidence is worth now, without running anything',
    load: async () => (await import('./commands/status.ts')).status,
  },
  check: {
    brief: 'Evaluate contracts over data on training configs, run logs and event traces',
    load: async () => (await import('./commands/check.ts')).check,
  },
  diagnose: {
    brief: 'Join the checks of a run from its first symptom to the contract that prevents it',
    load: async () => (await import('./commands/diagnose.ts')).diagnose,
  },
  scan: {
    brief: 'Look in TypeScript for what has cost training runs: static rules over code',
    load: async () => (await import('./commands/scan.ts')).scan,
  },
  kani: {
    brief: 'Prove obligations about the code of kernels, for every input up to a bound',
    load: async () => (await import('./commands/kani.ts')).kani,
  },
  prove: {
    brief: 'Prove claims over the reals for inputs of every size, with Rocq',
    load: async () => (await import('./commands/prove.ts')).prove,
  },
  calibrate: {
    brief: 'Measure what a backend or a graphics device computes, for tolerances',
    load: async () => (await import('./commands/calibrate.ts')).calibrate,
  },
  roofline: {
    brief: 'Derive the operations and bytes of equations, and what limits them on a device',
    load: async () => (await import('./commands/roofline.ts')).roofline,
  },
  scaffold: {
    brief: 'Write the TypeScript interface of a contract, and tests that fail until a kernel is bound',
    load: async () => (await import('./commands/scaffold.ts')).scaffold,
  },
  probar: {
    brief: 'Write property tests that assert what a contract claims, on its bound kernels',
    load: async () => (await import('./commands/probar.ts')).probar,
  },
  generate: {
    brief: 'Write every generated file of the contracts, or check that they are up to date',
    load: async () => (await import('./commands/generate.ts')).generate,
  },
  train: {
    brief: 'Train a model through a gate that refuses bad updates, and certify the run',
    load: async () => (await import('./commands/train.ts')).train,
  },
  certificate: {
    brief: 'Verify a training run from its files: check digests and ledger, and replay its steps',
    load: async () => (await import('./commands/certificate.ts')).certificate,
  },
  trace: {
    brief: 'Record what a language model generates, prove single steps of it, and replay them bit for bit',
    load: async () => (await import('./commands/trace.ts')).trace,
  },
  fed: {
    brief: 'Train an adapter together with other nodes, and check what a round published',
    load: async () => (await import('./commands/fed.ts')).fed,
  },
  resume: {
    brief: 'Check a checkpoint before training resumes from it',
    load: async () => (await import('./commands/resume.ts')).resume,
  },
  checkpoint: {
    brief: 'Inspect, seal and verify checkpoints of any trainer',
    load: async () => (await import('./commands/checkpoint.ts')).checkpoint,
  },
  certify: {
    brief: 'Prove that a network is safe on a region of inputs, or find an input for which it is not',
    load: async () => (await import('./commands/certify.ts')).certify,
  },
  equations: {
    brief: 'Print the equations of contracts as text, LaTeX or MathML',
    load: async () => (await import('./commands/equations.ts')).equations,
  },
  graph: {
    brief: 'Print which contract depends on which',
    load: async () => (await import('./commands/graph.ts')).graph,
  },
  explain: {
    brief: 'Explain a finding by its code',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  schema: {
    brief: 'Print the JSON Schema of contracts, bindings or reports',
    load: async () => (await import('./commands/schema.ts')).schema,
  },
} as const satisfies Readonly<Record<string, CommandRow>>;
