import { useId } from "react";
import { classNames } from "../../ui/class-names.ts";

/** A candle whose flame moves while it is lit, unless reduced motion is requested. */
export function Flame({ lit, className }: { lit: boolean; className?: string }) {
  const id = useId();
  return (
    <svg aria-hidden viewBox="0 0 32 56" className={classNames("overflow-visible", className)}>
      <defs>
        <radialGradient id={`${id}-glow`}>
          <stop offset="0" stopColor="#ffd27a" stopOpacity="0.75" />
          <stop offset="1" stopColor="#ffb14a" stopOpacity="0" />
        </radialGradient>
        <linearGradient id={`${id}-flame`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#ffb347" />
          <stop offset="0.55" stopColor="#ffdf8e" />
          <stop offset="1" stopColor="#fff6d8" />
        </linearGradient>
        <linearGradient id={`${id}-wax`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#fff1cf" />
          <stop offset="1" stopColor="#e6d3ae" />
        </linearGradient>
      </defs>
      {lit && <circle cx="16" cy="17" r="20" fill={`url(#${id}-glow)`} className="motion-safe:animate-breathe" />}
      <rect x="9" y="30" width="14" height="25" rx="3" fill={`url(#${id}-wax)`} stroke="#a08a5f" strokeWidth="0.75" />
      <path d="M9 33q3 4 5 1t4 1 5-2" fill="none" stroke="#cdb78a" strokeWidth="1" />
      <path d="M16 31v-6" stroke="#4a3b28" strokeWidth="1.4" strokeLinecap="round" />
      {lit && (
        <g className="motion-safe:animate-flicker origin-[16px_27px]">
          <path d="M16 3c1 6 7 10 7 16.5a7 7 0 0 1-14 0C9 13 15 9 16 3z" fill={`url(#${id}-flame)`} />
          <path d="M16 15c.5 3 3 4.5 3 7.5a3 3 0 0 1-6 0c0-3 2.5-4.5 3-7.5z" fill="#fffdf2" opacity="0.85" />
        </g>
      )}
    </svg>
  );
}
