import type { Page } from "@playwright/test";

interface Point {
  x: number;
  y: number;
}

/** Fingers on a page, as the browser itself tells of them. */
export async function touchesOn(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  const send = (type: "touchStart" | "touchMove" | "touchEnd", points: Point[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map((point, id) => ({ ...point, id })) });
  return {
    /** One finger, down and up again. */
    async tap(at: Point) {
      await send("touchStart", [at]);
      await send("touchEnd", []);
    },
    /** Two fingers on a level line, moved from so far to so far apart around a point. */
    async pinch({ x, y }: Point, from: number, to: number, steps = 8) {
      const apart = (distance: number) => [
        { x: x - distance / 2, y },
        { x: x + distance / 2, y },
      ];
      await send("touchStart", apart(from));
      for (let step = 1; step <= steps; step++) await send("touchMove", apart(from + ((to - from) * step) / steps));
      await send("touchEnd", []);
    },
  };
}
