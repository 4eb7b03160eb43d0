/** The controls of a contract over data as goals: data sets on which the verdict of every obligation is known. */
import { quoted } from '../../../base/text.ts';
import { diagnostic, type Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { boolean } from '../../../math/term/build.ts';
import type { Contract, FalsificationTest } from '../../contract.ts';
import type { ControlModel, DataModel } from '../../goal.ts';
import { digestOf } from '../equations/digest.ts';

/** The controls of a contract, with the faults of those that cannot be evaluated. */
export interface ElaboratedControls {
  readonly controls: readonly ControlModel[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A control whose data set lacks an input of `model`, or names an obligation that does not exist, is reported. */
export function elaborateControls(contract: Contract, model: DataModel): ElaboratedControls {
  const tests = contract.falsificationTests.filter(({ control }) => control !== null);
  return {
    controls: tests.map((test) => controlModel(contract, test)),
    diagnostics: tests.flatMap((test) => problemsOf(contract, model, test)),
  };
}

function controlModel(contract: Contract, test: FalsificationTest): ControlModel {
  const values = [...(test.control?.values ?? [])].map(([name, { value }]) => ({ name, value }));
  const violates = (test.control?.violates ?? []).map(({ value }) => value);
  let digest: string | null = null;
  const formal = violates.length === 0 ? 'violates nothing' : `violates ${violates.join(', ')}`;
  return {
    values,
    violates,
    goal: {
      id: `${contract.id}/${test.id}`,
      contract: contract.id,
      source: 'falsification',
      claim: test.id,
      property: test.test ?? formal,
      formal,
      semantics: 'ieee',
      about: 'data',
      equations: [],
      domain: { sizes: [], variables: [], preconditions: [] },
      applications: [],
      predicate: boolean(true),
      given: null,
      cases: 1,
      seed: null,
      toleranceText: 'exact',
      statistical: null,
      overReals: null,
      onBackends: {},
      ifFails: test.ifFails,
      // `pv check` asks for none.
      get digest() {
        return (digest ??= digestOf({ values: values.map(({ name, value }) => [name, shown(value)]), violates }));
      },
      span: test.span,
    },
  };
}

/** JSON has no NaN and no infinities. */
function shown(value: ControlModel['values'][number]['value']): string {
  return typeof value === 'object' ? value.map(String).join(' ') : `${typeof value} ${value}`;
}

function problemsOf(contract: Contract, model: DataModel, test: FalsificationTest): readonly Diagnostic[] {
  const inputs = model.inputs.map(({ name }) => name);
  const ids = contract.obligations.filter(({ about }) => about === 'data').map(({ id }) => id);
  const { values, violates } = test.control ?? { values: new Map(), violates: [] };
  return [
    ...[...values].flatMap(([name, { span }]) =>
      inputs.includes(name)
        ? []
        : [
            diagnostic('PV-4001', span, `the data of ${test.id} give ${quoted(name)}, which is not an input`, {
              hint: `The inputs are ${inputs.join(', ')}.`,
            }),
          ],
    ),
    ...violates.flatMap(({ value, span }) =>
      ids.includes(value)
        ? []
        : [
            diagnostic('PV-3004', span, `${test.id} violates ${value}, and no obligation about data has that id`, {
              hint: `They are ${ids.join(', ')}.`,
            }),
          ],
    ),
  ];
}
