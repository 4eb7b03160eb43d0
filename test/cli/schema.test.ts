/** Holds src/api/exit-code.ts, src/cli/commands/schema.ts, src/cli/event-loop.ts, src/cli/usage-text.ts. */
import { expect, it } from 'vitest';
import { exitCodes } from '../../src/api/exit-code.ts';
import { runPv } from '../support/memory-cli.ts';

it.each([
  [[], 'pv contract'],
  [['contract'], 'pv contract'],
  [['binding'], 'pv binding file'],
  [['report'], 'pv report'],
])('pv schema %j prints a schema of 2020-12', async (names, title) => {
  const ran = await runPv(['schema', ...names]);
  expect(ran.code).toBe(exitCodes.ok);
  expect(JSON.parse(ran.stdout)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', title });
});

it('suggests a name close to an unknown one', async () => {
  const ran = await runPv(['schema', 'bindings']);
  expect(ran.code).toBe(exitCodes.usage);
  expect(ran.stderr).toContain("did you mean 'binding'?");
});
