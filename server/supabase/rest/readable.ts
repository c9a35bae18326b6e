import type { Caller } from "../../database/as-caller.ts";
import { columnRoles } from "../column-roles.ts";
import type { Column, Table } from "./catalogue.ts";
import { RestError } from "./errors.ts";

/** Whose privileges limit what a request reads. */
export interface Reader {
  /** The roles that must all be allowed to select a column. */
  roles: string[];
  /** Whether the caller is signed in: a refusal then does not ask for a sign-in. */
  signedIn: boolean;
}

export const readerOf = (caller: Caller): Reader => ({ roles: columnRoles(caller), signedIn: caller.role !== "anon" });

/** Whether the reader may select a column, if they may select any of its table. */
export const isReadable = ({ hiddenFrom }: Column, { roles }: Reader): boolean =>
  !roles.some((role) => hiddenFrom?.includes(role));

/**
 * Refuses a column that the reader may not select, like the database, which knows only the caller's own role. It is
 * asked about every column that a statement reads: to select, compare, sort, join or return it.
 */
export function checkColumn(table: Table, name: string, reader: Reader): void {
  const stored = table.columns.get(name);
  const column = stored ?? table.computed.get(name);
  if (!column || isReadable(column, reader)) return;
  throw stored ? denied(table, reader) : refusal(`permission denied for function ${name}`, reader);
}

/** Refuses a table of which the reader may select no column. */
export function checkTable(table: Table, reader: Reader): void {
  if (reader.roles.some((role) => table.deniedTo?.includes(role))) throw denied(table, reader);
}

const denied = ({ name, isView }: Table, reader: Reader) =>
  refusal(`permission denied for ${isView ? "view" : "table"} ${name}`, reader);

const refusal = (message: string, { signedIn }: Reader) => new RestError(signedIn ? 403 : 401, "42501", message);
