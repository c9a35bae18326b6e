import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type RingTone = "blue" | "amber" | "red";

interface RingProps {
  /** The filled part, from 0 to 1; undefined if unknown. */
  value: number | undefined;
  tone: RingTone;
  /** Line width as a fraction of the ring's width. */
  thickness?: number;
  /** Classes that set the size. */
  className?: string;
  /** The content inside the ring. */
  children?: ReactNode;
}

const tones: Record<RingTone, string> = { blue: "text-blue", amber: "text-amber", red: "text-red" };
// In a viewBox of a few units, browsers measure a circle's length with an error of up to a tenth.
const SIDE = 100;
// Smallest drawn fraction, so that a small value stays visible.
const LEAST = 0.02;

/** A ring that fills clockwise from the top. Decorative: the caller provides the accessible text. */
export function Ring({ value, tone, thickness = 0.1, className, children }: RingProps) {
  const width = thickness * SIDE;
  const circle = { cx: SIDE / 2, cy: SIDE / 2, r: (SIDE - width) / 2, fill: "none", strokeWidth: width };
  const filled = value === undefined || value <= 0 ? 0 : Math.min(1, Math.max(LEAST, value));
  return (
    <span
      aria-hidden
      className={classNames("relative inline-grid shrink-0 place-items-center", tones[tone], className)}
    >
      <svg aria-hidden="true" viewBox={`0 0 ${SIDE} ${SIDE}`} className="absolute inset-0 size-full -rotate-90">
        <circle {...circle} className="stroke-edge/45" strokeDasharray={value === undefined ? "12 12" : undefined} />
        {filled > 0 && (
          <circle
            {...circle}
            pathLength={100}
            strokeDasharray={`${filled * 100} 100`}
            strokeLinecap={filled < 1 ? "round" : "butt"}
            className="stroke-current transition-[stroke-dasharray] duration-300 ease-out"
          />
        )}
      </svg>
      {children}
    </span>
  );
}
