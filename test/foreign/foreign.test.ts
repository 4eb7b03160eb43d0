import { expect, it } from 'vitest';
import { shippedProject } from '../support/shipped-goals.ts';
import { judgeForeign } from './foreign-kernel.ts';
import { handForms } from './hand/all.ts';

const project = await shippedProject();
it.each(handForms.map((k) => [`${k.equation} ${k.name}`, k] as const))('%s', async (_n, k) => {
  const findings = await judgeForeign(project, k, 1000);
  for (const x of findings) console.log(k.equation, k.name, x.claim, x.verdict, x.worst, x.why?.slice(0, 300));
  expect(findings.filter((x) => x.why !== null)).toEqual([]);
});
