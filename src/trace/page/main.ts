/** The script of the page that is nothing but the checker. */
import { mountChecker } from './checker.ts';

mountChecker(document.body);
