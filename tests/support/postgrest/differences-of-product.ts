import { canonical } from "./compare.ts";
import type { Kind } from "./kind.ts";

/** JSON whose lists of one row or none within rows are that row or null. */
const withoutShortLists = (body: string) =>
  JSON.stringify(JSON.parse(body), (name, value: unknown) =>
    name !== "" && Array.isArray(value) && value.length < 2 && !/^\d+$/.test(name) ? (value[0] ?? null) : value,
  );

/** Kinds that only the tables of the product show, not those of the library. */
export const KINDS_OF_PRODUCT: Record<string, Kind> = {
  "one row by a part of a key": {
    reason: "A foreign key that contains a unique key has one row at most; PostgREST compares whole keys",
    parts: ["body"],
    applies: ({ request, ours, theirs }) =>
      request.method !== "HEAD" &&
      ours.status < 300 &&
      theirs.status < 300 &&
      canonical(withoutShortLists(ours.body), true) === canonical(withoutShortLists(theirs.body), true),
  },
  "withheld columns": {
    reason:
      "PostgREST's statement reads whole rows of embedded relations, and names the first table that it may not read",
    applies: ({ ours }, own, their) => their.code === "42501" && (own.code === "42501" || ours.status < 300),
  },
};
