import { FunctionRefusal } from "../../lib/call-function.ts";

/** An opened share, as this tab keeps it. */
export interface OpenSession {
  token: string;
  /** Milliseconds of the epoch. */
  expiresAt: number;
  memoryId: string;
}

/** Where a visitor stands before a shared memory. */
export type ShareState =
  | { state: "opening" }
  | { state: "pin"; reason: "asked" | "changed" | "waited" }
  | { state: "pin"; reason: "wrong"; triesLeft: number }
  | { state: "locked"; until: Date }
  | { state: "unreachable"; reason: "first" | "pin" }
  | { state: "open"; session: OpenSession };

/** What follows when opening was refused or failed. `had` says that this tab had the memory open until now. */
export function afterFailure(error: unknown, { had, pin }: { had: boolean; pin: boolean }): ShareState {
  if (error instanceof FunctionRefusal) {
    const { code, details } = error;
    const until = typeof details.lockedUntil === "string" ? new Date(details.lockedUntil) : undefined;
    if (code === "locked" || (code === "pin_wrong" && until)) return { state: "locked", until: until ?? inAMinute() };
    if (code === "pin_wrong") return { state: "pin", reason: "wrong", triesLeft: Number(details.triesLeft ?? 0) };
    // A malformed identifier opens nothing, and is told no more than an unknown one.
    if (code === "pin_required" || error.status === 400) return { state: "pin", reason: had ? "changed" : "asked" };
  }
  return { state: "unreachable", reason: pin ? "pin" : "first" };
}

const inAMinute = () => new Date(Date.now() + 60_000);

/** Minutes and seconds, with hours where there are any: `4:09`, `1:04:09`. */
export function remaining(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
