/**
 * `pv scan`: every rule over every module, suppressions applied, findings in the order of files and places.
 */
import { compareText, count } from '../base/text.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Range, SourceFile } from '../diagnostics/source.ts';
import type { Host } from '../host/host.ts';
import { loadTypeScript, type TypeScript } from '../subject/typescript.ts';
import { withoutCopies } from './copies.ts';
import type { Edit } from './edits.ts';
import { parseModule, rangeOf, syntaxProblemOf, type Module } from './module.ts';
import { learnsOrSearches } from './randomness/learning.ts';
import { reasonsUnread, type Unread } from './unread.ts';
import { loadPythonParser, parsePython } from './python/module.ts';
import type { PythonModule } from './python/module.ts';
import type { Match, Project, PythonRule, Rule } from './rule.ts';
import { ruleNames, rules, type RuleName } from './rules.ts';
import type { ScanSettings } from './settings.ts';
import { suppressionsOf } from './suppressions.ts';
import { calleeBySyntax, functionBySyntax } from './syntax/callee.ts';
import { openTypes, type Types } from './types.ts';

export interface ScanOptions {
  /** The rules that run. */
  readonly rules: readonly RuleName[];
  /** Whether calls that syntax does not resolve are resolved by the type checker. */
  readonly types: boolean;
  readonly settings: ScanSettings;
  /**
   * Whether somebody asked for a file, so that everything is said of it, by a path that names it or by naming rules; by default every file.
   * What merely lies in a folder may be no part of a program, and may have nothing to do with learning.
   */
  readonly isAskedFor?: (path: string) => boolean;
}

export interface Finding {
  readonly diagnostic: Diagnostic;
  /** Edits of its file that fix it; null if a person must decide. */
  readonly fix: readonly Edit[] | null;
  /** Whether it matters only where its file, or some file of the project, learns or searches. */
  readonly ofLearning?: 'file' | 'project';
}

export interface Scan {
  /** Sorted by file, then place. */
  readonly findings: readonly Finding[];
  readonly counts: {
    /** Files scanned. */
    readonly files: number;
    /** Those in which a rule found its words. */
    readonly examined: number;
    /** Findings that comments set aside. */
    readonly suppressed: number;
    /** Files that no rule has looked at, since they are halves of a file that a build joins. */
    readonly parts: number;
    /** JavaScript with types of Flow, which no rule has looked at. */
    readonly flow: number;
    /** Findings about learning and search, withheld since no code of the project does either. */
    readonly withheld: number;
  };
  /** Paths of JavaScript that does not parse, and that no file imports: templates, notes. No rule has looked at it. */
  readonly strays: readonly string[];
}

/** Scans files. What one of them holds, however broken, is a finding and never an exception. */
export async function scan(host: Host, sources: readonly SourceFile[], options: ScanOptions): Promise<Scan> {
  const isPython = ({ path }: SourceFile): boolean => /\.py$/i.test(path);
  const python = sources.filter(isPython);
  const typescript = sources.filter((source) => !isPython(source));
  const parts = [
    ...(python.length > 0 ? await scanPython(python, options) : []),
    ...(typescript.length > 0 ? await scanTypeScript(host, typescript, options) : []),
  ];
  const found = withoutCopies(withCauses(parts.flatMap(({ findings }) => findings).toSorted(inOrder)));
  const findings = found.filter((one) => one.ofLearning === undefined || isShown(one, sources, options));
  const number = (kind: Unread): number => parts.filter(({ unread }) => unread === kind).length;
  return {
    findings,
    counts: {
      files: sources.length,
      examined: parts.filter(({ examined }) => examined).length,
      suppressed: parts.reduce((sum, { suppressed }) => sum + suppressed, 0),
      parts: number('half'),
      flow: number('flow'),
      withheld: found.length - findings.length,
    },
    strays: parts.flatMap(({ unread, path }) => (unread === 'stray' && path !== undefined ? [path] : [])),
  };
}

/** A buffer whose size is wrong because the sizes of its call are in the wrong order is one finding, about the order. */
function withCauses(findings: readonly Finding[]): readonly Finding[] {
  const placeOf = ({ diagnostic: { span } }: Finding): string =>
    `${span?.source.path ?? ''} ${span?.range.start ?? ''}`;
  const swapped = new Set(findings.filter(({ diagnostic }) => diagnostic.code === 'PV-9107').map(placeOf));
  return findings.filter((one) => one.diagnostic.code !== 'PV-9106' || !swapped.has(placeOf(one)));
}

const learning = new WeakMap<readonly SourceFile[], boolean>();

/** Whether a finding about learning is shown: somebody asked for its file, or the file, or some file of the project, learns or searches. */
function isShown(
  { diagnostic: { span }, ofLearning }: Finding,
  sources: readonly SourceFile[],
  { isAskedFor = everyFile }: ScanOptions,
): boolean {
  if (span && isAskedFor(span.source.path)) return true;
  if (ofLearning === 'file') return span !== null && learnsOrSearches(span.source);
  const known = learning.get(sources) ?? sources.some(learnsOrSearches);
  learning.set(sources, known);
  return known;
}

