import type { Catalogue } from "./catalogue.ts";
import { RestError } from "./errors.ts";
import type { Reader } from "./readable.ts";

/** The parameters of a statement for `answerAsCaller`. The statement's text never contains a value. */
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
    /** The maximum number of rows in any list. */
    readonly maxRows: number,
    readonly reader: Reader,
  ) {}

  /** Returns a unique alias. */
  alias(prefix: string): string {
    this.aliases += 1;
    return `${prefix}${this.aliases}`;
  }
}

export interface Statement {
  text: string;
  values: string[];
}

/** Upper limit of a name in bytes. PostgreSQL truncates longer names, so the response would have another name. */
const LONGEST_NAME = 63;

/** Returns a name as a quoted identifier. No name can end the quotes. */
export function quote(name: string): string {
  if (name === "" || name.includes("\0") || Buffer.byteLength(name) > LONGEST_NAME) {
    throw new RestError(400, "PGRST100", `A name must have 1 to ${LONGEST_NAME} bytes and no zero byte`);
  }
  return `"${name.replaceAll('"', '""')}"`;
}

export const inPublic = (name: string) => `public.${quote(name)}`;

/** Returns an array literal. Each member is in quotes, so that none can end the literal. */
export const arrayLiteral = (members: string[]): string =>
  `{${members.map((member) => `"${member.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
