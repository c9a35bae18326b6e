import type { ReactNode } from "react";
import { Link } from "react-router";

interface CoverCardProps {
  to: string;
  name: string;
  /** The cover or sky; it fills its box. */
  picture: ReactNode;
  /** The lines under the name. */
  children: ReactNode;
}

/** The `sizes` attribute of the picture of a card. */
export const CARD_SIZES = "(min-width: 1280px) 400px, (min-width: 640px) 50vw, 100vw";

/**
 * A memory or an album in a list: its cover and its name, which has its own ground under the photo, because a face may be
 * anywhere in it. All cards of a row have the same height.
 */
export function CoverCard({ to, name, picture, children }: CoverCardProps) {
  return (
    <div className="relative grid min-h-88 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(10rem,1fr)_auto] sm:min-h-100 overflow-clip rounded-3xl border border-line bg-raised shadow-soft transition-shadow duration-300 ease-out focus-within:shadow-lifted group-hover:shadow-lifted">
      <div className="relative overflow-clip">
        <div className="absolute inset-0 transition-transform duration-300 ease-out group-hover:scale-[1.02]">
          {picture}
        </div>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5 px-5 pt-3 pb-4 sm:px-6">
        <h2 dir="auto" className="line-clamp-2 font-serif text-2xl leading-tight wrap-anywhere sm:text-[1.75rem]">
          <Link
            to={to}
            className="text-ink no-underline outline-none after:absolute after:inset-0 after:rounded-3xl focus-visible:after:outline-3 focus-visible:after:-outline-offset-4 focus-visible:after:outline-deep"
          >
            {name}
          </Link>
        </h2>
        {children}
      </div>
    </div>
  );
}