async function scanTypeScript(
  host: Host,
  sources: readonly SourceFile[],
  options: ScanOptions,
): Promise<readonly FileFindings[]> {
  const ts = loadTypeScript();
  const wanting = sources.filter((source) => wantsTypes(source, options));
  const types = options.types ? await openTypes(ts, host, wanting) : null;
  const shelf = createShelf(ts, sources);
  const project = createProject(shelf, sources, types, options.settings);
  const findings = (types?.problems ?? []).map(({ path, message }) => withoutFix(noTypes(path, message)));
  const concerned = options.rules.filter((name) => typeScriptRule(name)?.concerns?.(project) ?? true);
  const perFile = sources.map((source) => {
    const wanted = concerned.filter((name) => typeScriptRule(name) && isWanted(name, source, options));
    return { source, ...scanFile(ts, shelf, source, wanted, project, options), examined: wanted.length > 0 };
  });
  const isUnparsed = (one: FileFindings): boolean =>
    one.findings.some(({ diagnostic: { code } }) => code === 'PV-9110');
  const reasons = reasonsUnread(
    ts,
    perFile.filter(isUnparsed).map(({ source }) => source),
    sources,
    options.isAskedFor ?? everyFile,
  );
  const whole = perFile.map((one) => {
    const unread = reasons.get(one.source);
    return unread ? { findings: [], suppressed: 0, examined: false, unread, path: one.source.path } : one;
  });
  return [{ findings, suppressed: 0, examined: false }, ...whole];
}

const everyFile = (): boolean => true;

function typeScriptRule(name: RuleName): Rule | null {
  const rule: Rule | PythonRule = rules[name];
  return rule.language === 'python' ? null : rule;
}

async function scanPython(sources: readonly SourceFile[], options: ScanOptions): Promise<readonly FileFindings[]> {
  const parser = await loadPythonParser();
  return sources.map((source) => {
    const parsed = parsePython(parser, source);
    if (!parsed.ok) {
      const { message, range } = parsed.error;
      return { findings: [withoutFix(unparsed(source, message, range))], suppressed: 0, examined: false };
    }
    const wanted = options.rules.filter((name) => rules[name].language === 'python' && isWanted(name, source, options));
    const matches = wanted.flatMap((name) => {
      const rule: Rule | PythonRule = rules[name];
      return rule.language === 'python' ? rule.check(parsed.value).map((match) => ({ name, match })) : [];
    });
    return { ...withoutSuppressed(parsed.value, matches, options), examined: wanted.length > 0 };
  });
}

function isWanted(name: RuleName, { path, text }: SourceFile, { settings }: ScanOptions): boolean {
  return rules[name].words.test(text) || (name === 'platform-math' && settings.isReproducible(path));
}

/** JavaScript is not resolved by types: few projects configure the checker for it. */
function wantsTypes({ path, text }: SourceFile, options: ScanOptions): boolean {
  if (/\.[cm]?jsx?$/i.test(path)) return false;
  return options.rules.some((name) => rules[name].usesTypes && rules[name].words.test(text));
}

/** The modules read, each parsed at most once and only when someone looks at it. */
interface Shelf {
  readonly moduleAt: (path: string) => ReturnType<typeof parseModule> | null;
}

function createShelf(ts: TypeScript, sources: readonly SourceFile[]): Shelf {
  const byPath = new Map(sources.map((source) => [source.path.replaceAll('\\', '/'), source]));
  const parsed = new Map<SourceFile, ReturnType<typeof parseModule>>();
  const moduleAt: Shelf['moduleAt'] = (path) => {
    const source = byPath.get(path.replaceAll('\\', '/'));
    if (!source) return null;
    const module = parsed.get(source) ?? parseModule(ts, source);
    parsed.set(source, module);
    return module;
  };
  return { moduleAt };
}

function createProject(
  shelf: Shelf,
  sources: readonly SourceFile[],
  types: Types | null,
  { isReproducible }: ScanSettings,
): Project {
  const moduleAt: Project['moduleAt'] = (path) => {
    const module = shelf.moduleAt(path);
    return module?.ok ? module.value : null;
  };
  return {
    moduleAt,
    isReproducible,
    pathsWith: (pattern) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path),
    functionNamed: (module, expression) => functionBySyntax(moduleAt, module, expression),
    calleeOf: (module, call) =>
      calleeBySyntax(moduleAt, module, call) ?? types?.calleeAt(module.source.path, rangeOf(module, call)) ?? null,
  };
}

interface FileFindings {
  readonly findings: readonly Finding[];
  readonly suppressed: number;
  /** Whether a rule found its words. */
  readonly examined: boolean;
  /** Why it does not matter that a file does not parse. */
  readonly unread?: Unread;
  readonly path?: string;
}

