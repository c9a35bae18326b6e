import { useMemo } from "react";
import { classNames } from "../ui/class-names.ts";

/** The drawing's height, and half of the height of the smallest line. */
const HEIGHT = 36;
const LEAST = 0.8;

interface WaveProps {
  /** The loudness of each part as a digit in base 36; null draws a line of dots. */
  peaks: string | null;
  /** The number of lines. */
  lines: number;
  /** The part that was played, from 0 to 1. */
  played?: number;
  className?: string;
}

/** The wave of a recording. It repeats what is said beside it, so screen readers skip it. */
export function Wave({ peaks, lines, played = 1, className }: WaveProps) {
  const path = useMemo(() => wavePath(levelsOf(peaks, lines)), [peaks, lines]);
  const width = lines * 2;
  const line = { d: path, strokeWidth: 3, strokeLinecap: "round", vectorEffect: "non-scaling-stroke" } as const;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      fill="none"
      stroke="currentColor"
      className={classNames("block overflow-visible", className)}
    >
      {played < 1 && <path {...line} opacity={0.35} />}
      {played > 0 && (
        <path {...line} style={played < 1 ? { clipPath: `inset(-10% ${100 - played * 100}% -10% -1%)` } : undefined} />
      )}
    </svg>
  );
}

/** The levels of so many lines, from 0 to 1: the loudest of the parts that each stands for. */
export function levelsOf(peaks: string | null, lines: number): number[] {
  const digits = [...(peaks ?? "0")].map((digit) => Number.parseInt(digit, 36) / 35);
  return Array.from({ length: lines }, (_, line) => {
    const from = Math.floor((line * digits.length) / lines);
    const to = Math.max(from + 1, Math.floor(((line + 1) * digits.length) / lines));
    return Math.max(...digits.slice(from, to));
  });
}

const wavePath = (levels: readonly number[]) =>
  levels
    .map((level, index) => {
      const half = Math.max(LEAST, (level * HEIGHT) / 2).toFixed(1);
      return `M${index * 2 + 1} ${HEIGHT / 2 - Number(half)}v${Number(half) * 2}`;
    })
    .join("");
