import type { ReactNode } from "react";
import { Sky } from "../ui/Sky.tsx";
import { VisitorBar } from "./VisitorBar.tsx";

interface SkyHeadingProps {
  title: string;
  text?: string;
  /** Content below the text. */
  children?: ReactNode;
}

/** Renders the head of a public page: the current sky, the visitors' bar and the title. */
export function SkyHeading({ title, text, children }: SkyHeadingProps) {
  return (
    <div className="sky-head relative isolate overflow-hidden text-on-sky">
      <Sky tall className="absolute inset-0 -z-10" />
      <div className="absolute inset-0 -z-10 bg-sky-veil" />
      <div className="page-width">
        <VisitorBar />
      </div>
      <div className="page-width pb-40">
        <div className="grid max-w-3xl gap-5 pt-10 sm:pt-16">
          <h1 className="font-serif text-[min(16vw,clamp(2.25rem,1.5rem+3.4vw,4rem))] leading-[1.08] font-medium tracking-[-0.02em] text-balance">
            {title}
          </h1>
          {text && <p className="max-w-2xl text-xl leading-relaxed">{text}</p>}
          {children}
        </div>
      </div>
    </div>
  );
}
