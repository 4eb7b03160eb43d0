/** Optimizers and their hyper-parameters, under the names that code gives them. */

export type HyperParameter = 'lr' | 'beta1' | 'beta2' | 'betas' | 'epsilon' | 'weight decay' | 'momentum' | 'decay';

export interface Family {
  /** What the update rule cannot do without; the first is the learning rate. */
  readonly needs: readonly HyperParameter[];
  /** Whether it is judged only where its options are given by name: some libraries have a form without the others. */
  readonly byName?: boolean;
  /** Whether nothing else in programs bears the name. */
  readonly unmistakable: boolean;
}

// Kingma & Ba 2015 (Adam), Loshchilov & Hutter 2019 (AdamW: decay apart from the gradient), You et al. 2020 (LAMB),
// Chen et al. 2023 (Lion), Tieleman & Hinton 2012 (RMSProp), Zeiler 2012 (Adadelta).
const adam: readonly HyperParameter[] = ['lr', 'beta1', 'beta2', 'epsilon'];
const adamW: readonly HyperParameter[] = [...adam, 'weight decay'];
const families: ReadonlyMap<string, Family> = new Map([
  ['adamw', { needs: adamW, unmistakable: true }],
  ['lamb', { needs: adamW, unmistakable: false }],
  ['adam', { needs: adam, unmistakable: false }],
  ['nadam', { needs: adam, unmistakable: true }],
  ['radam', { needs: adam, unmistakable: true }],
  ['adamax', { needs: adam, unmistakable: true }],
  ['lion', { needs: ['lr', 'beta1', 'beta2', 'weight decay'], unmistakable: false }],
  ['rmsprop', { needs: ['lr', 'decay', 'epsilon'], unmistakable: true }],
  ['adadelta', { needs: ['lr', 'decay', 'epsilon'], unmistakable: true }],
  ['sgd', { needs: ['lr', 'momentum'], byName: true, unmistakable: false }],
  ['muon', { needs: ['lr', 'momentum'], unmistakable: false }],
]);

/** `AdamW`, `adamw`, `AdamWOptimizer`, `fusedAdamW`: the optimizer that a name denotes; null for none. */
export function familyOf(name: string): Family | null {
  const stem = name
    .toLowerCase()
    .replaceAll('_', '')
    .replace(/optimi[sz]er$/, '')
    .replace(/^(cpu|gpu|cuda|webgpu|fused|paged)/, '');
  return families.get(stem) ?? null;
}

const names: readonly (readonly [HyperParameter, RegExp])[] = [
  ['lr', /^(base|peak|max|initial|current)?(lr|learningrate|stepsize)(schedule)?$|^schedule$/],
  ['beta1', /^(adam)?(beta1|b1)$/],
  ['beta2', /^(adam)?(beta2|b2)$/],
  ['betas', /^(adam)?betas$/],
  ['epsilon', /^(adam)?(eps|epsilon)$/],
  ['weight decay', /^(wd|weightdecay|l2|lambda|decoupledweightdecay)$/],
  ['momentum', /^(momentum|mu)$/],
  ['decay', /^(decay|rho|alpha|smoothing)$/],
];

/** The hyper-parameter that a name denotes; null for none. */
export function hyperParameterOf(name: string): HyperParameter | null {
  const plain = name.toLowerCase().replaceAll('_', '');
  return names.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
}
