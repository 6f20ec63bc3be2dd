// What expressions come to, in words.

import { said } from "../../i18n/said.ts";
import type { ValueOf } from "../../net/protocol.ts";
import { inLine } from "./times.ts";

/** Lines of a tooltip: each expression with its value, and below it what is put together in it. */
export function valueLines(values: readonly ValueOf[]): string[] {
  const line = ({ text, value, mistake }: ValueOf) =>
    typeof mistake === "string" ? `${text}: ${said(mistake)}` : `${text} = ${inLine(value, 60)}`;
  return values.flatMap((value) => [
    line(value),
    // What a mistake is of says the line of the whole already.
    ...(value.operands ?? [])
      .filter(({ mistake }) => typeof mistake !== "string")
      .map((operand) => `    ${line(operand)}`),
  ]);
}
