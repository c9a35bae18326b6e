/** Pixels: a hand that rests on the page moves it by less. */
const LEAST = 4;

/** Marks the root while somebody scrolls on, until they scroll back: the buttons in the corner then give way. Returns what ends it. */
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
  // Turned around, the page shows something else.
  addEventListener("resize", () => delete dataset.reading, listening);
  return () => {
    listening.abort();
    delete dataset.reading;
  };
}
