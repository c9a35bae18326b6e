import { qrPath } from "../../lib/qr/qr-code.ts";
import { FAMILIES } from "./draw-text.ts";
import type { Alignment, Colour, Direction, Item, Page } from "./sheets.ts";

const COLOURS: Record<Colour, string> = { white: "#fff", warm: "#fbf0da", cool: "#e2eff5", guide: "#b3b3b3" };

/** A printed page as a picture, from the same marks as the PDF. */
export default function PagePicture({ page, label }: { page: Page; label: string }) {
  const { width, height, items } = page;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      style={{ aspectRatio: `${width} / ${height}`, width: `min(100%, 68vh * ${width / height})` }}
      className="mx-auto block rounded-sm bg-white shadow-soft outline-1 outline-line"
    >
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: marks have no identity; the picture is drawn as a whole.
        <Mark key={at} item={item} />
      ))}
    </svg>
  );
}

function Mark({ item }: { item: Item }) {
  if (item.kind === "fill") return <rect {...item.box} fill={COLOURS[item.colour]} />;
  if (item.kind === "line") {
    const [[x1, y1], [x2, y2]] = [item.from, item.to];
    return <line {...{ x1, y1, x2, y2 }} stroke="#000" strokeWidth={item.width} strokeLinecap="square" />;
  }
  if (item.kind === "code") {
    const { x, y, side, matrix } = item;
    return <path transform={`translate(${x} ${y}) scale(${side / matrix.size})`} d={qrPath(matrix)} fill="#000" />;
  }
  const { direction } = item;
  return (
    <text
      x={item.x}
      y={item.baseline}
      direction={direction}
      textAnchor={anchorOf(item.align, direction)}
      style={{ fontFamily: FAMILIES[item.face], fontSize: `${item.size}px`, textRendering: "geometricPrecision" }}
      fill="#000"
    >
      {item.text}
    </text>
  );
}

/** In SVG, a text begins at the right if it is written from right to left. */
const anchorOf = (align: Alignment, direction: Direction) =>
  align === "center" ? "middle" : (align === "left") === (direction === "ltr") ? "start" : "end";
