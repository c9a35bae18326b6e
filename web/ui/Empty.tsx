import type { ReactNode } from "react";

interface EmptyProps {
  title: string;
  text: string;
  /** What to do about it, usually one button. */
  children?: ReactNode;
}

/** What a list shows before it has anything in it. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div className="mx-auto grid max-w-prose justify-items-center gap-5 px-6 py-14 text-center">
      <span aria-hidden className="sunrise sunrise-still" />
      <div className="grid gap-2">
        <p className="font-serif text-2xl">{title}</p>
        <p className="text-ink-soft">{text}</p>
      </div>
      {children}
    </div>
  );
}
