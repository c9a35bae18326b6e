import type { ReactNode } from "react";
import { LazySky } from "../../media/LazySky.tsx";

/**
 * Renders the share gate's layout: a card in front of the current sky. Its top has a fixed place, where a card with a PIN
 * is in the middle, so that it stays there while the browser reads the card's end, and when the card says more.
 */
export function SkyScreen({ children }: { children: ReactNode }) {
  return (
    <div className="relative isolate grid min-h-[calc(100svh-4.5rem)] content-start justify-items-center px-4 pt-[max(2.5rem,50svh-17.75rem)] pb-10">
      <div className="absolute inset-0 -z-10 overflow-hidden">
        <LazySky tall className="size-full" />
      </div>
      <div className="grid w-full max-w-md gap-5 rounded-3xl bg-raised px-5 py-8 text-center text-ink shadow-lifted sm:px-10 sm:py-10">
        {children}
      </div>
    </div>
  );
}
