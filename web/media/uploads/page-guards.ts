import { isBusy } from "./upload-progress.ts";
import type { UploadQueue } from "./upload-queue.ts";

/** Keeps a queue going through what happens to its page: networks lost and found, sleep, and the person leaving. */
export function guardPage(queue: UploadQueue): void {
  const wake = () => queue.wake();
  window.addEventListener("online", wake);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") wake();
  });

  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  const screen = stayAwake();
  queue.files.subscribe(() => {
    // Only then: a page that asks whether it may be left is not kept ready for the way back.
    if (queue.losesBytes()) window.addEventListener("beforeunload", warn);
    else window.removeEventListener("beforeunload", warn);
    screen.wanted(queue.files.get().some(isBusy));
  });
}

/** A phone that falls asleep stops sending; where its browser allows, it stays awake while there is something to send. */
function stayAwake() {
  let isWanted = false;
  let held: WakeLockSentinel | undefined;
  let asking = false;
  const update = async () => {
    if (!("wakeLock" in navigator) || !matchMedia("(pointer: coarse)").matches || asking) return;
    if (isWanted === (held !== undefined) || (isWanted && document.visibilityState === "hidden")) return;
    if (!isWanted) {
      await held?.release().catch(() => {});
      held = undefined;
      return;
    }
    asking = true;
    // Refused while the battery is low.
    held = await navigator.wakeLock.request("screen").catch(() => undefined);
    asking = false;
    // The browser takes it back whenever the page is hidden.
    held?.addEventListener("release", () => {
      held = undefined;
    });
    if (held && !isWanted) void update();
  };
  document.addEventListener("visibilitychange", () => void update());
  return {
    wanted(now: boolean) {
      isWanted = now;
      void update();
    },
  };
}
