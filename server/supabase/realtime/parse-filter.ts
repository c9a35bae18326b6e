import { CONDITIONS_PER_FILTER } from "./limits.ts";

/** One condition of a subscription on a column, e.g. `memory_id=eq.…`. The values are text as the client wrote it. */
export interface Condition {
  column: string;
  operator: Operator;
  values: string[];
}

/** The filter of a subscription. */
export interface Filter {
  /** Equal for equivalent filters; empty for one that matches everything. */
  key: string;
  /** Combined by `and`. */
  conditions: Condition[];
}

const OPERATORS = ["eq", "neq", "lt", "lte", "gt", "gte", "in"] as const;
export type Operator = (typeof OPERATORS)[number];

const isOperator = (text: string): text is Operator => (OPERATORS as readonly string[]).includes(text);

/** The hosted platform's limit for a list. */
const LONGEST_LIST = 100;

/** The error for a malformed filter, with a message for the client. */
export class FilterError extends Error {}

/** Parses the conditions of a filter, all of which must hold: `column=operator.value`, separated by commas. */
export function parseFilter(filter: string): Condition[] {
  const parts = split(filter);
  if (parts.length > CONDITIONS_PER_FILTER) {
    throw new FilterError(`A filter has ${CONDITIONS_PER_FILTER} conditions at most`);
  }
  return parts.map((part) => {
    const [, column, operator = "", value = ""] = /^([^=]+)=([a-z]+)\.(.*)$/s.exec(part) ?? [];
    if (!column) throw new FilterError(`"${part}" is not a filter: write column=operator.value`);
    if (!isOperator(operator)) {
      throw new FilterError(`The operator "${operator}" is not supported: use one of ${OPERATORS.join(", ")}`);
    }
    if (operator !== "in") return { column, operator, values: [unquote(value)] };
    if (!/^\(.*\)$/s.test(value)) throw new FilterError(`A list stands in brackets: ${column}=in.(1,2)`);
    const values = split(value.slice(1, -1)).map(unquote);
    if (values.length > LONGEST_LIST) throw new FilterError(`A list has ${LONGEST_LIST} values at most`);
    return { column, operator, values };
  });
}

/** Splits at commas outside quotes and brackets. */
function split(text: string): string[] {
  const parts = [""];
  let quoted = false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] ?? "";
    if (quoted && letter === "\\") {
      parts[parts.length - 1] += letter + (text[++i] ?? "");
      continue;
    }
    if (letter === '"') quoted = !quoted;
    else if (!quoted && letter === "(") depth++;
    else if (!quoted && letter === ")") depth--;
    else if (!quoted && depth === 0 && letter === ",") {
      parts.push("");
      continue;
    }
    parts[parts.length - 1] += letter;
  }
  if (quoted || depth !== 0) throw new FilterError("A quote or a bracket is not closed");
  return parts;
}

const unquote = (value: string) => (/^".*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, "$1") : value);
