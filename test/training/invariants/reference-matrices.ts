/** Matrices whose spectra NumPy 2.4 (LAPACK) has computed in float64. */
import { glorotUniform } from '../../../src/training/model/initial.ts';

interface Reference {
  readonly rows: number;
  readonly columns: number;
  /** σ₁ of the matrix. */
  readonly sigma: number;
  /** Its spectral coherence from all its singular values, and from four of them. */
  readonly coherence: number;
}

const references: readonly Reference[] = [
  { rows: 8, columns: 5, sigma: 1.8250246523249851, coherence: 0.6935267153851443 },
  { rows: 16, columns: 16, sigma: 1.740250756229158, coherence: 0.7953463923057071 },
  { rows: 4, columns: 32, sigma: 1.499592546581394, coherence: 0.6769165334606969 },
];

/** Random matrices of several shapes. */
export const referenceMatrices = references.map((reference) => ({
  ...reference,
  data: glorotUniform(3, `w${reference.rows}`, reference.rows, reference.columns),
}));
