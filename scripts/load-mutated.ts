/**
 * Loads the modules that a mutation run changes before the first test of each file. Otherwise, code that runs when a
 * module loads would count as part of the test that happens to load it first, for instance through a command of `pv`, and
 * only that test would run on its mutants.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const modules = (process.env['PV_MUTATED_MODULES'] ?? '').split(' ').filter((path) => path !== '');
await Promise.all(modules.map((path) => import(pathToFileURL(resolve(path)).href)));
