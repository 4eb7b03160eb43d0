/** Calibrations for people: what each device does, side by side, and the resulting tolerances. */
import type { Calibration, Measured } from '../../backends/calibrate/calibrate.ts';
import { implementationOf } from '../../subject/gpu-device.ts';

/** A Markdown table, which is also readable on a terminal. */
export function calibrationText(calibrations: readonly Calibration[]): string {
  const heads = calibrations.map(({ ran }) => nameOf(ran));
  const rows = (calibrations[0]?.operations ?? []).map(({ name }, i) => [
    name,
    ...calibrations.map(({ operations }) => errorText(operations[i])),
  ]);
  const said = (calibrations[0]?.properties ?? []).map(({ name }, i) => [
    `\`${name}\``,
    ...calibrations.map(({ properties }) => properties[i]?.says ?? ''),
  ]);
  return [
    table(['largest error', ...heads], rows),
    '',
    table(['', ...heads], said),
    '',
    ...calibrations.flatMap(proposalsOf),
    '',
  ].join('\n');
}

function nameOf({ backend, device }: Calibration['ran']): string {
  return device === 'node' ? backend : `${backend} on ${implementationOf(device)}`;
}

function errorText(measured: Measured | undefined): string {
  if (!measured) return '';
  const { ulp, absolute, ofAllowed, broken } = measured;
  const worst = ulp.value <= 0.5 ? 'correctly rounded' : `${short(ulp.value)} ulp, ${short(absolute.value)}`;
  const share = ofAllowed === null ? '' : ofAllowed.value > 1 ? ` (${short(ofAllowed.value)} × the envelope)` : '';
  return `${worst}${share}${broken > 0 ? `, ${broken} not finite` : ''}`;
}

const short = (x: number): string => String(Number(x.toPrecision(3)));

/** Operations with an error larger than the envelope allows, or that return NaN where a number is expected. */
export function beyondEnvelope({ operations }: Calibration): readonly Measured[] {
  return operations.filter(({ ofAllowed, broken }) => broken > 0 || (ofAllowed !== null && ofAllowed.value > 1));
}

function proposalsOf(calibration: Calibration): readonly string[] {
  const { ran, operations } = calibration;
  const name = nameOf(ran);
  const beyond = beyondEnvelope(calibration);
  const stated = operations.filter(({ ofAllowed }) => ofAllowed !== null).length;
  const envelope =
    beyond.length === 0
      ? `${name}: the ${stated} operations for which WGSL states an accuracy are within its envelope, so { cond: 1, envelope: wgsl } holds here.`
      : `${name}: beyond the envelope of WGSL: ${beyond.map((one) => `${one.name} at ${one.ofAllowed?.inputs.join(', ') ?? ''}`).join('; ')}. envelope: wgsl does not hold here.`;
  // Twice the largest observed error: inputs that were not drawn may have larger ones.
  const proposals = operations
    .filter(({ ofAllowed }) => ofAllowed === null)
    .map(
      ({ name: operation, absolute, samples }) =>
        `    ${operation}: no accuracy is stated; propose abs ${short(2 * absolute.value)}, twice the worst of ${samples} inputs (at ${absolute.inputs.join(', ')})`,
    );
  return [envelope, ...proposals];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
