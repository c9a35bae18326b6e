import QRCode from "qrcode";

/** Light modules around the code, without which scanners do not find it. */
const QUIET = 4;

/** A QR code as it is engraved. */
export interface EngravedCode {
  /** Modules a side, the quiet zone included. */
  size: number;
  /** How much of it may be scratched: H a third, Q a quarter. */
  correction: "H" | "Q";
  /** SVG path data of its dark modules, or of its light ones, a module a unit. */
  dark: string;
  light: string;
}

/** The code of a link: of error correction H where that makes no finer modules than Q would allow to read well. */
export function engravedCode(link: string): EngravedCode {
  const high = QRCode.create(link, { errorCorrectionLevel: "H" });
  // Beyond version 5 (37 modules a side) modules on a card are finer than half a millimetre and more.
  const correction = high.version <= 5 ? "H" : "Q";
  const { modules } = correction === "H" ? high : QRCode.create(link, { errorCorrectionLevel: "Q" });
  const size = modules.size + 2 * QUIET;
  const inside = (at: number) => at >= QUIET && at < modules.size + QUIET;
  const isDark = (x: number, y: number) => inside(x) && inside(y) && modules.get(y - QUIET, x - QUIET) === 1;
  return {
    size,
    correction,
    dark: pathOf(size, isDark),
    light: pathOf(size, (x, y) => !isDark(x, y)),
  };
}

/** Rows of modules as rectangles that never overlap: laser and press mark each place once. */
function pathOf(size: number, marked: (x: number, y: number) => boolean): string {
  let path = "";
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let run = 0;
      while (x + run < size && marked(x + run, y)) run++;
      if (run > 0) path += `M${x} ${y}L${x + run} ${y}L${x + run} ${y + 1}L${x} ${y + 1}Z`;
      x += run;
    }
  }
  return path;
}
