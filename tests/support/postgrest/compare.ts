import type { Response } from "./send.ts";

/** A part of a response in which two servers can differ; `state` is the database afterwards. */
export type Part = "status" | "body" | "code" | "message" | "details" | "hint" | "state" | `header ${string}`;

/** An error's body; its fields are undefined for other bodies. */
export interface ErrorBody {
  code?: string;
  message?: string;
  details?: unknown;
  hint?: unknown;
}

/** Returns the error in a response, or an empty object. */
export function errorOf({ body }: Response): ErrorBody {
  try {
    const read: unknown = JSON.parse(body);
    const isError = typeof read === "object" && read !== null && "code" in read && "message" in read;
    return isError ? (read as ErrorBody) : {};
  } catch {
    return {};
  }
}

/** Returns the parts in which two responses differ. Bodies are compared as bytes, and those of errors by field. */
export function differingParts(ours: Response, theirs: Response): Set<Part> {
  const parts = new Set<Part>();
  if (ours.status !== theirs.status) parts.add("status");
  const [own, their] = [errorOf(ours), errorOf(theirs)];
  if (own.code === undefined || their.code === undefined) {
    if (ours.body !== theirs.body) parts.add("body");
  } else {
    for (const field of ["code", "message", "details", "hint"] as const) {
      if (JSON.stringify(own[field]) !== JSON.stringify(their[field])) parts.add(field);
    }
    if (parts.size === 0 && ours.body !== theirs.body) parts.add("body");
  }
  for (const name of new Set([...Object.keys(ours.headers), ...Object.keys(theirs.headers)])) {
    if (ours.headers[name] !== theirs.headers[name]) parts.add(`header ${name}`);
  }
  return parts;
}

/**
 * Returns JSON with sorted names and without spaces; of CSV, with the JSON of its cells. Any other text is unchanged.
 * Lists within rows are also sorted, unless they have an order.
 */
export function canonical(body: string, areListsOrdered: boolean): string {
  try {
    return JSON.stringify(sorted(JSON.parse(body), areListsOrdered, 0));
  } catch {
    return body.replace(/"((?:[^"]|"")*)"/g, (cell, inside: string) => {
      const text = inside.replaceAll('""', '"');
      return /^[[{]/.test(text) ? canonical(`[${text}]`, areListsOrdered) : cell;
    });
  }
}

function sorted(value: unknown, areListsOrdered: boolean, depth: number): unknown {
  const inside = (one: unknown) => sorted(one, areListsOrdered, depth + 1);
  if (Array.isArray(value)) {
    const list = value.map(inside);
    return areListsOrdered || depth === 0
      ? list
      : list.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, inside(one)]));
}
