import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../diagnostics/source.ts';
import type { Host } from '../../host/host.ts';
import { applyEdits, compatible, type Edit } from '../../scan/edits.ts';
import type { Finding } from '../../scan/scan.ts';

export interface Fixed {
  readonly fixes: number;
  readonly files: number;
  /** Files that could not be written. */
  readonly problems: readonly Diagnostic[];
}

/** Writes the fixes of findings to their files, each file at once; fixes that overlap wait for the next run. */
export async function writeFixes(host: Host, findings: readonly Finding[]): Promise<Fixed> {
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
    const result = await host.writeFileAtomic(source.path, applyEdits(source.text, some.flat()));
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

/** A text with bytes that were not UTF-8 would be written back without them. */
const isWritable = ({ text }: SourceFile): boolean => !text.includes('\uFFFD');
