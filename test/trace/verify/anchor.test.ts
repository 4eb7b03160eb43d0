/**
 * A declared head, held to what the verifier brings: every check says what it found, and one that fails stands for nothing.
 *
 * Holds src/notes/tree-head.ts.
 */
import { describe, expect, it } from 'vitest';
import { emptyRoot } from '../../../src/merkle/hash.ts';
import { sha256 } from '../../../src/merkle/sha256.ts';
import { formatCheckpoint } from '../../../src/notes/checkpoint.ts';
import { signTreeHead } from '../../../src/notes/tree-head.ts';
import { checkAnchor, type Anchor, type DeclaredHead } from '../../../src/trace/verify/anchor.ts';
import { noFindings } from '../../../src/trace/verify/check.ts';
import { seededSigner, valueOf } from '../../notes/signers.ts';

const head = { size: 7, root: sha256(Uint8Array.of(7)) };
const other = { size: 7, root: emptyRoot };
const alice = seededSigner('example.org/alice', 1);
const bob = seededSigner('example.org/bob', 2);
const signed = (of = head): string => valueOf(signTreeHead(of, 'example.org/log', [alice, bob], 0));
const alone = (of = head): string => valueOf(formatCheckpoint({ origin: 'example.org/log', ...of, extensions: [] }));
const policy = { keys: [alice.key], threshold: 1 };

/** Outcomes of the checks by name, failed ones by code, and what they come to. */
async function anchored(anchor: Anchor, declared: Partial<DeclaredHead> = {}): Promise<object> {
  const findings = noFindings();
  const { standing, opened } = await checkAnchor({ ...head, checkpoint: null, ...declared }, anchor, findings);
  const codes = new Map(findings.problems.map(({ check, code }) => [check, code]));
  const checks = Object.fromEntries(findings.checks.map(({ name, outcome }) => [name, codes.get(name) ?? outcome]));
  // Whatever is a problem is a failed check, and nothing else is.
  expect(findings.checks.filter(({ outcome }) => outcome === 'failed')).toHaveLength(findings.problems.length);
  return { checks, standing, ...(opened === null ? {} : { by: opened.signedBy.map(({ name }) => name) }) };
}

describe('what holds', () => {
  it.each<[string, Anchor, Partial<DeclaredHead>, object]>([
    ['nothing', {}, {}, { checks: {}, standing: 'nothing' }],
    ['a size alone', { size: 7 }, {}, { checks: { size: 'passed' }, standing: 'nothing' }],
    ['a root', { root: head.root }, {}, { checks: { root: 'passed' }, standing: 'given root' }],
    ['a root and a size', head, {}, { checks: { root: 'passed', size: 'passed' }, standing: 'given root and size' }],
    [
      'a checkpoint without signatures',
      { checkpoint: alone(), origin: 'example.org/log' },
      {},
      { checks: { checkpoint: 'passed', origin: 'passed' }, standing: 'given checkpoint' },
    ],
    [
      'a signed one whose signatures nobody demands',
      { checkpoint: signed() },
      {},
      { checks: { checkpoint: 'passed', signatures: 'not checked' }, standing: 'given checkpoint' },
    ],
    [
      'its own checkpoint by its own word',
      {},
      { checkpoint: signed() },
      { checks: { checkpoint: 'passed', signatures: 'not checked' }, standing: 'nothing' },
    ],
    [
      'its own checkpoint, signed by a trusted key',
      { policy },
      { checkpoint: signed() },
      { checks: { checkpoint: 'passed', signatures: 'passed' }, standing: 'signatures', by: ['example.org/alice'] },
    ],
    [
      'a given checkpoint instead of its own',
      { checkpoint: signed(), policy },
      { checkpoint: signed(other) },
      { checks: { checkpoint: 'passed', signatures: 'passed' }, standing: 'signatures', by: ['example.org/alice'] },
    ],
  ])('is said of %s', async (_, anchor, declared, expected) => {
    expect(await anchored(anchor, declared)).toEqual(expected);
  });
});

describe('a signature that does not hold proves nothing', () => {
  it('and is named beside what was expected', async () => {
    const findings = noFindings();
    await checkAnchor({ ...head, checkpoint: signed({ ...head, size: 6 }) }, {}, findings);
    expect(findings.problems).toMatchObject([{ check: 'checkpoint size', expected: '6', actual: '7' }]);
    expect(findings.problems[0]?.message).toContain('what the checkpoint in the file counts');
    const given = noFindings();
    await checkAnchor({ ...head, checkpoint: null }, { checkpoint: alone(other) }, given);
    expect(given.problems[0]?.message).toContain('The root of the given checkpoint');
  });

  it.each<[string, Anchor, Partial<DeclaredHead>, Record<string, string>]>([
    ['another root', { root: other.root, size: 7 }, {}, { root: 'PV-8060', size: 'passed' }],
    ['another size', { root: head.root, size: 8 }, {}, { root: 'passed', size: 'PV-8060' }],
    ['a checkpoint of another root', { checkpoint: alone(other) }, {}, { 'checkpoint root': 'PV-8059' }],
    [
      'a checkpoint of another size with the same root',
      { checkpoint: alone({ ...head, size: 8 }) },
      {},
      { 'checkpoint size': 'PV-8059' },
    ],
    [
      'a signed one of another size with the same root',
      { policy },
      { checkpoint: signed({ ...head, size: 6 }) },
      { 'checkpoint size': 'PV-8059', signatures: 'passed' },
    ],
    [
      'no checkpoint, where signatures are demanded',
      { ...head, policy },
      {},
      {
        root: 'passed',
        size: 'passed',
        signatures: 'PV-8056',
      },
    ],
    [
      'one that nobody signed, where signatures are demanded',
      { checkpoint: alone(), policy },
      { checkpoint: signed() },
      { checkpoint: 'passed', signatures: 'PV-8056' },
    ],
    [
      'another origin',
      { checkpoint: signed(), policy, origin: 'example.org/other' },
      {},
      { checkpoint: 'passed', signatures: 'passed', origin: 'PV-8059' },
    ],
    [
      'no checkpoint, where an origin is demanded',
      { ...head, origin: 'a' },
      {},
      {
        root: 'passed',
        size: 'passed',
        origin: 'PV-8059',
      },
    ],
    [
      'one that is no checkpoint',
      { root: head.root, checkpoint: 'nonsense' },
      {},
      {
        root: 'passed',
        checkpoint: 'PV-8054',
      },
    ],
  ])('%s', async (_, anchor, declared, checks) => {
    expect(await anchored(anchor, declared)).toMatchObject({ checks, standing: 'nothing' });
  });
});
