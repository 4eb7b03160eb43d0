/**
 * A static rule: one file that inspects the syntax of a module and reports where it does what the rule forbids.
 */
import type { ts } from 'ts-morph';
import type { Code } from '../diagnostics/codes.ts';
import type { Range } from '../diagnostics/source.ts';
import type { Edit } from './edits.ts';
import type { Module } from './module.ts';
import type { PythonModule } from './python/module.ts';

/** One finding of a rule, before it is a diagnostic. */
export interface Match {
  readonly range: Range;
  readonly message: string;
  readonly hint: string;
  /** A second place, in any module that was read. */
  readonly related?: readonly {
    readonly message: string;
    readonly module: Pick<Module, 'source'>;
    readonly range: Range;
  }[];
  /** Findings of one rule and one group are one fault: the first is reported, and the others are named in it. */
  readonly group?: string;
  /** Edits of the module that fix it; only where nothing else changes. */
  readonly fix?: readonly Edit[];
  /** A fault only where the file, or some file of the project, learns or searches: elsewhere it is withheld, unless its file or its rule is asked for. */
  readonly ofLearning?: 'file' | 'project';
}

/** What a rule may ask about the other modules of the scan. */
export interface Project {
  /** A parsed module among those read; null if the path is not one of them or does not parse. */
  readonly moduleAt: (path: string) => Module | null;
  /**
   * The declaration that a call resolves to, from the modules read and, with types, from everything they import; null if
   * unknown.
   */
  readonly calleeOf: (module: Module, call: ts.CallExpression | ts.NewExpression) => ts.SignatureDeclaration | null;
  /** Whether the settings declare the file bit-reproducible. */
  readonly isReproducible: (path: string) => boolean;
  /** The function that an expression names, by syntax alone; null if it names none. */
  readonly functionNamed: (module: Module, expression: ts.Expression) => ts.SignatureDeclaration | null;
  /** Paths of files whose text matches. */
  readonly pathsWith: (pattern: RegExp) => readonly string[];
}

/** A rule over TypeScript. */
export interface Rule {
  readonly language?: never;
  readonly code: Code;
  /** A file in which it finds nothing is not looked at by the rule. */
  readonly words: RegExp;
  /** Whether the rule applies to the files read; by default always. */
  readonly concerns?: (project: Pick<Project, 'pathsWith' | 'isReproducible'>) => boolean;
  /** Whether the rule knows more when types are read. */
  readonly usesTypes: boolean;
  /** A convention of some projects, of which others have another: it runs only where it is named. */
  readonly isConvention?: true;
  /** Its findings in one module, in any order. Pure. */
  readonly check: (module: Module, project: Project) => readonly Match[];
}

/** A rule over Python. */
export interface PythonRule {
  readonly language: 'python';
  readonly code: Code;
  /** A file in which it finds nothing is not looked at by the rule. */
  readonly words: RegExp;
  readonly usesTypes: false;
  /** Its findings in one module, in any order. Pure. */
  readonly check: (module: PythonModule) => readonly Match[];
}
