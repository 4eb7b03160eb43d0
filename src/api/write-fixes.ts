import { resolve } from 'node:path';
import { err, type Result } from '../base/result.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import type { FileProblem, Host } from '../host/host.ts';
import { projectFiles } from '../host/project-files.ts';
import { applyEdits, compatible, type Edit } from '../scan/edits.ts';
import type { Finding } from '../scan/scan.ts';

/** How much was written: fixes that were applied, and the files that they changed. */
export interface Fixed {
  readonly fixes: number;
  readonly files: number;
  /** Files that could not be written. */
  readonly problems: readonly Diagnostic[];
}

/**
 * Writes the fixes of findings to their files, each file atomically; overlapping fixes wait for the next run.
 *
 * Only files inside `named`, the files and folders on the command line, are written, because a link in them may lead anywhere.
 */
export async function writeFixes(host: Host, named: readonly string[], findings: readonly Finding[]): Promise<Fixed> {
  const byFile = new Map<SourceFile, (readonly Edit[])[]>();
  for (const { diagnostic: found, fix } of findings) {
    if (!fix || !found.span || !isWritable(found.span.source)) continue;
    const fixes = byFile.get(found.span.source) ?? [];
    fixes.push(fix);
    byFile.set(found.span.source, fixes);
  }
  let [written, files] = [0, 0];
  const problems: Diagnostic[] = [];
  for (const [source, fixes] of byFile) {
    const some = compatible(fixes);
    const result = await writeInside(host, named, source.path, applyEdits(source.text, some.flat()));
    if (result.ok) {
      written += some.length;
      files += 1;
    } else
      problems.push(
        diagnostic('PV-8002', null, `'${source.path}' cannot be written: ${result.error.message}`, {
          subject: source.path,
        }),
      );
  }
  return { fixes: written, files, problems };
}

async function writeInside(
  host: Host,
  named: readonly string[],
  path: string,
  text: string,
): Promise<Result<void, FileProblem>> {
  const absolute = resolve(host.root, path);
  let problem: FileProblem = { kind: 'outside', path, message: 'is outside the paths that were named' };
  for (const place of named) {
    const written = await projectFiles(host, place).write(absolute, text);
    if (written.ok) return written;
    problem = written.error;
  }
  return err(problem);
}

/** Bytes that are not UTF-8 would be lost when the text is written back. */
const isWritable = ({ text }: SourceFile): boolean => !text.includes('\uFFFD');
