// Prints "N passed, N failed" from vitest's JSON result: node scripts/test-counts.mjs RESULT.json
// No result, or one in which nothing ran, counts as a failure: silence is not success.
import { readFile } from 'node:fs/promises';

const [path = ''] = process.argv.slice(2);
const result = await readFile(path, 'utf8').then(JSON.parse, () => null);
const passed = result?.numPassedTests ?? 0;
// A suite that cannot even be loaded has no failed test of its own.
const brokenSuites =
  result?.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0).length ?? 0;
const failed = (result?.numFailedTests ?? 0) + brokenSuites + (passed === 0 ? 1 : 0);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
