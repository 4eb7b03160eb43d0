/** Text about a run: its violations, counts and files. */
import { count, listOf, shortened, visible } from '../../base/text.ts';
import type { Source, Sources, TrainingCertificate, Violation } from '../../training/certificate/certificate.ts';
import type { Level } from '../../training/verify/verify.ts';
import { runFiles } from './run-folder.ts';

/** A number for people: seven significant digits. */
export const number = (value: number | string): string =>
  typeof value === 'string' ? value : String(Number(value.toPrecision(7)));

/** `conv2 is 5160.2, must be at most 30 (WeightNormBound)`. */
export function violationText(
  violation: Pick<Violation, 'invariant' | 'what' | 'is' | 'bound'> & {
    readonly value?: number;
    readonly measured?: number | string;
  },
): string {
  const { invariant, what, is, bound, value, measured = value ?? NaN } = violation;
  if (invariant === 'Finite') return `${visible(what)} is not finite`;
  return `${visible(what)} is ${number(measured)}, must be ${is} ${number(bound)} (${visible(invariant)})`;
}

/** Counts of steps by verdict; failures tolerated in the warm-up are listed with the committed steps. */
export function stepsText(certificate: TrainingCertificate): string {
  const { committedSteps, refusedSteps, overriddenSteps, totalSteps, violations } = certificate;
  const tolerated = violations - refusedSteps - overriddenSteps;
  const committed = `${committedSteps} committed${tolerated > 0 ? ` (${tolerated} of them failed in the warm-up)` : ''}`;
  const parts = [committed, `${refusedSteps} refused`];
  if (overriddenSteps > 0) parts.push(`${overriddenSteps} overridden`);
  return `${count(totalSteps, 'step')}: ${parts.join(', ')}`;
}

/** What keeps a run from being the whole run, with every invariant satisfied: part of a verdict's first line. Empty if nothing does. */
export function exceptionsOf({
  config,
  totalSteps,
  committedSteps,
  refusedSteps,
  violations,
  invariantStats,
}: TrainingCertificate): readonly string[] {
  const { run } = config;
  const asked = typeof run === 'object' && run !== null && 'steps' in run ? run['steps'] : totalSteps;
  const [changed, broke] = [totalSteps - refusedSteps, violations - refusedSteps];
  const parts: string[] = [];
  if (typeof asked === 'number' && asked > totalSteps)
    parts.push(`the run ended after ${totalSteps} of the ${asked} steps that its run file asks for`);
  if (invariantStats.length === 0) parts.push('no invariant was configured');
  if (broke > 0) parts.push(`${broke} of the ${changed} steps that changed the weights broke an invariant`);
  else if (committedSteps === 0) parts.push('no step changed the weights');
  return parts;
}

/** The settings of each invariant, since a bound of 1e300 refuses nothing. */
export function invariantsText({ invariantStats }: TrainingCertificate): readonly string[] {
  if (invariantStats.length === 0) return ['  no invariant was configured: only NaN and infinite values were refused'];
  return invariantStats.map(({ name, settings, checks, evidence }) => {
    const values = Object.entries(settings).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
    return `  ${visible(shortened(`${name} (${evidence.class}), checked at ${count(checks, 'step')}: ${values.join(', ')}`, 200))}`;
  });
}

/** What the configuration lets through, or injects: a reader must not have to open the file to learn it. */
export function toleratedText({ config, origin }: TrainingCertificate): readonly string[] {
  const { run } = config;
  const drills: unknown = typeof run === 'object' && run !== null && 'drills' in run ? run['drills'] : [];
  const lines: string[] = [];
  if (Array.isArray(drills) && drills.length > 0)
    lines.push(
      `  ${count(drills.length, 'drill')}, first: ${visible(shortened(JSON.stringify(drills.slice(0, 3)), 160))}`,
    );
  const starts = config['task_starts'];
  if (Array.isArray(starts))
    lines.push(
      `  a new task, and a new average of losses, begins at ${listOf(
        starts.map((step) => `step ${Number(step)}`),
        5,
      )}`,
    );
  if (origin === 'recorded') lines.push('  the steps were judged afterwards, so pv could refuse none');
  else if (config['allow_override'] === true)
    lines.push('  steps that fail are committed all the same (allow_override)');
  if (Number(config['warmup_steps']) > 0)
    lines.push(`  the first ${Number(config['warmup_steps'])} steps refuse nothing (warmup_steps)`);
  return lines;
}

