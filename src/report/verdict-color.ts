import type { Verdict } from '../evidence/verdict.ts';

/** The two colours of a verdict in HTML, as CSS colours. */
export interface VerdictColor {
  /** Text and border; at least 4.5 : 1 on `fill` (WCAG 2.2, 1.4.3; a test computes it). */
  readonly ink: string;
  readonly fill: string;
}

/** On light ground. */
export const lightColors: Readonly<Record<Verdict, VerdictColor>> = {
  falsified: { ink: '#b3261e', fill: '#fde8e6' },
  unsound: { ink: '#94390b', fill: '#fdeade' },
  vacuous: { ink: '#9c1a5b', fill: '#fce6f0' },
  incomplete: { ink: '#8a4b00', fill: '#fff0db' },
  undetermined: { ink: '#665500', fill: '#fbf4cf' },
  stale: { ink: '#0f6074', fill: '#def2f6' },
  unbound: { ink: '#4d5761', fill: '#eceff2' },
  prose: { ink: '#65543f', fill: '#f4ede3' },
  waived: { ink: '#5b3aa0', fill: '#eee8fb' },
  tested: { ink: '#17693a', fill: '#e2f5e8' },
  proved: { ink: '#0b549b', fill: '#e1eefc' },
};

/** On dark ground. */
export const darkColors: Readonly<Record<Verdict, VerdictColor>> = {
  falsified: { ink: '#ffb4ab', fill: '#4e1915' },
  unsound: { ink: '#ffb68f', fill: '#4b220d' },
  vacuous: { ink: '#ffb0d2', fill: '#4a1430' },
  incomplete: { ink: '#ffc680', fill: '#472a06' },
  undetermined: { ink: '#ecd96a', fill: '#3b3407' },
  stale: { ink: '#86d9ec', fill: '#0c3843' },
  unbound: { ink: '#c3cbd3', fill: '#2c333a' },
  prose: { ink: '#dcc8ac', fill: '#3a3023' },
  waived: { ink: '#cfbcff', fill: '#33245c' },
  tested: { ink: '#86dda3', fill: '#113a22' },
  proved: { ink: '#9ccbff', fill: '#0e3157' },
};
