/**
 * The reports that golden files and browser checks are made from.
 */
import type { Counterexample, MutantOutcome, RecordedInput, WorstCase } from '../../src/evidence/receipt.ts';
import { countByVerdict } from '../../src/evidence/summary.ts';
import { isGreen, isRefuted, verdicts, type Verdict } from '../../src/evidence/verdict.ts';
import type { ClaimReport, ContractReport, EquationReport, MethodReport, Report } from '../../src/report/report.ts';

const input: RecordedInput = {
  sizes: { n: 3 },
  values: { x: { hex: 'f32:0000b0420000b2420000b442', text: '[88, 89, 90]' } },
};

const counterexample: Counterexample = {
  input,
  explanation: 'left = 0.9950000047683716, right = 1, |difference| = 0.005 > allowed 1.8e-7 (6e-8 per n)',
  shrinks: 41,
  outputs: ['softmax = [0.09, 0.24, 0.665]'],
};

const ofEquation: Counterexample = {
  input,
  explanation: '0 ≤ σ(x)_i: left = 0, right = NaN',
  shrinks: 12,
  outputs: ['[NaN, NaN, NaN]'],
  kernel: { outputs: ['[0.09003058, 0.24472849, 0.66524094]'], broken: null },
};

const worst: WorstCase = { error: 5.6e-8, allowed: 6e-8, ratio: 0.9333333333333333, input };

export function methodReport(changes: Partial<MethodReport> = {}): MethodReport {
  return {
    method: 'property',
    verdict: 'tested',
    backend: 'gpujs-webasm',
    device: 'wasm',
    cases: 10_000,
    declaredCases: 10_000,
    filtered: 0,
    seed: 7,
    worst,
    reason: null,
    check: `sha256:${'ab'.repeat(32)}`,
    ...changes,
  };
}

export function claimReport(changes: Partial<ClaimReport> = {}): ClaimReport {
  const verdict = changes.verdict ?? 'tested';
  return {
    id: 'SM-INV-001',
    source: 'obligation',
    type: 'invariant',
    property: 'Outputs sum to one',
    formal: '|Σ_i σ(x)_i - 1| ≤ ε',
    tolerance: 'abs 6e-8 per n',
    verdict,
    level: isGreen(verdict) ? 'L3' : 'L0',
    scope: '10,000 cases, seed 7, float32 on gpujs-webasm, n ≤ 512',
    reason: null,
    ifFails: null,
    methods: isGreen(verdict) ? [methodReport()] : [],
    counterexample: null,
    kills: isGreen(verdict) ? { killed: 12, total: 14 } : null,
    reproduce: 'pv verify contracts/softmax-kernel-v1.yaml --only SM-INV-001 --seed 7',
    file: 'contracts/softmax-kernel-v1.yaml',
    line: 21,
    ...changes,
  };
}

const softmax: EquationReport = {
  name: 'softmax',
  formula: 'σ(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))',
  latex: '\\sigma(x)_i = \\frac{\\exp(x_i - \\max(x))}{\\sum_j \\exp(x_j - \\max(x))}',
  status: 'executable',
  reason: null,
  kernel: 'softmax (src/kernels/softmax.ts:12)',
};

export function contractReport(
  id: string,
  claims: readonly ClaimReport[],
  changes: Partial<ContractReport> = {},
): ContractReport {
  const evaluated = claims.filter((claim) => claim.methods.length > 0).length;
  const weakest = verdicts.find((verdict) => claims.some((claim) => claim.verdict === verdict)) ?? 'undetermined';
  return {
    id,
    about: 'kernels',
    path: `contracts/${id}.yaml`,
    version: '1.0.0',
    description: null,
    references: ['Milakov & Gimelshein 2018, Online normalizer calculation for softmax'],
    dependsOn: [],
    verdict: weakest,
    level: isGreen(weakest) ? 'L3' : 'L0',
    passes: isGreen(weakest),
    reason: null,
    declared: claims.length,
    evaluated,
    failed: claims.filter(({ verdict }) => isRefuted(verdict)).length,
    sound: true,
    adequacy: null,
    gpu: null,
    equations: [],
    claims,
    ...changes,
  };
}

