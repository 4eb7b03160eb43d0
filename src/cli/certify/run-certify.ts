/** `pv certify`: reads the files, decides the property, and prints the verdict. */
import type { Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { unreadable } from '../../api/find-files.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { ballProperty, type Domain, type Example } from '../../training/robustness/ball.ts';
import type { Method } from '../../training/robustness/bounds.ts';
import { certifyStepwise, type CertifyOptions, type Verdict } from '../../training/robustness/certify.ts';
import { createEvaluator } from '../../training/robustness/evaluate.ts';
import type { Network } from '../../training/robustness/network.ts';
import { readOnnx } from '../../training/robustness/onnx/read-onnx.ts';
import type { Property } from '../../training/robustness/property.ts';
import { certifiedRadius, type CertifiedRadius } from '../../training/robustness/radius.ts';
import type { Arithmetic } from '../../training/robustness/rounding.ts';
import { readVnnlib } from '../../training/robustness/vnnlib/read-vnnlib.ts';
import { print, say, type Cli } from '../cli.ts';
import { nextTurns } from '../event-loop.ts';
import { sayDiagnostics } from '../say-diagnostics.ts';
import { sayProblem } from '../problem-text.ts';
import { readExamples } from './read-examples.ts';
import { certifyJson, certifyText, vacuousJson, vacuousText, type Finding } from './verdict-text.ts';

export type CertifyFlags = {
  readonly epsilon?: number;
  readonly input?: string;
  readonly label?: number;
  readonly domain?: Domain;
  readonly radius: boolean;
  readonly method: Method;
  readonly arithmetic?: Arithmetic;
  readonly timeout: number;
  readonly boxes: number;
  readonly format: 'text' | 'json';
};

/** A network of a hundred million weights. */
const largestNetwork = 1024 ** 3;
const largestText = 256 * 1024 ** 2;

export async function runCertify(
  cli: Cli,
  flags: CertifyFlags,
  networkPath: string,
  propertyPath: string | undefined,
): Promise<ExitCode> {
  const misuse = misuseOf(flags, propertyPath);
  if (misuse !== null) {
    say(cli, `pv: ${misuse}`);
    return exitCodes.usage;
  }
  const bytes = await cli.host.readBytes(networkPath, { maxBytes: largestNetwork, pipes: true });
  if (!bytes.ok) return unusable(cli, unreadable(bytes.error));
  const claimPath = propertyPath ?? flags.input ?? '';
  const text = await cli.host.readText(claimPath, { maxBytes: largestText, pipes: true });
  if (!text.ok) return unusable(cli, unreadable(text.error));
  const start = cli.host.monotonicMs();
  const network = readOnnx(bytes.value, () => cli.host.monotonicMs() - start < 1000 * flags.timeout);
  if (!network.ok) return faulty(cli, network.error, networkPath);
  const findings =
    propertyPath === undefined
      ? await certifyBalls(cli, flags, network.value, text.value)
      : await certifyFile(cli, flags, network.value, text.value);
  if (findings === null) return exitCodes.interrupted;
  const shown = {
    network: networkPath,
    claim: claimPath,
    readAs: network.value.readAs ?? [],
    ...(flags.epsilon !== undefined && { epsilon: flags.epsilon }),
  };
  if (!findings.ok) {
    if (findings.error.code === 'PV-8312')
      print(cli, flags.format === 'json' ? vacuousJson(shown, findings.error) : vacuousText(shown));
    return faulty(cli, findings.error, claimPath);
  }
  print(cli, flags.format === 'json' ? certifyJson(shown, findings.value) : certifyText(shown, findings.value));
  return findings.value.every(({ verdict }) => verdict.verdict === 'holds') ? exitCodes.ok : exitCodes.findings;
}

function misuseOf(flags: CertifyFlags, propertyPath: string | undefined): string | null {
  const isBall = flags.epsilon !== undefined || flags.input !== undefined;
  if (propertyPath === undefined && (flags.epsilon === undefined || flags.input === undefined))
    return 'nothing to certify: give a property (pv certify net.onnx property.vnnlib), or both --epsilon and --input';
  if (propertyPath !== undefined && (isBall || flags.label !== undefined || flags.domain !== undefined || flags.radius))
    return 'a property file defines its own inputs: omit --epsilon, --input, --label, --domain and --radius';
  return null;
}

function unusable(cli: Cli, diagnostic: Parameters<typeof sayDiagnostics>[1][number]): ExitCode {
  sayDiagnostics(cli, [diagnostic]);
  return exitCodes.usage;
}

function faulty(cli: Cli, problem: Problem, path: string): ExitCode {
  sayProblem(cli, problem, path);
  return exitCodes.findings;
}

const optionsOf = (cli: Cli, flags: CertifyFlags): CertifyOptions => ({
  method: flags.method,
  ...(flags.arithmetic && { arithmetic: flags.arithmetic }),
  maxBoxes: flags.boxes,
  maxMilliseconds: 1000 * flags.timeout,
  now: () => cli.host.monotonicMs(),
});

async function certifyFile(
  cli: Cli,
  flags: CertifyFlags,
  network: Network,
  text: string,
): Promise<Result<readonly Finding[], Problem> | null> {
  const property = readVnnlib(text);
  if (!property.ok) return property;
  const verdict = await decide(cli, flags, network, property.value);
  const { emptyCases = 0 } = property.value;
  return verdict?.ok ? ok([{ example: null, label: null, verdict: verdict.value, radius: null, emptyCases }]) : verdict;
}

async function certifyBalls(
  cli: Cli,
  flags: CertifyFlags,
  network: Network,
  text: string,
): Promise<Result<readonly Finding[], Problem> | null> {
  const evaluate = createEvaluator(network);
  const examples = readExamples(text, network, flags.label, (input) => largestScore(evaluate(input)));
  if (!examples.ok) return examples;
  const findings: Finding[] = [];
  for (const [index, example] of examples.value.entries()) {
    const property = ballProperty(network.outputSize, example, flags.epsilon ?? 0, flags.domain);
    if (!property.ok) return property;
    const verdict = await decide(cli, flags, network, property.value);
    if (!verdict?.ok) return verdict;
    const radius = flags.radius ? radiusOf(cli, flags, network, example) : null;
    if (radius && !radius.ok) return radius;
    findings.push({
      example: index,
      label: example.label,
      verdict: verdict.value,
      radius: radius?.value ?? null,
      emptyCases: 0,
    });
  }
  return ok(findings);
}

function radiusOf(cli: Cli, flags: CertifyFlags, network: Network, example: Example): Result<CertifiedRadius, Problem> {
  const { domain, epsilon = 0, boxes } = flags;
  // Each radius gets a share of the time. By default, only proofs with one box are tried.
  const maxBoxes = boxes === 1_000_000 ? 1 : boxes;
  return certifiedRadius(network, example, {
    ...optionsOf(cli, flags),
    maxMilliseconds: 50 * flags.timeout,
    maxBoxes,
    upTo: epsilon,
    ...(domain && { domain }),
  });
}

const largestScore = (scores: Float64Array): number =>
  scores.reduce((best, score, k) => (score > (scores[best] ?? 0) ? k : best), 0);

/** The verdict, computed in slices so that Ctrl-C is noticed in between; null after Ctrl-C. */
async function decide(
  cli: Cli,
  flags: CertifyFlags,
  network: Network,
  property: Property,
): Promise<Result<Verdict, Problem> | null> {
  const now = (): number => cli.host.monotonicMs();
  const steps = certifyStepwise(network, property, optionsOf(cli, flags));
  let paused = now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (now() - paused < 100) continue;
    await nextTurns();
    paused = now();
    if (cli.signal.aborted) return null;
  }
}
