import type { errorOf, Part } from "./compare.ts";
import type { GeneratedRequest } from "./requests.ts";
import type { Response } from "./send.ts";

/** A request whose responses differ. */
export interface Difference {
  request: GeneratedRequest;
  ours: Response;
  theirs: Response;
  parts: Set<Part>;
}

/** A kind of difference that `docs/protocol.md` lists. */
export interface Kind {
  /** The reason for it. For behaviour that PostgREST itself changed, the version that did. */
  reason: string;
  /** The parts that it explains; everything if absent. */
  parts?: readonly Part[];
  applies(difference: Difference, own: ReturnType<typeof errorOf>, their: ReturnType<typeof errorOf>): boolean;
}

/** SQLSTATEs of a statement whose rows lack a column, or the columns for a computed one. */
export const NOT_IN_ROWS = ["42703", "42809", "42846"];

/** Whether both refuse with one code. */
export const isError = (code: string) => (own: { code?: string }, their: { code?: string }) =>
  own.code === code && their.code === code;
