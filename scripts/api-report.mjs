// Writes docs/api-report.md: the names of the public API and the declarations of its functions and options, as the build wrote them.
// A change of it is a change of the API: CI fails until the new report is committed, and so is reviewed.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './bundle.mjs';

const declarations = async (path) => (await readFile(join(root, 'dist', path), 'utf8')).trim();
const section = async (title, path) => `## ${title}\n\n\`\`\`ts\n${await declarations(path)}\n\`\`\`\n`;

await writeFile(
  join(root, 'docs/api-report.md'),
  [
    '# The public API',
    'Written by `npm run generate` from the declarations that the package ships; [From a program](api.md) explains it.\n',
    await section('`provable-contracts`', 'index.d.ts'),
    await section('Functions', 'api/public.d.ts'),
    await section('Options of `audit` and `status`', 'api/audit-options.d.ts'),
    await section('Options of `check` and `diagnose`', 'api/data/options.d.ts'),
    await section('`provable-contracts/trace`', 'trace/index.d.ts'),
    await section('`provable-contracts/trace/node`', 'trace/node.d.ts'),
    await section('`provable-contracts/training`', 'training/index.d.ts'),
    await section('`provable-contracts/checkpoint`', 'checkpoint/index.d.ts'),
    await section('`provable-contracts/federated`', 'federated/index.d.ts'),
    await section('`provable-contracts/runtime`', 'runtime/index.d.ts'),
  ].join('\n'),
);
