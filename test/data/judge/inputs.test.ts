/**
 * Given inputs (`inputs.ts`, `input-bounds.ts`): of which kind they must be, and where they must lie.
 *
 * Holds src/data/judge/input-bounds.ts.
 */
import { describe, expect, it } from 'vitest';
import { allowedValues } from '../../../src/data/judge/input-bounds.ts';
import { bindInputs } from '../../../src/data/judge/inputs.ts';
import type { DataSet } from '../../../src/data/read/data-set.ts';
import { claims, modelOf, problemsOf } from './claims.ts';
import { config, log } from './data-sets.ts';

describe('an input of a config', () => {
  it.each<readonly [domain: string, values: Parameters<typeof config>[0], problems: readonly string[]]>([
    ['x ∈ ℝ, 0 < x ≤ 1', { x: 0 }, ['PV-9003 x is 0, and must be > 0']],
    ['x ∈ ℝ, 0 < x ≤ 1', { x: 1 }, []],
    ['x ∈ ℝ, 0 < x ≤ 1', { x: 1.5 }, ['PV-9003 x is 1.5, and must be ≤ 1']],
    ['x ∈ ℝ, 0 ≤ x < 1', { x: 1 }, ['PV-9003 x is 1, and must be < 1']],
    ['x ∈ ℝ, 0 ≤ x < 1', { x: 0 }, []],
    ['x ∈ ℝ, 0 ≤ x < 1', { x: -1 }, ['PV-9003 x is -1, and must be ≥ 0']],
    ['x ∈ ℝ', { x: NaN }, ['PV-9003 x is NaN, and a finite number is needed']],
    ['x ∈ ℝ', { x: Infinity }, ['PV-9003 x is Infinity, and a finite number is needed']],
    ['x ∈ F64_ext', { x: Infinity }, []],
    ['x ∈ ℤ, y ∈ ℤ, x ≤ y', { x: 3, y: 2 }, ['PV-9003 y is 2, and must be ≥ x = 3']],
    ['x ∈ ℤ, y ∈ ℤ, x ≤ y', { x: 2, y: 2 }, []],
    ['x ∈ ℤ, y ∈ ℤ, x ≤ y', { x: 3 }, []],
    ['x ∈ ℤ, y ∈ ℤ, x ≤ y', { y: 3 }, []],
    ['x ∈ {1, 2}', { x: 3 }, ['PV-9003 x is 3, and must be one of 1, 2']],
    ['x ∈ {1, 2}', { x: 2 }, []],
    ['x ∈ ℝ, x ≠ 0', { x: 0 }, ['PV-9003 x must not be 0']],
    ['x ∈ ℝ, x ≠ 0', { x: 1 }, []],
    ['x ∈ ℝ, x ≥ 1/2', { x: 0.25 }, ['PV-9003 x is 0.25, and must be ≥ 1 / 2 = 0.5']],
    ['x ∈ ℤ', { x: 1.5 }, ["PV-9002 x is '1.5', which is not a whole number"]],
    [
      'x ∈ ℤ',
      { x: 9007199254740992 },
      ["PV-9002 x is '9007199254740992', and whole numbers are read up to 9007199254740991"],
    ],
    ['x ∈ ℤ', { x: 'four' }, ["PV-9002 x is 'four', and a whole number is needed"]],
    ['x ∈ ℤ', { x: true }, ["PV-9002 x is 'true', and a whole number is needed"]],
    ['x ∈ ℝ', { x: 'four' }, ["PV-9002 x is 'four', and a number is needed"]],
    ['x ∈ ℝ', { x: 2 }, []],
  ])('over %s, of %o: %o', (domain, values, problems) => {
    expect(problemsOf(domain, config(values))).toEqual(problems);
  });
});

describe('a truth value that is taken from a column', () => {
  it.each<readonly [data: DataSet, given: boolean | undefined]>([
    [log({ grad_norm: [1, 2] }), true],
    [log({ loss: [1, 2] }), false],
    [config({ loss: 1 }), undefined],
  ])('says whether the rows have it, if there are rows: %#', (data, given) => {
    const contract = claims('log', 'x ∈ Bool', ['x'], ['x: { from: log.grad_norm }']);
    const found = bindInputs(contract.contract, modelOf(contract), [data], new Map()).given.get('x');
    expect(found?.kind === 'scalar' ? found.value : undefined).toBe(given);
  });
});

