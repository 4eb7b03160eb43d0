// Runs the benchmarks one after another, each in a process of its own: node scripts/bench.mjs [name…]
// Exits with 1 when one of them misses a target; the others still run. docs/bench.md says what each measures.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './bundle.mjs';

const all = [
  'startup',
  'validate',
  'predicate',
  'property',
  'kernels',
  'kernel-speed',
  'verify',
  'read-data',
  'check',
  'scan',
  'error-bounds',
  'exhaustive',
  'kani',
  'devices',
  'robustness',
  'training',
  'verified-step',
  'federated-averaging',
  'federated-round',
  'federated-modes',
  'secure-aggregation',
  'secure-round',
  'resume-check',
  'checkpoint',
  'checkpoint-read',
  'trace',
  'trace-levels',
  'trace-bands',
  'trace-serve',
];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no benchmark named ${unknown.join(', ')}; there are ${all.join(', ')}\n`);
  process.exitCode = 2;
} else {
  for (const name of asked.length > 0 ? asked : all) {
    process.stdout.write(`\n── ${name} ──\n`);
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/run.mjs'), `bench/${name}.ts`], {
      cwd: root,
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  }
}
