import { type PointerEvent, useRef } from "react";

const HOLD_MS = 450;
const STILL_PX = 10;

/** A finger that rests on something; a mouse has other ways. `took` says whether the click that follows was part of it. */
export function useLongPress(onHold: (event: PointerEvent) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const held = useRef(false);
  const end = () => clearTimeout(timer.current);
  return {
    took: () => {
      const was = held.current;
      held.current = false;
      return was;
    },
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        held.current = false;
        end();
        if (event.pointerType === "mouse") return;
        start.current = { x: event.clientX, y: event.clientY };
        timer.current = setTimeout(() => {
          held.current = true;
          onHold(event);
        }, HOLD_MS);
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        if (Math.hypot(clientX - start.current.x, clientY - start.current.y) > STILL_PX) end();
      },
      onPointerUp: end,
      // A scroll takes the pointer away.
      onPointerCancel: end,
      // The browser's own menu for a held link would cover what was chosen.
      onContextMenu: (event: { preventDefault: () => void }) => held.current && event.preventDefault(),
    },
  };
}