describe('a problem with an input', () => {
  it.each<readonly [values: Readonly<Record<string, number | string>>, at: readonly (readonly [string, number])[]]>([
    [{ y: 0, x: 3 }, [['train.yaml', 2]]],
    [{ y: 0, x: 'three' }, [['train.yaml', 2]]],
  ])('has the place of the value: %o', (values, at) => {
    const contract = claims('config', 'x ∈ ℝ, x ≤ 1', ['x ≤ 1']);
    const { problems } = bindInputs(contract.contract, modelOf(contract), [config(values)], new Map());
    expect(problems.map(({ place }) => place && [place.path, place.at])).toEqual(at);
  });

  it('has none if the command line gives the value', () => {
    const contract = claims('config', 'x ∈ ℝ, x ≤ 1', ['x ≤ 1']);
    const { problems } = bindInputs(contract.contract, modelOf(contract), [], new Map([['x', 3]]));
    expect(problems).toEqual([
      { input: 'x', code: 'PV-9003', message: 'x is 3, and must be ≤ 1', hint: null, place: null },
    ]);
  });

  it('has the place of the first row at fault, of those that have the value', () => {
    const contract = claims('log', 'v ∈ F64^T, 0 < v_t ≤ 3', ['v_t ≤ 2']);
    const { problems } = bindInputs(contract.contract, modelOf(contract), [log({ v: [1, null, 7, 9] })], new Map());
    expect(problems).toMatchObject([
      { message: 'v is 7, and must be ≤ 3 (row 3 of 4)', place: { path: 'run.jsonl', position: 'line', at: 3 } },
    ]);
  });
});

describe('a number in the place of a given one', () => {
  it.each<readonly [domain: string, value: number, allowed: boolean]>([
    ['x ∈ ℝ, 0 < x ≤ 1, y ∈ ℝ', 0.5, true],
    ['x ∈ ℝ, 0 < x ≤ 1, y ∈ ℝ', 0, false],
    ['x ∈ ℝ, y ∈ ℝ, x ≤ y', 3, true],
    ['x ∈ ℝ, y ∈ ℝ, x ≤ y', 4, false],
    ['x ∈ ℝ, y ∈ ℝ, y ≤ x', 3, true],
    ['x ∈ ℝ, y ∈ ℝ, y ≤ x', 2, false],
    ['x ∈ ℝ, y ∈ ℝ, y ≠ x', 3, false],
    ['x ∈ ℝ, y ∈ ℝ, y ≠ x', 4, true],
    ['x ∈ ℝ, z ∈ ℝ, y ∈ ℝ, z ≤ x', -9, true],
  ])('over %s, %d for x where y is 3: %s', (domain, value, allowed) => {
    const contract = claims('config', domain, ['x + y ≤ 100']);
    const { given } = bindInputs(
      contract.contract,
      modelOf(contract),
      [config({ x: domain.includes('y ≤ x') ? 5 : 1, y: 3 })],
      new Map(),
    );
    expect(allowedValues(modelOf(contract), given, 'x')(value)).toBe(allowed);
  });
});

