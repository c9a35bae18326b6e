import { useEffect, useState } from "react";

const IDLE_MS = 3000;

/** Keeps the screen on while the page is visible. Browsers without support, or with a low battery, refuse it. */
export function useScreen() {
  useEffect(() => {
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    // The browser releases the lock of a hidden page.
    const request = () => {
      if (document.visibilityState === "visible") lock = navigator.wakeLock?.request("screen").catch(() => undefined);
    };
    request();
    document.addEventListener("visibilitychange", request);
    return () => {
      document.removeEventListener("visibilitychange", request);
      void lock?.then((held) => held?.release()).catch(() => {});
    };
  }, []);
}

/** Whether somebody moves the pointer, touches the screen or uses the keyboard. Otherwise the cursor and buttons hide. */
export function useAttended(): boolean {
  const [attended, setAttended] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const note = () => {
      setAttended(true);
      clearTimeout(timer);
      timer = setTimeout(() => setAttended(false), IDLE_MS);
    };
    const events = ["pointermove", "pointerdown", "keydown", "focusin"];
    for (const event of events) window.addEventListener(event, note);
    return () => {
      clearTimeout(timer);
      for (const event of events) window.removeEventListener(event, note);
    };
  }, []);
  return attended;
}

/** Fills the screen, or ends that. Browsers that cannot, e.g. on an iPhone, show the page as before. */
export function toggleFullScreen() {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
  else void document.documentElement.requestFullscreen?.().catch(() => {});
}
