/** The Greek letters that mathematics uses, by letter, with their English names: `σ` → `sigma`, `Σ` → `Sigma`. */
export const greekNames: ReadonlyMap<string, string> = new Map(
  (
    'α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho σ sigma τ tau ' +
    'υ upsilon φ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega'
  )
    .split(' ')
    .flatMap((letter, i, words) => (i % 2 === 0 ? [[letter, words[i + 1] ?? letter] as const] : [])),
);
