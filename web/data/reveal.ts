import type { Row } from "../../shared/database.ts";

/** Until when a memory's guests see only their own contributions. */
export type Reveal = Pick<Row<"reveals">, "reveal_at" | "time_zone" | "revealed" | "revision">;

/** Whether guests still wait for the reveal. The row policies follow the same rule. */
export const isWaiting = (reveal: Reveal | null, now: number): reveal is Reveal =>
  reveal !== null && !reveal.revealed && (reveal.reveal_at === null || Date.parse(reveal.reveal_at) > now);
