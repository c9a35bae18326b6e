/** Minimum scroll distance in pixels. Smaller movements are unintentional. */
const LEAST = 4;

/** Marks the root element while a person scrolls down, to hide the corner's buttons. Returns the stop function. */
export function followReading(): () => void {
  const { dataset } = document.documentElement;
  let last = scrollY;
  const listening = new AbortController();
  const look = () => {
    if (Math.abs(scrollY - last) < LEAST) return;
    if (scrollY > last) dataset.reading = "";
    else delete dataset.reading;
    last = scrollY;
  };
  addEventListener("scroll", look, { passive: true, signal: listening.signal });
  // Rotating the device changes the visible content.
  addEventListener("resize", () => delete dataset.reading, listening);
  return () => {
    listening.abort();
    delete dataset.reading;
  };
}