describe('where an input is found', () => {
  const contract = claims('config', 'x ∈ ℝ, y ∈ ℝ', ['x + y ≤ 1'], ['x: { from: rate, default: 5 }']);
  const bind = (sets: readonly DataSet[], settings: Readonly<Record<string, number>> = {}) =>
    bindInputs(contract.contract, modelOf(contract), sets, new Map(Object.entries(settings)));
  const scalar = (bound: ReturnType<typeof bind>, name: string) => {
    const found = bound.given.get(name);
    return found?.kind === 'scalar' ? [found.value, found.written?.place.path ?? null] : null;
  };

  it('in a setting first, under either name, then in the files in their order', () => {
    const files = [config({ y: 1 }, 'a.yaml'), config({ rate: 2, y: 3 }, 'b.yaml'), config({ rate: 4 }, 'c.yaml')];
    expect(scalar(bind(files), 'x')).toEqual([2, 'b.yaml']);
    expect(scalar(bind(files), 'y')).toEqual([1, 'a.yaml']);
    expect(scalar(bind(files, { x: 7 }), 'x')).toEqual([7, null]);
    expect(scalar(bind(files, { rate: 8 }), 'x')).toEqual([8, null]);
    expect(scalar(bind([config({ y: 1 })]), 'x')).toBeNull();
  });

  it('among keys that no format has a use for, by its exact name', () => {
    const unused = [...config({ rate: 9 }).values.values()].map((one) => ({ ...one, key: 'rate' }));
    expect(scalar(bind([{ ...config({ y: 1 }), unused }]), 'x')).toEqual([9, 'train.yaml']);
  });

  it('in the defaults of the framework last', () => {
    const defaults = new Map([['rate', { value: 6, key: 'learning_rate', of: 'a trainer' }]]);
    const bound = bind([{ ...config({ y: 1 }), defaults }]);
    expect(scalar(bound, 'x')).toEqual([6, null]);
    expect(bound.given.get('x')).toMatchObject({ byDefault: { of: 'a trainer' } });
    expect(scalar(bind([{ ...config({ rate: 1 }), defaults }]), 'x')).toEqual([1, 'train.yaml']);
  });

  it('nowhere, where a key looks like it: no default is used then', () => {
    const unused = [...config({ rates: 9 }).values.values()].map((one) => ({ ...one, key: 'rates' }));
    const { given, unusable } = bind([{ ...config({ y: 1 }), unused }]);
    expect(given.has('x')).toBe(false);
    expect(unusable.get('x')).toBe("is not known, and no default is used: 'rates' at train.yaml:1 looks like rate");
  });

  it('nowhere, where what the data say of it is not understood, unless it is found all the same', () => {
    const [written] = config({ rate: 2 }).values.values();
    if (!written) throw new Error('there is a value');
    const doubts = new Map([['rate', { scalar: { ...written, key: 'rate' }, why: 'is said twice' }]]);
    const doubtful = bind([{ ...config({ y: 1 }), doubts }]);
    expect(doubtful.given.has('x')).toBe(false);
    expect(doubtful.unusable.get('x')).toContain("'rate' at train.yaml:1 is said twice");
    expect(bind([{ ...config({ rate: 2, y: 1 }), doubts }]).unusable.has('x')).toBe(false);
    expect(bind([{ ...config({ y: 1 }), doubts }], { x: 3 }).unusable.has('x')).toBe(false);
  });

  it('of an input without a default a doubt says nothing, but for a contradiction', () => {
    const [written] = config({ limit: 2 }).values.values();
    if (!written) throw new Error('there is a value');
    const doubt = { scalar: { ...written, key: 'limit' }, why: 'is unclear' };
    const unclear = bind([{ ...config({ rate: 1 }), doubts: new Map([['y', doubt]]) }]);
    expect(unclear.unusable.has('y')).toBe(false);
    const contradicted = bind([
      { ...config({ rate: 1 }), doubts: new Map([['y', { ...doubt, isContradicted: true }]]) },
    ]);
    expect(contradicted.unusable.has('y')).toBe(true);
  });

  it('not known where the file says it in a way that was not read', () => {
    const [written] = config({ rate: 2 }).values.values();
    if (!written) throw new Error('there is a value');
    const values = new Map([['rate', { ...written, unread: 'it is written twice' }]]);
    const bound = bind([{ ...config({ y: 1 }), values }]);
    expect(bound.problems).toMatchObject([
      {
        code: 'PV-7041',
        message: 'x is not known: it is written twice',
        hint: 'give it with --set x=…',
        place: { path: 'train.yaml', at: 1 },
      },
    ]);
    expect(bound.given.has('x')).toBe(false);
  });

  it('refuses settings that no value takes, and those of columns', () => {
    const stated = claims('log', 'loss ∈ F64^T, limit ∈ ℝ', ['loss_t ≤ limit']);
    const { problems } = bindInputs(
      stated.contract,
      modelOf(stated),
      [log({ loss: [1] })],
      new Map([
        ['loss', 1],
        ['limits', 2],
        ['limit', 3],
      ]),
    );
    expect(problems.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      ['PV-9004', 'loss is a column of test-v1, and --set gives single values', 'the values that it takes are limit'],
      ['PV-9004', "test-v1 has no input 'limits'", 'the values that it takes are limit'],
    ]);
  });
});

describe('where a column is found', () => {
  const tabled = (name: string, set: DataSet): DataSet => ({
    ...set,
    tables: new Map([...set.tables.values()].map((table) => [name, { ...table, name }])),
  });
  const found = (from: string, sets: readonly DataSet[]) => {
    const contract = claims('log', 'v ∈ F64^T', ['v_t ≤ 1'], [`v: { from: ${from} }`]);
    const column = bindInputs(contract.contract, modelOf(contract), sets, new Map()).given.get('v');
    return column?.kind === 'column' ? `${column.path} ${column.table.name}` : null;
  };
  const files = [
    tabled('kernels', log({ bytes: [1] }, 'a.json')),
    tabled('transfers', log({ bytes: [1] }, 'b.json')),
    log({ loss: [1] }, 'c.jsonl'),
    log({ 'Train/loss.mean': [1], 'train.loss': [1] }, 'd.jsonl'),
  ];

  it.each([
    ['bytes', 'a.json kernels'],
    ['transfers.bytes', 'b.json transfers'],
    ['log.bytes', null],
    ['loss', 'c.jsonl log'],
    ['transfers.loss', null],
    ['Train/loss.mean', 'd.jsonl log'],
    ['train.loss', null],
  ])('%s: %s', (from, expected) => expect(found(from, files)).toBe(expected));

  it('in the rows of training before any other table of the file', () => {
    const both: DataSet = {
      ...log({ step: [1] }, 'd.jsonl'),
      tables: new Map([...tabled('kernels', log({ step: [1] })).tables, ...log({ step: [1] }).tables]),
    };
    expect(found('step', [both])).toBe('d.jsonl log');
  });
});
