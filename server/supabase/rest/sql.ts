import type { Catalogue } from "./catalogue.ts";
import { RestError } from "./errors.ts";

/** The parameters of a statement for `queryAsCaller`; its text never contains a value. */
export class Values {
  readonly list: string[] = [];

  /** Binds `value` and returns the SQL of its parameter, of type text. */
  bind(value: string): string {
    this.list.push(value);
    return `$1[${this.list.length}]`;
  }
}

/** The state that the parts of one statement share. */
export class Making {
  readonly values = new Values();
  private aliases = 0;

  constructor(
    readonly catalogue: Catalogue,
    /** The most rows that any list may have. */
    readonly maxRows: number,
  ) {}

  /** A unique alias. */
  alias(prefix: string): string {
    this.aliases += 1;
    return `${prefix}${this.aliases}`;
  }
}

export interface Statement {
  text: string;
  values: string[];
}

/** PostgreSQL truncates longer names, so the answer would have another name. */
const LONGEST_NAME = 63;

/** A name as a quoted identifier, which no name can leave. */
export function quote(name: string): string {
  if (name === "" || name.includes("\0") || Buffer.byteLength(name) > LONGEST_NAME) {
    throw new RestError(400, "PGRST100", `A name must have 1 to ${LONGEST_NAME} bytes and no zero byte`);
  }
  return `"${name.replaceAll('"', '""')}"`;
}

export const inPublic = (name: string) => `public.${quote(name)}`;

/** An array literal: each member in quotes, so that none can end it. */
export const arrayLiteral = (members: string[]): string =>
  `{${members.map((member) => `"${member.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