export function reportOf(
  contracts: readonly ContractReport[],
  gate: Partial<Report['gate']> = {},
  findings: Report['findings'] = [],
): Report {
  const read = new Set(contracts.map(({ id }) => id));
  const claims = contracts.flatMap((contract) => contract.claims);
  const sum = (of: (contract: ContractReport) => number): number =>
    contracts.reduce((total, contract) => total + of(contract), 0);
  const byVerdict = countByVerdict(claims.map(({ verdict }) => verdict));
  return {
    schema: 'pv.report/1',
    tool: { name: 'pv', version: '0.1.0' },
    contracts,
    edges: contracts.flatMap(({ id, dependsOn }) => dependsOn.map((to) => ({ from: id, to, missing: !read.has(to) }))),
    findings,
    totals: {
      declared: sum((c) => c.declared),
      evaluated: sum((c) => c.evaluated),
      failed: sum((c) => c.failed),
      byVerdict,
    },
    gate: {
      judged: true,
      passed: claims.length > 0 && claims.every(({ verdict }) => isGreen(verdict)),
      minimumLevel: 'L2',
      reasons: [],
      ...gate,
    },
  };
}

export const survivor: MutantOutcome = {
  mutant: 'kernel:3:20 i < n → i < n - 1',
  killedBy: [],
  killedByOrdinary: [],
  equivalent: null,
  separatingInput: input,
  separatingOutputs: { right: '[0.25, 0.25]', wrong: '[0.5, 0]' },
};
const equivalent: MutantOutcome = {
  mutant: 'equation:max(x) → x_0',
  killedBy: [],
  killedByOrdinary: [],
  equivalent: 'any shift gives the same quotient',
  separatingInput: null,
  separatingOutputs: null,
};

export const allGreen: Report = reportOf([
  contractReport(
    'softmax-kernel-v1',
    [
      claimReport({
        id: 'SM-EQV-001',
        type: 'equivalence',
        property: 'The kernel computes the equation',
        formal: 'σ(x) ≈ σ_ref(x)',
        tolerance: 'abs 1e-44, cond 8',
        line: 15,
      }),
      claimReport(),
      claimReport({
        id: 'FALSIFY-SM-002',
        source: 'falsification',
        type: null,
        property: 'Large inputs do not overflow',
        formal: 'σ(x)_i ≥ 0',
        tolerance: null,
        level: 'L2',
        line: 40,
      }),
    ],
    {
      description: 'Softmax over the last axis, shifted by its maximum',
      level: 'L2',
      equations: [softmax],
      adequacy: { killed: 41, total: 41, equivalent: [equivalent], survivors: [], uncompared: [] },
      gpu: { standing: 'verified', devices: ['SwiftShader', 'llvmpipe'], failedOn: [] },
    },
  ),
  contractReport(
    'attention-kernel-v1',
    [
      claimReport({
        id: 'ATT-EQV-001',
        verdict: 'proved',
        level: 'L4',
        property: 'Attention of a single key is the value',
        line: 18,
      }),
    ],
    {
      dependsOn: ['softmax-kernel-v1'],
      verdict: 'tested',
      level: 'L2',
      reason: 'softmax-kernel-v1 is tested at L2 only',
      adequacy: { killed: 30, total: 30, equivalent: [], survivors: [], uncompared: [] },
      gpu: { standing: 'not run', devices: [], failedOn: [] },
    },
  ),
]);

const reasons: Readonly<Partial<Record<Verdict, string>>> = {
  vacuous: 'it catches 0 of 14 wrong kernels',
  incomplete: '4,211 of 10,000 cases were run: the time budget ran out',
  undetermined: 'an application under a bound index is not executable yet',
  stale: 'the property evidence is of another version of the contract, the kernel or pv',
  unbound: 'no kernel is bound to softmax',
  prose: 'notation ends after "Outputs"; expected a relation',
  waived: 'waived by ada: the driver rounds differently, fix expected in 25.2 (falsified: left = 0.99)',
};

const everyClaim = verdicts.map((verdict, i) =>
  claimReport({
    id: `SM-INV-${String(i + 1).padStart(3, '0')}`,
    verdict,
    property: `A claim that is ${verdict}`,
    reason: reasons[verdict] ?? null,
    line: 20 + 8 * i,
    ...(verdict === 'falsified'
      ? {
          counterexample,
          reason: counterexample.explanation,
          ifFails: 'max not subtracted, or the sum is taken over the wrong axis',
          methods: [
            methodReport({
              verdict,
              cases: 312,
              worst: { ...worst, error: 0.005, allowed: 1.8e-7, ratio: 27777.8 },
              reason: counterexample.explanation,
            }),
          ],
          kills: { killed: 12, total: 14 },
        }
      : {}),
    ...(verdict === 'unsound'
      ? {
          counterexample: ofEquation,
          reason: `the equation itself, in float32, breaks the claim: ${ofEquation.explanation}`,
          methods: [methodReport(), methodReport({ method: 'soundness', verdict, backend: 'ref32', worst: null })],
        }
      : {}),
    ...(verdict === 'prose' ? { formal: 'Outputs are well behaved', reproduce: null } : {}),
    ...(verdict === 'vacuous' ? { kills: { killed: 0, total: 14 }, methods: [methodReport({ verdict })] } : {}),
  }),
);

