import type { Caller, Role } from "../database/as-caller.ts";

/**
 * Returns the roles that must all be allowed to select a column, so that a caller may read it. A token with the claim
 * `columns: "anon"` names an account and has its rows, but of them no column that is withheld from callers without an
 * account.
 */
export const columnRoles = ({ role, columns }: Caller): Role[] =>
  role === "authenticated" && columns === "anon" ? [role, "anon"] : [role];
