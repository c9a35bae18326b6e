import { type ReactNode, useId } from "react";

/** The motifs that stand on the hill, drawn in a box of 160 by 110 units; the ground is at 88. */
const MOTIFS = {
  photos: (
    <>
      <g transform="rotate(-7 62 66)">
        <rect x="42" y="48" width="42" height="36" rx="3" className="fill-raised stroke-edge" />
        <path d="M46 76l10-12 8 8 5-6 11 14H46z" className="fill-wash stroke-none" />
      </g>
      <g transform="rotate(5 100 64)">
        <rect x="78" y="42" width="46" height="42" rx="3" className="fill-raised stroke-edge" />
        <path d="M83 74l12-15 9 10 6-7 9 12z" className="fill-deep stroke-none" />
        <circle cx="111" cy="53" r="4" className="fill-[#f3a97f] stroke-none" />
      </g>
    </>
  ),
  stories: (
    <>
      <path
        d="M80 60c-10-7-23-8-35-5v31c12-3 25-2 35 5 10-7 23-8 35-5V55c-12-3-25-2-35 5z"
        className="fill-raised stroke-edge"
      />
      <path
        d="M80 60v31M53 63c7-1 13 0 19 2M53 71c7-1 13 0 19 2M88 65c6-2 12-3 19-2M88 73c6-2 12-3 19-2"
        className="stroke-edge"
      />
    </>
  ),
  albums: (
    <>
      <path d="M52 46h56v42H52z" transform="rotate(-5 80 68)" className="fill-wash stroke-edge" />
      <rect x="50" y="50" width="60" height="40" rx="4" className="fill-deep stroke-edge" />
      <rect x="64" y="59" width="32" height="22" rx="2" className="fill-raised stroke-none" />
      <path d="M58 50v40" className="stroke-raised" />
    </>
  ),
  cards: (
    <g transform="rotate(-8 80 68)">
      <rect x="44" y="46" width="72" height="44" rx="6" className="fill-raised stroke-edge" />
      <path d="M54 62h26M54 71h18" className="stroke-edge" />
      <path
        d="M90 57h6v6h-6zM102 57h6v6h-6zM90 69h6v6h-6zM102 69h3v3h-3zM106 74h2v2h-2z"
        className="fill-deep stroke-none"
      />
    </g>
  ),
  cart: (
    <>
      <path d="M54 58h52l-5 33H59z" className="fill-raised stroke-edge" />
      <path d="M67 64V52a13 13 0 0 1 26 0v12" className="stroke-edge" />
    </>
  ),
  orders: (
    <>
      <path d="M50 58l30-11 30 11v26L80 95 50 84z" className="fill-raised stroke-edge" />
      <path d="M50 58l30 11 30-11M80 69v26" className="stroke-edge" />
      <path d="M65 52.500l30 11.500v9" className="stroke-deep" />
    </>
  ),
  notices: (
    <>
      <path d="M62 82V66a18 18 0 0 1 36 0v16l6 6H56z" className="fill-raised stroke-edge" />
      <path d="M80 48v-5M74 92a6 6 0 0 0 12 0" className="stroke-edge" />
    </>
  ),
  email: (
    <>
      <rect x="48" y="50" width="64" height="42" rx="4" className="fill-raised stroke-edge" />
      <path d="M49 54l31 22 31-22" className="stroke-edge" />
    </>
  ),
  signpost: (
    <>
      <path d="M80 46v44" className="stroke-edge" strokeWidth="4" />
      <path d="M58 50h38l8 7-8 7H58z" className="fill-raised stroke-edge" />
      <path d="M102 69H70l-7 6 7 6h32z" className="fill-wash stroke-edge" />
    </>
  ),
  done: (
    <>
      <circle cx="80" cy="68" r="21" className="fill-raised stroke-edge" />
      <path d="M70 69l7 7 14-16" className="stroke-deep" strokeWidth="3" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type EmptyMotif = keyof typeof MOTIFS;

/** A drawing for an empty list: a rising sun, and a hill with a motif of the list's content. */
export function EmptyPicture({ motif }: { motif: EmptyMotif }) {
  const id = useId();
  return (
    <svg aria-hidden="true" viewBox="0 0 160 110" className="h-auto w-44 max-w-full overflow-hidden rounded-4xl">
      <defs>
        <linearGradient id={id} x2="0" y2="1">
          <stop offset="0" className="[stop-color:var(--empty-top)]" />
          <stop offset="1" className="[stop-color:var(--empty-low)]" />
        </linearGradient>
      </defs>
      <rect width="160" height="110" fill={`url(#${id})`} />
      <circle cx="122" cy="38" r="13" className="fill-[#ffdf9f] opacity-90" />
      <path d="M0 92c30-14 62-16 92-7 26 7 46 5 68-4v29H0z" className="fill-[var(--empty-hill)]" />
      <g fill="none" strokeWidth="2" strokeLinejoin="round" strokeLinecap="round">
        {MOTIFS[motif]}
      </g>
    </svg>
  );
}
