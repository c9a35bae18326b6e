/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Reads a `Range` header (RFC 9110 §14) for `size` bytes: the one range asked for, "unsatisfiable", or undefined when
 * the whole is the answer, as for several ranges and for a header nobody can read.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
  const asked = header?.match(/^bytes=\s*(\d*)-(\d*)\s*$/i);
  if (!asked) return undefined;
  const [, first = "", last = ""] = asked;
  if (first === "") {
    if (last === "") return undefined;
    const suffix = Number(last);
    return suffix === 0 || size === 0 ? "unsatisfiable" : { start: Math.max(0, size - suffix), end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
