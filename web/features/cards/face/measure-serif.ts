/** What is engraved is cut from it. */
export const SERIF = '"Literata Variable", "Literata fallback", Georgia, serif';

const AT = 100;
let pen: CanvasRenderingContext2D | null | undefined;

/** How wide words of a size are in the product's serif, in the unit of the size. */
export function measureSerif(text: string, size: number): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return text.length * size * 0.5;
  pen.font = `${AT}px ${SERIF}`;
  return (pen.measureText(text).width * size) / AT;
}
