import { useEffect, useRef, useState } from "react";
import { useLatest } from "./use-latest.ts";

const IDLE_MS = 3000;

/** Keeps the screen on while the page is visible. Browsers without support, or with a low battery, refuse it. */
export function useScreen(active = true) {
  useEffect(() => {
    if (!active) return;
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    // The browser releases the lock of a hidden page.
    const request = () => {
      if (document.visibilityState === "visible") lock = navigator.wakeLock?.request("screen").catch(() => undefined);
    };
    request();
    document.addEventListener("visibilitychange", request);
    return () => {
      document.removeEventListener("visibilitychange", request);
      void lock?.then((sentinel) => sentinel?.release()).catch(() => {});
    };
  }, [active]);
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

/** iPads before version 16.4 have these names only, and iPhones have neither for a page. */
interface OlderElement extends HTMLElement {
  webkitRequestFullscreen?: () => void;
}

/** Whether the browser can fill the screen with a page. */
export const canFillScreen = (): boolean =>
  "requestFullscreen" in document.documentElement || "webkitRequestFullscreen" in document.documentElement;

function fillScreen() {
  const page: OlderElement = document.documentElement;
  if (page.requestFullscreen) void page.requestFullscreen({ navigationUI: "hide" }).catch(() => {});
  else page.webkitRequestFullscreen?.();
}

/** Fills the screen, or ends that. Browsers that cannot, e.g. on an iPhone, show the page as before. */
export function toggleFullScreen() {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
  else fillScreen();
}

/**
 * Fills the screen while the component is mounted, and colours the browser's own bars black where they stay, as on an
 * iPhone. `onEnd` is called when somebody ends it, e.g. by Escape or a gesture.
 */
export function useFullScreen(onEnd: () => void) {
  const ended = useLatest(onEnd);
  const leaving = useRef(false);
  useEffect(() => {
    const bars = [...document.querySelectorAll('meta[name="theme-color"]')];
    const colours = bars.map((bar) => bar.getAttribute("content") ?? "");
    for (const bar of bars) bar.setAttribute("content", "#000000");
    const onChange = () => {
      if (!document.fullscreenElement && !leaving.current) ended.current();
      leaving.current = false;
    };
    document.addEventListener("fullscreenchange", onChange);
    if (!document.fullscreenElement) fillScreen();
    return () => {
      document.removeEventListener("fullscreenchange", onChange);
      bars.forEach((bar, at) => {
        bar.setAttribute("content", colours[at] ?? "");
      });
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
    };
  }, []);
  return () => {
    leaving.current = Boolean(document.fullscreenElement);
    toggleFullScreen();
  };
}
