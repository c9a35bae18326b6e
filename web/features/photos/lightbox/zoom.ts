/** How a photo is shown: enlarged `scale` times about its middle, then moved by `x` and `y` CSS pixels. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
const LARGEST = 6;

/** The size of a photo that just fits into a stage. */
export function fitted(photo: Size, stage: Size): Size {
  const scale = Math.min(stage.width / photo.width, stage.height / photo.height);
  return { width: photo.width * scale, height: photo.height * scale };
}

/** The nearest view that leaves no empty edge where the photo could fill it. */
export function within({ scale, x, y }: View, photo: Size, stage: Size): View {
  const inside = Math.min(LARGEST, Math.max(1, scale));
  const shown = fitted(photo, stage);
  const limit = (length: number, room: number) => Math.max(0, (length * inside - room) / 2);
  const [maxX, maxY] = [limit(shown.width, stage.width), limit(shown.height, stage.height)];
  return { scale: inside, x: clamp(x, maxX), y: clamp(y, maxY) };
}

/** Enlarges by `factor` so that what is under `point` (from the stage's middle) stays under it. */
export function zoomedAt(view: View, factor: number, point: { x: number; y: number }): View {
  const scale = Math.min(LARGEST, Math.max(1, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: point.x - (point.x - view.x) * by, y: point.y - (point.y - view.y) * by };
}

/** What letting go of a dragged whole photo means; distances in CSS pixels, speed in pixels a millisecond. */
export function swipeMeaning(dx: number, dy: number, speedX: number): "previous" | "next" | "close" | "stay" {
  if (Math.abs(dx) > Math.abs(dy)) {
    if (Math.abs(dx) < 60 && !(Math.abs(dx) > 20 && Math.abs(speedX) > 0.4)) return "stay";
    return dx > 0 ? "previous" : "next";
  }
  return dy > 120 ? "close" : "stay";
}

const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value));
