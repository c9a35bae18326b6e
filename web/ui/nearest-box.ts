/** The place in the list of the box whose middle is nearest to a point; 0 of none. */
export function nearestBox(
  point: { x: number; y: number },
  boxes: readonly { left: number; top: number; width: number; height: number }[],
): number {
  const away = boxes.map(({ left, top, width, height }) =>
    Math.hypot(left + width / 2 - point.x, top + height / 2 - point.y),
  );
  return Math.max(0, away.indexOf(Math.min(...away)));
}