/** Texts that mean something in one format or another. */
export const hostileText =
  'a</script><img src=x onerror=alert(1)> "q" \'s\' `b` [x](y) {z} | # %% & \\n \u001b[31m ]]> --> \u202e é 注意';

export const everyVerdict: Report = reportOf(
  [
    contractReport('softmax-kernel-v1', everyClaim, {
      description: 'Softmax, as one would not want to find it',
      equations: [
        softmax,
        {
          name: 'temperature',
          formula: 'scaled by T, informally',
          latex: null,
          status: 'prose',
          reason: 'not notation',
          kernel: null,
        },
      ],
      sound: false,
      adequacy: {
        killed: 12,
        total: 14,
        equivalent: [equivalent],
        uncompared: ['rmsnorm'],
        survivors: [
          survivor,
          { ...survivor, mutant: 'saboteur:scaled 1.01', separatingInput: null, separatingOutputs: null },
        ],
      },
    }),
    contractReport('attention-kernel-v1', [claimReport({ id: 'ATT-EQV-001' })], {
      dependsOn: ['softmax-kernel-v1', 'rope-kernel-v1'],
      verdict: 'falsified',
      level: 'L0',
      reason: 'softmax-kernel-v1 is falsified',
    }),
    contractReport('matmul-kernel-v1', [claimReport({ id: 'MM-EQV-001', property: 'A·B' })]),
    contractReport(
      `odd ${hostileText}`,
      [
        claimReport({
          id: hostileText,
          property: hostileText,
          formal: hostileText,
          verdict: 'undetermined',
          reason: hostileText,
        }),
      ],
      {
        description: hostileText,
        references: [hostileText],
        equations: [
          {
            ...softmax,
            name: hostileText,
            formula: hostileText,
            latex: '\\undefinedmacro{\\href{javascript:alert(1)}{x}}',
          },
        ],
      },
    ),
  ],
  { reasons: ['softmax-kernel-v1/SM-INV-001 is falsified', '9 of 14 claims are not green', hostileText] },
  [
    {
      code: 'PV-3001',
      severity: 'error',
      message: "depends on 'rope-kernel-v1', which was not read",
      hint: 'add contracts/rope-kernel-v1.yaml',
      path: 'contracts/attention-kernel-v1.yaml',
      start: { line: 4, column: 5 },
      end: { line: 4, column: 19 },
      excerpt: [
        ' --> contracts/attention-kernel-v1.yaml:4:5',
        '  |',
        '4 |   - rope-kernel-v1',
        '  |     ^^^^^^^^^^^^^^',
      ],
    },
    {
      code: 'PV-3011',
      severity: 'warning',
      message: hostileText,
      hint: null,
      path: `contracts/odd ${hostileText}.yaml`,
      start: { line: 9, column: 3 },
      end: null,
      excerpt: [` --> contracts/odd ${hostileText}.yaml:9:3`, '  |', `9 | ${hostileText}`, '  | ^^^'],
    },
    {
      code: 'PV-3014',
      severity: 'note',
      message: 'one obligation is named by no test',
      hint: null,
      path: null,
      start: null,
      end: null,
      excerpt: [],
    },
  ],
);

export const nothing: Report = reportOf([], { reasons: ['no contract was read'] });

export const samples: readonly (readonly [string, Report])[] = [
  ['all-green', allGreen],
  ['every-verdict', everyVerdict],
  ['nothing', nothing],
];

/** As many contracts as a large project has, in a plausible graph. */
export function largeReport(contracts: number): Report {
  return reportOf(
    Array.from({ length: contracts }, (_, i) => {
      const verdict = verdicts[(i * 7) % verdicts.length] ?? 'tested';
      const claims = Array.from({ length: 5 }, (_unused, j) =>
        claimReport({ id: `C${i}-INV-00${j}`, verdict: j === 0 ? verdict : 'tested' }),
      );
      const dependsOn =
        i === 0 || i % 3 === 0
          ? []
          : [`layer-${Math.floor(i / 4)}-kernel-v1`, ...(i % 5 === 0 ? [`layer-${Math.floor(i / 2)}-kernel-v1`] : [])];
      return contractReport(`layer-${i}-kernel-v1`, claims, {
        dependsOn: [...new Set(dependsOn)],
        equations: [softmax],
      });
    }),
  );
}
