/**
 * The public API of `provable-contracts`, listed by name: what a tool built on pv may rely on between minor versions.
 * Generated tests and kernels import `provable-contracts/runtime` instead.
 */
export { codes, type Code, type CodeRow, type Severity } from './diagnostics/codes.ts';
export type { Diagnostic, Related, Staged } from './diagnostics/diagnostic.ts';
export { positionAt, type Position, type Range, type SourceFile, type Span } from './diagnostics/source.ts';
export type { Report } from './report/report.ts';
export { version } from './base/version.ts';
