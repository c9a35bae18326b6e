/** Prints the one part of the page that is marked as a print area; the rest of it stays on the screen. */
export function printArea() {
  const { dataset } = document.documentElement;
  dataset.print = "area";
  window.addEventListener("afterprint", () => delete dataset.print, { once: true });
  window.print();
}
