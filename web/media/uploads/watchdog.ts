/** Bytes that do not move for this long will not; a network that was lost without a word looks like this. */
const STALLED_MS = 30_000;
/** After its last byte the server flushes and looks through what may be gigabytes. */
const FINISHING_MS = 5 * 60_000;

/**
 * Calls `onStalled` when an upload has made no progress for too long. A sleeping phone stops the clock, which then runs
 * out as it wakes.
 */
export function watchdog(size: number, onStalled: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let furthest = -1;
  const watch = {
    progress(sent: number) {
      if (sent === furthest) return;
      furthest = sent;
      clearTimeout(timer);
      timer = setTimeout(onStalled, sent >= size ? FINISHING_MS : STALLED_MS);
    },
    end: () => clearTimeout(timer),
  };
  watch.progress(0);
  return watch;
}
