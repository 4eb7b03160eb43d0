/** How the commands about a node answer: refusals by their codes, and values as text or JSON. */
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { visible } from '../../base/text.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { fedCodes, type Refusal } from '../../federated/fed-code.ts';
import { print, say, type Cli } from '../cli.ts';
import { jsonText } from '../json-text.ts';

/** A refusal for programs. */
export const refusalJson = ({ code, detail }: Refusal): JsonObject => ({
  refused: code,
  detail,
  meaning: fedCodes[code],
});

/** Reports a refusal: on standard error for people, as an object with `refused` on standard output for programs. */
export function reportRefusal(cli: Cli, json: boolean, { code, detail }: Refusal): ExitCode {
  const meaning = fedCodes[code];
  if (json) print(cli, jsonText(refusalJson({ code, detail })));
  else say(cli, `pv: refused: ${code}: ${detail === '' ? meaning : visible(`${detail}. ${meaning}`)}`);
  return exitCodes.findings;
}

/** Prints a value, as JSON for programs and as a text for people. */
export function answer(cli: Cli, asJson: boolean, json: JsonValue, text: string): ExitCode {
  print(cli, asJson ? jsonText(json as JsonObject) : text); // every answer of a node is an object
  return exitCodes.ok;
}