function scanFile(
  ts: TypeScript,
  shelf: Shelf,
  source: SourceFile,
  wanted: readonly RuleName[],
  project: Project,
  options: ScanOptions,
): Pick<FileFindings, 'findings' | 'suppressed'> {
  const mayBeIgnored = source.text.includes('pv-scan-ignore');
  if (wanted.length === 0 && !mayBeIgnored) {
    const problem = syntaxProblemOf(ts, source);
    return { findings: problem ? [withoutFix(unparsed(source, problem.message, problem.range))] : [], suppressed: 0 };
  }
  const module = shelf.moduleAt(source.path);
  if (!module?.ok) {
    const { message, range } = module?.error ?? { message: 'it was not read', range: { start: 0, end: 0 } };
    return { findings: [withoutFix(unparsed(source, message, range))], suppressed: 0 };
  }
  const matches = wanted.flatMap((name) =>
    (typeScriptRule(name)?.check(module.value, project) ?? []).map((match) => ({ name, match })),
  );
  return mayBeIgnored
    ? withoutSuppressed(module.value, matches, options)
    : { findings: grouped(matches).map((one) => finding(module.value, one.name, one.match)), suppressed: 0 };
}

interface Named {
  readonly name: RuleName;
  readonly match: Match;
}

/** One finding for each group: the first place, with a count of the others. */
function grouped(matches: readonly Named[]): readonly Named[] {
  const groups = new Map<string, Named[]>();
  for (const one of matches) {
    if (one.match.group === undefined) continue;
    const key = `${one.name} ${one.match.group}`;
    const members = groups.get(key) ?? [];
    members.push(one);
    groups.set(key, members);
  }
  const merged = [...groups.values()].flatMap((members): readonly Named[] => {
    const [first, ...others] = members.toSorted((a, b) => a.match.range.start - b.match.range.start);
    if (!first) return [];
    const more = others.length === 0 ? '' : `; and at ${count(others.length, 'more place')} in the same function`;
    return [{ name: first.name, match: { ...first.match, message: `${first.match.message}${more}` } }];
  });
  return [...matches.filter(({ match }) => match.group === undefined), ...merged];
}

/** Drops what comments set aside, and reports comments that set nothing aside. */
function withoutSuppressed(
  module: Module | PythonModule,
  matches: readonly Named[],
  options: ScanOptions,
): Pick<FileFindings, 'findings' | 'suppressed'> {
  const { list, problems, lineAt } = suppressionsOf(module);
  const used = new Set<unknown>();
  const kept = matches.filter(({ name, match }) => {
    const line = lineAt(match.range.start);
    const by = list.filter((one) => one.rule === name && one.lines.includes(line));
    for (const one of by) used.add(one);
    return by.length === 0;
  });
  // Without types, or with some of the rules, what a comment is for may not have been looked for.
  const ran = (rule: RuleName): boolean => options.rules.includes(rule) && (options.types || !rules[rule].usesTypes);
  const unused = list.filter((one) => !used.has(one) && ran(one.rule));
  const findings = [
    ...grouped(kept).map(({ name, match }) => finding(module, name, match)),
    ...problems.map(withoutFix),
    ...unused.map(({ rule, range }) =>
      withoutFix(
        diagnostic('PV-9112', { source: module.source, range }, `\`${rule}\` finds nothing here`, {
          hint: 'remove the comment',
        }),
      ),
    ),
  ];
  return { findings, suppressed: matches.length - kept.length };
}

function finding(
  module: Pick<Module, 'source'>,
  name: RuleName,
  { range, message, hint, related, fix, ofLearning }: Match,
): Finding {
  const places = (related ?? []).map((one) => ({
    message: one.message,
    span: { source: one.module.source, range: one.range },
  }));
  const found = diagnostic(rules[name].code, { source: module.source, range }, message, { hint, related: places });
  return { diagnostic: found, fix: fix ?? null, ...(ofLearning ? { ofLearning } : {}) };
}

const withoutFix = (found: Diagnostic): Finding => ({ diagnostic: found, fix: null });

function unparsed(source: SourceFile, message: string, range: Range): Diagnostic {
  return diagnostic('PV-9110', { source, range }, `the file does not parse: ${message}`, {
    hint: 'no rule has looked at this file',
  });
}

function noTypes(path: string, message: string): Diagnostic {
  return diagnostic('PV-9114', null, `${path} cannot be read: ${message}`, {
    subject: path,
    hint: 'fix it, or scan with --no-types',
  });
}

function inOrder({ diagnostic: a }: Finding, { diagnostic: b }: Finding): number {
  return (
    compareText(a.span?.source.path ?? a.subject ?? '', b.span?.source.path ?? b.subject ?? '') ||
    (a.span?.range.start ?? 0) - (b.span?.range.start ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

/** Every rule there is. */
export const everyRule: readonly RuleName[] = ruleNames;

/** The rules that run where none is named: all but conventions. */
export const defaultRules: readonly RuleName[] = ruleNames.filter((name) => !typeScriptRule(name)?.isConvention);
