import { shippedProject } from '../support/shipped-goals.ts';
import { judgeForeign } from './foreign-kernel.ts';
import { handForms } from './hand/all.ts';
const project = await shippedProject(process.cwd());
const [filter = '', cases = '500', lib] = process.argv.slice(2);
const models = project.elaborated.flatMap(({ contract, equations }) => equations.map((e) => [`${contract.id}/${e.name}`, `${e.parameters.map((p) => p.name)} | ${e.sizes}`] as const));
if (filter === 'sizes') { for (const k of new Set(handForms.map((k) => k.equation))) console.log(k, new Map(models).get(k)); process.exit(); }
const kernels = lib ? (await import(new URL('./libraries/all.mjs', import.meta.url).href)).libraryKernels : handForms;
const before = process.cpuUsage();
for (const k of kernels.filter((k) => k.equation.includes(filter) || k.name.includes(filter))) {
  const t = process.cpuUsage();
  const findings = await judgeForeign(project, k, Number(cases));
  const d = process.cpuUsage(t);
  console.log(`${findings.some((x) => x.why) ? 'XX' : 'ok'} ${k.equation} [${k.name}] ${((d.user + d.system) / 1e6).toFixed(1)}s ` + findings.filter((x) => x.worst !== null && !x.claim.startsWith('FALSIFY')).map((x) => `${x.claim}:${x.worst?.toPrecision(3)}`).join(' '));
  for (const x of findings) if (x.why) console.log('     ', x.claim, x.verdict, x.worst?.toPrecision(3), x.why.slice(0, 420));
}
console.log(process.cpuUsage(before));
