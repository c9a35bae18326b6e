import type { ReactNode } from "react";
import { type EmptyMotif, EmptyPicture } from "./EmptyPicture.tsx";

interface EmptyProps {
  picture: EmptyMotif;
  title: string;
  text: string;
  /** Whether it is the page's only content, so that its title is the page's heading. */
  page?: boolean;
  /** A next step, usually one button. */
  children?: ReactNode;
}

/** The empty state of a list or page. */
export function Empty({ picture, title, text, page, children }: EmptyProps) {
  const Title = page ? "h1" : "p";
  return (
    <div className="mx-auto grid w-full max-w-prose grid-cols-[minmax(0,1fr)] justify-items-center gap-5 px-6 py-14 text-center">
      <EmptyPicture motif={picture} />
      <div className="grid gap-2">
        <Title className="font-serif text-2xl wrap-anywhere">{title}</Title>
        <p className="wrap-anywhere text-ink-soft">{text}</p>
      </div>
      {children}
    </div>
  );
}
