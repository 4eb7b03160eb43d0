/** Holds src/report/claim-story.ts, src/report/xml.ts. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { afterAll, describe, expect, test } from 'vitest';
import { isGreen, verdicts } from '../../src/evidence/verdict.ts';
import { formatJunit } from '../../src/report/junit.ts';
import { anyText, withText } from './hostile-reports.ts';
import { claimReport, contractReport, everyVerdict, nothing, reportOf, samples } from './sample-reports.ts';

const schemaDocument = XmlDocument.fromString(readFileSync(new URL('junit.xsd', import.meta.url), 'utf8'));
const schema = XsdValidator.fromDoc(schemaDocument);

afterAll(() => {
  schema.dispose();
  schemaDocument.dispose();
});

/** What libxml2 finds wrong with a document, or null. */
function fault(xml: string): string | null {
  try {
    const document = XmlDocument.fromString(xml);
    try {
      schema.validate(document);
    } finally {
      document.dispose();
    }
    return null;
  } catch (error) {
    return String(error);
  }
}

describe('junit', () => {
  test('a run without anything to verify is not a passed one', () => {
    expect(formatJunit(nothing)).toContain('tests="1" failures="1"');
    expect(formatJunit(reportOf([contractReport('empty', [])]))).toContain('declares no claim');
  });

  test('every verdict is passed, failed, an error or skipped; only green ones pass', () => {
    for (const verdict of verdicts) {
      const xml = formatJunit(reportOf([contractReport('c', [claimReport({ verdict })])]));
      expect(/<(?:failure|error|skipped)/.test(xml), verdict).toBe(!isGreen(verdict));
    }
  });

  test('numbers in the heads are those of the cases', () => {
    const xml = formatJunit(everyVerdict);
    const [, tests, failures, errors, skipped] =
      /<testsuites name="pv" tests="(\d+)" failures="(\d+)" errors="(\d+)" skipped="(\d+)">/.exec(xml) ?? [];
    const number = (pattern: RegExp): string => String(xml.match(pattern)?.length);
    expect([tests, failures, errors, skipped]).toEqual([
      number(/<testcase/g),
      number(/<failure/g),
      number(/<error/g),
      number(/<skipped/g),
    ]);
  });

  test.each(samples)('%s: valid by the schema', (_, report) => {
    expect(fault(formatJunit(report))).toBeNull();
  });

  test('is valid for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => void expect(fault(formatJunit(withText(text)))).toBeNull()),
      { numRuns: 300 },
    );
  });

  test.each([
    ['text that is cut off', (xml: string) => xml.slice(0, -20)],
    ['a control character', (xml: string) => xml.replace('classname="', 'classname="\u0001')],
    ['a bare ampersand', (xml: string) => xml.replace('name="pv"', 'name="p&v"')],
    ['an unknown outcome', (xml: string) => xml.replaceAll('<failure', '<fault').replaceAll('</failure>', '</fault>')],
    ['a line that is no line', (xml: string) => xml.replace(/line="\d+"/, 'line="0"')],
    ['a missing count', (xml: string) => xml.replace(/ errors="\d+"/, '')],
    ['a case without a suite', (xml: string) => xml.replaceAll(/ *<\/?testsuite .*\n| *<\/testsuite>\n/g, '')],
  ])('the check finds %s', (_, spoil) => {
    const xml = formatJunit(everyVerdict);
    expect(spoil(xml)).not.toBe(xml);
    expect(fault(spoil(xml))).not.toBeNull();
  });
});
