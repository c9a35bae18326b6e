import type { ReactNode } from "react";
import { LazySky } from "../media/LazySky.tsx";

interface SkyMessageProps {
  title: string;
  text: string;
  detail?: string | undefined;
  /** Actions, usually one or two buttons. */
  children?: ReactNode;
}

/** Renders a screen with one message under the current sky. */
export function SkyMessage({ title, text, detail, children }: SkyMessageProps) {
  return (
    <div className="mx-auto grid w-full max-w-2xl grid-cols-[minmax(0,1fr)] content-center justify-items-center gap-8 px-4 py-12 text-center sm:py-20">
      {/* A fallback for the sky, which may not load without a network. */}
      <div className="size-44 overflow-hidden rounded-full bg-linear-to-b from-wash to-line shadow-lifted">
        <LazySky seed={title} />
      </div>
      <div className="grid gap-3">
        <h1 className="font-serif text-3xl leading-tight sm:text-4xl">{title}</h1>
        <p className="text-lg text-ink-soft">{text}</p>
        {detail && <p className="text-sm text-ink-soft">{detail}</p>}
      </div>
      <div className="flex flex-wrap justify-center gap-3">{children}</div>
    </div>
  );
}
