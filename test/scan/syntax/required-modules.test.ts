import { describe, expect, it } from 'vitest';
import { scanCode } from '../../support/scan-code.ts';

/** Where `Math.exp` is found when a reproducible function of a.js calls what it requires of b.js. */
async function found(head: string, call: string, b: string): Promise<readonly (string | undefined)[]> {
  const a = `${head}\n/** @bitReproducible */\nfunction f(x) { return ${call}; }`;
  const { findings } = await scanCode({ 'src/a.js': a, 'src/b.js': b }, { rules: ['platform-math'] });
  return findings.map(({ diagnostic }) => diagnostic.span?.source.path);
}

const exp = '(x) { return Math.exp(x); }';

describe('a required function is followed', () => {
  it.each([
    ['from an object', "const b = require('./b');", 'b.g(x)', `module.exports = { g: function ${exp} };`],
    ['by a shorthand', "const b = require('./b.js');", 'b.g(x)', `function g${exp}\nmodule.exports = { g };`],
    ['as a method', "const b = require('./b');", 'b.g(x)', `module.exports = { g${exp} };`],
    ['from a property of exports', "var b = require('./b');", 'b.g(x)', `exports.g = function ${exp};`],
    [
      'from a property of module.exports',
      "let b = require('./b');",
      'b.g(x)',
      'module.exports.g = (x) => Math.exp(x);',
    ],
    ['by a pattern', "const { g } = require('./b');", 'g(x)', `function g${exp}\nexports.g = g;`],
    ['by a pattern that renames', "const { g: h } = require('./b');", 'h(x)', `exports.g = function ${exp};`],
    ['as a member of the call', "const h = require('./b').g;", 'h(x)', `exports.g = function ${exp};`],
    ['as the whole module', "const g = require('./b');", 'g(x)', `module.exports = function ${exp};`],
    ['as a class', "const C = require('./b');", 'new C(x)', `class C { constructor${exp} }\nmodule.exports = C;`],
    [
      'from exports that a compiler wrote',
      "const b_1 = __importStar(require('./b'));",
      'b_1.g(x)',
      'exports.g = void 0;\nconst g = (x) => Math.exp(x);\nexports.g = g;',
    ],
    ['by the first of two names', "const b = require('./b');", 'b.h(x)', `exports.h = exports.g = function ${exp};`],
  ])('%s', async (_name, head, call, b) => {
    expect(await found(head, call, b)).toEqual(['src/b.js']);
  });
});

describe('nothing is claimed', () => {
  it.each([
    ['of another export', "const b = require('./b');", 'b.h(x)', `exports.g = function ${exp};`],
    [
      'of what a later assignment replaces',
      "const b = require('./b');",
      'b.g(x)',
      `exports.g = function ${exp};\nexports.g = (x) => x;`,
    ],
    ['of a package', "const b = require('b');", 'b.g(x)', `exports.g = function ${exp};`],
    ['of a computed name', "const b = require('./' + name);", 'b.g(x)', `exports.g = function ${exp};`],
    ['of another loader', "const b = load('./b');", 'b.g(x)', `exports.g = function ${exp};`],
    ['of a pattern in a pattern', "const { a: { g } } = require('./b');", 'g(x)', `exports.g = function ${exp};`],
    ['of modules that require each other', "const b = require('./b');", 'b.g(x)', "exports.g = require('./b').g;"],
  ])('%s', async (_name, head, call, b) => {
    expect(await found(head, call, b)).toEqual([]);
  });
});
