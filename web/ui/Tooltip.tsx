import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** The delay before a tooltip opens (Spec §9). */
const DELAY_MS = 700;

/**
 * A tooltip for its single focusable child. Each tooltip has its own provider: one around the whole app would add the
 * positioning code to every visitor's first load.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={DELAY_MS}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-72 rounded-lg bg-ink px-3 py-1.5 text-sm text-paper shadow-lifted motion-safe:animate-appear"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
