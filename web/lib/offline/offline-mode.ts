import { onlineManager } from "@tanstack/react-query";
import { offline } from "./offline-state.ts";

const PROBE_EVERY_MS = 10_000;
/** A network without signal may neither answer nor fail. */
const PATIENCE_MS = 5000;

const isReachable = () =>
  fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    ({ ok, headers }) => ok && /json/.test(headers.get("content-type") ?? ""),
    () => false,
  );

/** Whether the server cannot be reached, so that offline copies may be shown. */
export const isUnreachable = async (): Promise<boolean> => offline.get() || !(await isReachable());

let probing: ReturnType<typeof setInterval> | undefined;

/** Shows offline copies from now on: queries pause until the server can be reached again. */
export function goOffline() {
  offline.set(true);
  onlineManager.setOnline(false);
  if (probing !== undefined) return;
  const probe = async () => {
    if (document.hidden || !(await isReachable())) return;
    clearInterval(probing);
    probing = undefined;
    removeEventListener("online", probe);
    offline.set(false);
    onlineManager.setOnline(true);
  };
  probing = setInterval(probe, PROBE_EVERY_MS);
  addEventListener("online", probe);
}
