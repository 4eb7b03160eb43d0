/**
 * What reading a kernel's syntax needs to know and to report.
 */
import type { ts } from 'ts-morph';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { positionAt, type SourceFile } from '../diagnostics/source.ts';
import type { Code } from '../diagnostics/codes.ts';
import type { TypeScript } from './typescript.ts';
import type { Place } from './kernel-syntax.ts';

/** The state of reading one kernel. */
export interface KernelReader {
  readonly ts: TypeScript;
  readonly source: SourceFile;
  readonly file: ts.SourceFile;
  /** Parameter name → rank; filled before the body is read. */
  readonly parameters: Map<string, 0 | 1 | 2 | 3>;
  readonly locals: ScopedNames;
  readonly diagnostics: Diagnostic[];
}

/** Names visible at a point of the kernel, each with the name it has in the canonical text. */
export interface ScopedNames {
  readonly lookup: (name: string) => { readonly canonical: string; readonly constant: boolean } | null;
  /** Declares `name` in the innermost scope under a name that no other variable of the kernel has. */
  readonly declare: (name: string, constant: boolean) => string;
  readonly enter: () => void;
  readonly leave: () => void;
}

/** Reports a finding at a node; the result means "could not be read". */
export function refuse(reader: KernelReader, node: ts.Node, code: Code, message: string, hint?: string): null {
  const range = { start: node.getStart(reader.file), end: node.getEnd() };
  reader.diagnostics.push(
    diagnostic(code, { source: reader.source, range }, message, hint === undefined ? {} : { hint }),
  );
  return null;
}

/** Line and column of a node, which count from 1. */
export function placeOf(reader: KernelReader, node: ts.Node): Place {
  return positionAt(reader.source, node.getStart(reader.file));
}

/**
 * gpu.js has one scope per kernel and refuses a second `i`, so every variable gets a unique name: `i`, `i_2`, `i_3`.
 * Names are made of ASCII letters, since shading languages allow no others.
 */
export function scopedNames(reserved: Iterable<string>): ScopedNames {
  const taken = new Set(reserved);
  const scopes: Map<string, { canonical: string; constant: boolean }>[] = [new Map()];
  return {
    lookup: (name) => {
      for (let i = scopes.length - 1; i >= 0; i--) {
        const found = scopes[i]?.get(name);
        if (found) return found;
      }
      return null;
    },
    declare: (name, constant) => {
      const plain = asciiName(name);
      let canonical = plain;
      for (let n = 2; taken.has(canonical); n++) canonical = `${plain}_${n}`;
      taken.add(canonical);
      scopes.at(-1)?.set(name, { canonical, constant });
      return canonical;
    },
    enter: () => void scopes.push(new Map()),
    leave: () => void scopes.pop(),
  };
}

/** `β1` → `u3b2_1`; ASCII names stay as they are. */
export function asciiName(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/gu, (character) => `u${character.codePointAt(0)?.toString(16)}_`);
}
