import { describe, expect, it } from 'vitest';
import { planInit } from '../../src/codegen/init-files.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';

const listed = '{ "devDependencies": { "provable-contracts": "^0.1.0" } }';
const installed = { 'node_modules/provable-contracts/package.json': '{}' };

describe('what pv init says to install', () => {
  it.each([
    ['an empty folder', {}, 'npm install --save-dev provable-contracts'],
    [
      'a project that has it but does not list it',
      { 'package.json': '{}', ...installed },
      'npm install --save-dev provable-contracts',
    ],
    ['a project that lists it only', { 'package.json': listed }, 'npm install'],
    ['a pnpm project that lists it only', { 'package.json': listed, 'pnpm-lock.yaml': '' }, 'pnpm install'],
    ['a project with both', { 'package.json': listed, ...installed }, null],
    ['a workspace', { 'package.json': listed, '../node_modules/provable-contracts/package.json': '{}' }, null],
    ['a project of plug and play', { 'package.json': listed, 'yarn.lock': '', '.pnp.cjs': '' }, null],
  ])('in %s', async (_, files, install) => {
    expect((await planInit(createMemoryHost(files))).install).toBe(install);
  });
});