/** The certified robustness of the final weights; empty without it. */
export function robustnessText({ robustness }: TrainingCertificate): readonly string[] {
  if (robustness === null) return [];
  const { certifiedFraction, certifiedRadius, epsilon, method, scope } = robustness;
  // A stranger's certificate may have anything here.
  const said = (value: unknown): string =>
    typeof value === 'number' || typeof value === 'string' ? number(value) : '?';
  const percent = typeof certifiedFraction === 'number' ? 100 * certifiedFraction : null;
  const share = `${said(percent)} % keep their label within ${said(epsilon)}, all of them within ${said(certifiedRadius)}`;
  return [`  ${visible(shortened(`robustness: ${share}; ${said(method)}; ${said(scope)}`, 240))}`];
}

/**
 * The fields of a certificate that no check up to level `reached` compares with anything: whoever wrote it may have put anything
 * there.
 */
export function onlySaid(certificate: TrainingCertificate, reached: Level | null): readonly string[] {
  const { config, epoch, robustness, datasetManifest, origin, checkpoints, code, finalLoss } = certificate;
  const unknown = 'not stated';
  const replayed = reached === 'spot' || reached === 'full';
  const { run = null } = config;
  const fields: readonly (readonly [said: string, isCompared: boolean])[] = [
    [`final loss ${finalLoss ?? unknown} and all counts`, reached !== 'files' && reached !== null],
    [`data ${datasetManifest === null ? unknown : datasetManifest.sha256.slice(0, 12)}`, replayed],
    [`origin ${origin}`, replayed],
    [origin === 'replayable' ? 'the run file' : 'what identifies the run', replayed || run === null],
    ['classes of evidence', replayed],
    [`epoch ${epoch}`, reached === 'full'],
    [`robustness ${robustness === null ? unknown : 'certified'}`, reached === 'full'],
    [count(checkpoints.length, 'checkpoint'), reached === 'full'],
    ['tiers of checks', reached === 'full'],
    [`code ${code === null ? unknown : `${code.name} ${code.version}`}`, false],
  ];
  return fields.filter(([, isCompared]) => !isCompared).map(([said]) => said);
}

const phrases: Readonly<Record<keyof Sources, string>> = {
  losses: 'losses',
  gradients: 'gradients',
  learningRates: 'learning rates',
  weights: 'the weights of each step',
  finalWeights: 'the final weights',
};

/** Which numbers rest on whose word. */
export function sourcesText({ sources }: TrainingCertificate): readonly string[] {
  const of = (source: Source): readonly string[] =>
    Object.entries(sources).flatMap(([key, one]) => (one === source ? [phrases[key as keyof Sources]] : []));
  const [reported, measured] = [of('reported'), of('measured')];
  if (reported.length === 0) return [];
  return [
    `  the certificate takes the trainer’s word for ${listOf(reported)}`,
    `  the certificate says that pv measured ${listOf(measured)}`,
  ];
}

/** What a run wrote, and how to verify it. */
export function summaryText(certificate: TrainingCertificate, folder: string, stopped: string | null): string {
  return summary(
    certificate,
    folder,
    stopped === null ? 'Trained' : `Stopped (${stopped})`,
    `Replay it: pv certificate verify ${visible(folder)} --level full`,
  );
}

/** What an import wrote. */
export const importText = (certificate: TrainingCertificate, folder: string): string =>
  summary(certificate, folder, 'Imported', `Verify it: pv certificate verify ${visible(folder)}`);

function summary(certificate: TrainingCertificate, folder: string, what: string, last: string): string {
  const { violationList, finalLoss, weights } = certificate;
  const failed = new Map<string, number>();
  for (const one of violationList) failed.set(one.invariant, (failed.get(one.invariant) ?? 0) + 1);
  const lines = [
    `${what}: ${stepsText(certificate)}`,
    `  loss         ${finalLoss === null ? 'no step was committed' : number(finalLoss)}`,
    ...violationList.slice(0, 5).map((one) => `  step ${one.step} ${one.outcome}: ${violationText(one)}`),
    ...(violationList.length > 5
      ? [`  … ${violationList.length} failed comparisons: ${listOf([...failed].map(([name, n]) => `${name} ${n}`))}`]
      : []),
    ...robustnessText(certificate),
    `  weights      ${visible(folder)}/${runFiles.weights}, sha256 ${weights.sha256}`,
    `  certificate  ${visible(folder)}/${runFiles.certificate}`,
    ...sourcesText(certificate),
    last,
  ];
  return `${lines.join('\n')}\n`;
}
