/**
 * The public API of `provable-contracts`, listed by name: what a tool built on pv may rely on between minor versions.
 *
 * Generated tests and kernels import `provable-contracts/runtime`; inference traces are `provable-contracts/trace`.
 */
export { audit, check, diagnose, graph, scan, status, validate } from './api/public.ts';
export type { Answer, AuditAnswer, CheckQuestion, DiagnoseQuestion, World } from './api/public.ts';
export type { RunOptions, StatusOptions } from './api/audit-options.ts';
export type { ContractGraph } from './api/graph.ts';
export type { ScanOutcome } from './api/scan-outcome.ts';
export type { Analysis } from './api/validate.ts';
export { elaborateAll as elaborate } from './audit/elaborate-all.ts';
export { version } from './base/version.ts';
export type { Contract } from './contract/contract.ts';
export type { ElaboratedContract } from './contract/goal.ts';
export { codes, type Code, type Severity } from './diagnostics/codes.ts';
export type { Diagnostic } from './diagnostics/diagnostic.ts';
export { renderDiagnostic } from './diagnostics/render.ts';
export { positionAt, type SourceFile, type Span } from './diagnostics/source.ts';
export type { Level, Verdict } from './evidence/verdict.ts';
export type { DataReport } from './data/report/data-report.ts';
export type { DiagnosisReport } from './data/report/diagnosis-report.ts';
export { formatNames, formatReport, type FormatName } from './report/formats.ts';
export type { ClaimReport, ContractReport, Report } from './report/report.ts';
