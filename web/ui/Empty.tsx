import type { ReactNode } from "react";
import { type EmptyMotif, EmptyPicture } from "./EmptyPicture.tsx";

interface EmptyProps {
  picture: EmptyMotif;
  title: string;
  text: string;
  /** It is all there is on the page: its title is the page's heading. */
  page?: boolean;
  /** What to do about it, usually one button. */
  children?: ReactNode;
}

/** What a list shows before it has anything in it. */
export function Empty({ picture, title, text, page, children }: EmptyProps) {
  const Title = page ? "h1" : "p";
  return (
    <div className="mx-auto grid max-w-prose justify-items-center gap-5 px-6 py-14 text-center">
      <EmptyPicture motif={picture} />
      <div className="grid gap-2">
        <Title className="font-serif text-2xl wrap-anywhere">{title}</Title>
        <p className="wrap-anywhere text-ink-soft">{text}</p>
      </div>
      {children}
    </div>
  );
}
