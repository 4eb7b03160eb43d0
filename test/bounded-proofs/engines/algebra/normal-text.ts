import { effortUpTo } from '../../../../src/bounded-proofs/engines/algebra/effort.ts';
import { wholesOf } from '../../../../src/bounded-proofs/engines/algebra/indicators.ts';
import { createNormaliser, type Normaliser } from '../../../../src/bounded-proofs/engines/algebra/normalise.ts';
import {
  functionKey,
  type RationalFunction,
} from '../../../../src/bounded-proofs/engines/algebra/rational-function.ts';
import { boxOf, createRanges } from '../../../../src/bounded-proofs/engines/interval/ranges.ts';
import { Graph } from '../../../../src/bounded-proofs/expression.ts';
import { number, problemIn, type Domain } from '../../notation.ts';

export type Over = Readonly<Record<string, Domain>>;

export interface Normal extends Normaliser {
  readonly of: (text: string) => RationalFunction | null;
  /** With the atoms by name. */
  readonly text: (value: RationalFunction) => string;
}

/** The algebra over the variables of some texts. */
export function normaliserOf(texts: readonly string[], over: Over, takeApart = true): Normal {
  const graph = new Graph();
  const posed = problemIn(graph, texts.map((text) => `${text} = ${text} + 1`).join(' ∧ '), { over });
  const normaliser = createNormaliser({
    ranges: createRanges(boxOf(posed), []),
    effort: effortUpTo(1_000_000),
    takeApart,
    wholes: wholesOf(posed.variables),
  });
  const named = (key: string): string =>
    key
      .replaceAll(/(?<![\d/])(\d+)\^(-?\d+)/g, (_, id: string, exponent: string) => {
        const atom = normaliser.atoms.get(Number(id));
        return `${named(atom?.key ?? '?').replace(/^variable /, '')}${exponent === '1' ? '' : `^${exponent}`}`;
      })
      // Coefficients come before their products: 1/1*a, 2/3*, and 1/1* alone.
      .replaceAll('/1*', '*')
      .replaceAll(/(?<![\d.])1\*(?=[^+/);}\s]|\s)/g, '')
      .replaceAll(/\*(?=$|[+/);}\s])/g, '')
      .replaceAll('*', '·');
  return {
    ...normaliser,
    of: (text) => normaliser.normal(number(graph, text)),
    text: (value) => named(functionKey(value)),
  };
}

export function normalText(text: string, over: Over = {}, takeApart = true): string | null {
  const normaliser = normaliserOf([text], over, takeApart);
  const value = normaliser.of(text);
  return value && normaliser.text(value);
}
