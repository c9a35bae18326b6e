import type { Contents } from "./contents.ts";

/** Contents whose times of adding are those on clocks in this time zone, e.g. `2026-11-20T23:30:00`; in the same order. */
export function withLocalTimes(contents: Contents, timeZone: string): Contents {
  const clock = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone });
  const local = <Row extends { created_at: string }>(row: Row): Row => ({
    ...row,
    created_at: clock.format(new Date(`${row.created_at}Z`)).replace(" ", "T"),
  });
  return {
    ...contents,
    memories: contents.memories.map((memory) => ({
      ...memory,
      items: memory.items.map(local),
      comments: memory.comments.map(local),
    })),
  };
}
