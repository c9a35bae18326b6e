import type { ReactNode } from "react";
import { Sky } from "../../../ui/Sky.tsx";

interface CardScreenProps {
  title: string;
  text?: string;
  /** Without text, while the card's target is loading. */
  quiet?: boolean;
  children?: ReactNode;
}

/** The page of a scanned card under the current sky. */
export function CardScreen({ title, text, quiet, children }: CardScreenProps) {
  return (
    <div className="relative isolate grid min-h-[calc(100svh-4.5rem)] place-items-center px-4 py-10">
      <div className="absolute inset-0 -z-10 overflow-hidden">
        <Sky className="size-full" />
      </div>
      <div className="grid w-full max-w-md gap-5 rounded-3xl bg-raised px-5 py-8 text-ink shadow-lifted sm:px-10 sm:py-10">
        <div className="grid gap-2 text-center" role={quiet ? "status" : undefined}>
          <h1 className="font-serif text-[1.75rem] leading-tight sm:text-3xl">{title}</h1>
          {text && <p className="text-ink-soft">{text}</p>}
        </div>
        {children}
      </div>
    </div>
  );
}
