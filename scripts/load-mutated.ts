/**
 * Loads the modules that a mutation run changes before the first test of each file. What runs when a module loads is then not taken
 * for a part of the test that happens to load it first, for instance through a command of `pv`, and would otherwise be the only
 * one to run on a mutant of it.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const modules = (process.env['PV_MUTATED_MODULES'] ?? '').split(' ').filter((path) => path !== '');
await Promise.all(modules.map((path) => import(pathToFileURL(resolve(path)).href)));
