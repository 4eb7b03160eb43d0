/**
 * Tests the axioms about float32 functions of one argument on every float32, and prints a table for docs/axioms.md.
 * Usage: node scripts/run.mjs scripts/check-axioms.ts [FUNCTION…]
 */
import { float32FromOrdinal, float32Ordinal, MAX_FLOAT32 } from '../src/numeric/float.ts';
import { checkOrdinals, unaryAxioms } from '../src/bounded-proofs/engines/smt/check-axioms.ts';

const wanted = process.argv.slice(2);
console.log(`| function | float32 tried | first | last | fails | Node ${process.version}, V8 ${process.versions.v8} |`);
console.log('| --- | --- | --- | --- | --- | --- |');
for (const axiom of unaryAxioms) {
  if (wanted.length > 0 && !wanted.includes(axiom.fn)) continue;
  const first = axiom.positiveOnly ? 1 : -float32Ordinal(MAX_FLOAT32);
  const last = float32Ordinal(MAX_FLOAT32);
  const failure = checkOrdinals(axiom, first, last, 1);
  const cells = [
    `\`${axiom.fn}\``,
    String(last - first + 1),
    String(float32FromOrdinal(first)),
    String(float32FromOrdinal(last)),
    failure ?? 'none',
    axiom.ids.join(', '),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
