// Names every failed test with the first line of its error, and ends with "N passed, N failed":
// node scripts/test-counts.mjs RESULT.json, where RESULT.json is what vitest's JSON reporter wrote.
// No result, or one in which nothing ran, counts as a failure: silence is not success.
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

const [path = ''] = process.argv.slice(2);
const result = await readFile(path, 'utf8').then(JSON.parse, () => null);
const suites = result?.testResults ?? [];
// A suite that cannot even be loaded has no failed test of its own.
const broken = suites.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0);
const firstLine = (text = '') => text.split('\n', 1)[0];
for (const suite of suites) {
  const file = relative('.', suite.name);
  for (const test of suite.assertionResults) {
    if (test.status === 'failed')
      console.log(`${file} > ${test.fullName}\n    ${firstLine(test.failureMessages?.[0])}`);
  }
}
for (const suite of broken) console.log(`${relative('.', suite.name)}\n    ${firstLine(suite.message)}`);

const passed = result?.numPassedTests ?? 0;
const failed = (result?.numFailedTests ?? 0) + broken.length + (passed === 0 ? 1 : 0);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
