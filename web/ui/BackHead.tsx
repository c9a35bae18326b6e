import { ArrowLeft } from "lucide-react";
import { Link } from "react-router";

interface BackHeadProps {
  /** The path of the page to which this one belongs. */
  to: string;
  /** The text of the link back. */
  back: string;
  title: string;
  text: string;
}

/** Renders the head of a page that belongs to another one: the way back, the title, and what the page is for. */
export function BackHead({ to, back, title, text }: BackHeadProps) {
  return (
    <div className="grid gap-3">
      <p>
        <Link
          to={to}
          className="inline-flex min-h-11 items-center gap-2 font-semibold text-deep no-underline hover:underline"
        >
          <ArrowLeft aria-hidden className="size-5 shrink-0" />
          <span className="wrap-anywhere">{back}</span>
        </Link>
      </p>
      <h1 className="font-serif text-4xl sm:text-5xl">{title}</h1>
      <p className="max-w-prose text-ink-soft">{text}</p>
    </div>
  );
}
