import { useId } from "react";

const SHORT = { "on phones": "max-sm:sr-only", "with large text": "@max-[16rem]:sr-only" };

/** The product's logo and name. `short` says where only the logo is visible. Large text is measured by the container. */
export function Wordmark({ short }: { short?: keyof typeof SHORT }) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2.5 font-serif text-2xl leading-none font-medium tracking-tight text-current">
      <svg aria-hidden="true" viewBox="0 0 64 64" className="size-8 shrink-0">
        <defs>
          <linearGradient id={`${id}sky`} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor="#1f5f74" />
            <stop offset="0.6" stopColor="#7fd6cb" />
            <stop offset="1" stopColor="#fbe3bf" />
          </linearGradient>
          <clipPath id={`${id}edge`}>
            <rect width="64" height="64" rx="20" />
          </clipPath>
        </defs>
        <g clipPath={`url(#${id}edge)`}>
          <rect width="64" height="64" fill={`url(#${id}sky)`} />
          <circle cx="32" cy="40" r="11" fill="#fff7e2" />
          <path d="M0 48c12-7 22-7 32-2s22 4 32-3v21H0z" fill="#12505a" />
        </g>
      </svg>
      <span className={short && SHORT[short]}>Skies</span>
    </span>
  );
}
