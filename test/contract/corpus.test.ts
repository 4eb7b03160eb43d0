/** Holds src/contract/formal-fields.ts. */
import { describe, expect, it } from 'vitest';
import { readContracts } from '../../src/contract/validate.ts';
import { corpus, corpusPresent } from './corpus.ts';

// Without the data nothing is checked here, and this name says so.
it.each(corpusPresent ? [] : ['shared data absent: the contracts of other projects were not read'])('%s', () => {
  expect(corpus).toEqual([]);
});

describe.runIf(corpusPresent)('81 contracts that others wrote', () => {
  const { value, diagnostics } = readContracts(corpus);
  const files = (code: string): readonly string[] => [
    ...new Set(
      diagnostics
        .filter((diagnostic) => diagnostic.code === code)
        .map((diagnostic) => diagnostic.span?.source.path.split('/')[1] ?? ''),
    ),
  ];
  const count = (code: string): number => diagnostics.filter((diagnostic) => diagnostic.code === code).length;

  it('are all read', () => {
    expect(corpus).toHaveLength(81);
    expect(value).toHaveLength(81);
  });

  it('have no syntax or schema errors', () => {
    expect(diagnostics.filter((diagnostic) => /^PV-(1|200[1-5])/.test(diagnostic.code))).toEqual([]);
  });

  it('keep every equation, obligation, test and harness', () => {
    const total = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);
    expect(total(value.map((contract) => contract.equations.length))).toBe(281);
    expect(total(value.map((contract) => contract.obligations.length))).toBe(405);
    expect(total(value.map((contract) => contract.falsificationTests.length))).toBe(433);
    expect(total(value.map((contract) => contract.kaniHarnesses.length))).toBe(139);
  });

  it('have errors that a person agrees with', () => {
    expect(files('PV-3021')).toEqual(['layer-parity-v1.yaml', 'tensor-layout-v1.yaml']);
    expect(files('PV-3012')).toEqual([
      'gradient-accumulation-kernel-v1.yaml',
      'knowledge-distillation-kernel-v1.yaml',
      'model-merging-kernel-v1.yaml',
      'pruning-kernel-v1.yaml',
      'training-gpu-kernel-v1.yaml',
      'training-memory-kernel-v1.yaml',
    ]);
    expect(files('PV-3003')).toEqual([
      'memory-profiling-v1.yaml',
      'training-memory-kernel-v1.yaml',
      'gelu-kernel-v1.yaml',
      'linear-projection-v1.yaml',
      'tied-embeddings-v1.yaml',
    ]);
    expect([
      count('PV-3001'),
      count('PV-3002'),
      count('PV-3004'),
      count('PV-3005'),
      count('PV-3006'),
      count('PV-3008'),
    ]).toEqual([30, 0, 0, 8, 0, 0]);
  });

  it('resolve 134 of 139 harnesses, most of them by derived ids', () => {
    expect(count('PV-3003')).toBe(5);
  });

  it('list what pv does not interpret in six files', () => {
    expect(files('PV-2006')).toHaveLength(6);
  });

  it('have findings with places inside their files', () => {
    for (const { span, code } of diagnostics) {
      if (!span) throw new Error('a finding without a place');
      expect(span.range.start).toBeLessThan(span.source.text.length);
      expect(span.range.end).toBeGreaterThan(span.range.start);
      // Notation may end at the end of a line.
      if (code !== 'PV-3015') expect(span.source.text.slice(span.range.start, span.range.end).trim()).not.toBe('');
    }
  });

  it('have formal fields whose offsets point at their own text', () => {
    const texts = value.flatMap((contract) => [
      ...contract.equations.flatMap((equation) => [
        equation.formula,
        equation.domain,
        equation.codomain,
        ...equation.invariants,
      ]),
      ...contract.obligations.map((obligation) => obligation.formal),
      ...contract.falsificationTests.map((test) => test.prediction),
    ]);
    for (const text of texts) {
      if (!text) continue;
      for (const match of text.text.matchAll(/\S+/g)) {
        const offset = text.offsetInSource(match.index);
        const first = match[0][0] ?? '';
        expect(['\\', first]).toContain(text.span.source.text[offset]);
      }
    }
  });
});
