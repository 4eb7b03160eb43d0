/**
 * The entry of the process in which a kernel runs that must not know who calls it. It is built into one text, which a process
 * without files, arguments and environment evaluates.
 */
import { serveFunctions } from './serve-functions.ts';

// The text of this process is one of its arguments.
process.execArgv.length = 0;
serveFunctions({ observe: () => () => ({ closed: [], open: [] }), strict: true });
