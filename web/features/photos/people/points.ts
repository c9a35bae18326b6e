import type { Point } from "../../../data/pictured.queries.ts";

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const inside = (value: number) => Math.min(1, Math.max(0, value));
const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

/** The point of a press in a picture's box on the screen. */
export const pointAt = ({ left, top, width, height }: Box, x: number, y: number): Point => ({
  x: rounded(inside((x - left) / Math.max(1, width))),
  y: rounded(inside((y - top) / Math.max(1, height))),
});

const STEPS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The point moved by an arrow key: by a hundredth, or with Shift by a tenth; undefined for other keys. */
export function movedPoint({ x, y }: Point, key: string, far: boolean): Point | undefined {
  const step = STEPS[key];
  const size = far ? 0.1 : 0.01;
  return step && { x: rounded(inside(x + step.x * size)), y: rounded(inside(y + step.y * size)) };
}
