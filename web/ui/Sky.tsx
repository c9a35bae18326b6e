import { type ReactNode, useId, useMemo } from "react";
import { cloudsOf, hillsOf, type Star, starsOf } from "../../shared/sky-scene.ts";
import { skyVariables } from "./sky-variables.ts";

interface SkyProps {
  /** The time that sets hour and season. By default the reader's current time, set by `web/inline/sky-of-the-hour.ts`. */
  moment?: Date;
  /** Fixed number of stars at any hour; by default they appear at night only. */
  stars?: number;
  /** Seed of the random positions of stars, clouds and hills. */
  seed?: string;
  /** Whether text begins at the upper edge. Sun and moon then stay in the corner, in `.sky-head` above the title. */
  tall?: boolean;
  className?: string;
}

/** The number of stars at night. */
const NIGHT = 119;

/** A painted sky that fills its box at any aspect ratio. Shown for memories without a cover and on public pages. */
export function Sky({ moment, stars, seed = "skies", tall = false, className }: SkyProps) {
  const id = useId();
  const variables = useMemo(() => moment && skyVariables(moment), [moment]);
  const night = variables?.["--sky-stars"] !== 0;
  const scene = useMemo(() => paint(seed, stars ?? (night ? NIGHT : 0)), [seed, stars, night]);
  const ref = (name: string) => `url(#${id}${name})`;
  const at = tall ? "--sky-tall" : "--sky";
  return (
    <svg
      aria-hidden="true"
      className={className}
      width="100%"
      height="100%"
      style={{ ...variables, background: "var(--sky-band-1)", display: "block" }}
    >
      <defs>
        <linearGradient id={`${id}air`} x1="0" y1="0" x2="0" y2="1">
          {[0, 0.34, 0.62, 0.84].map((offset, i) => (
            <stop key={offset} offset={offset} style={{ stopColor: `var(--sky-band-${i})` }} />
          ))}
        </linearGradient>
        <Glow id={`${id}day`} opacities={[0.95, 0.5, 0.16, 0]} />
        <Glow id={`${id}night`} opacities={[0.5, 0.2, 0.06, 0]} />
        <radialGradient id={`${id}puff`}>
          {[1, 0.6, 0].map((opacity, i) => (
            <stop key={opacity} offset={i / 2} style={{ stopColor: "var(--sky-cloud)" }} stopOpacity={opacity} />
          ))}
        </radialGradient>
        {scene.hills.map((path, i) => (
          <linearGradient key={path} id={`${id}hill${i}`} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" style={{ stopColor: `var(--sky-hill-${i})` }} />
            <stop
              offset="1"
              style={{ stopColor: i < 2 ? "var(--sky-band-3)" : `var(--sky-hill-${i})` }}
              stopOpacity={i < 2 ? 0.85 : 1}
            />
          </linearGradient>
        ))}
        {/* The lit half, minus or plus the ellipse of the terminator. */}
        <mask id={`${id}lit`} maskUnits="userSpaceOnUse" x="-1" y="-1" width="2" height="2">
          <g style={{ transform: "scale(var(--sky-moon-side), 1)" }}>
            <rect y="-1" width="1" height="2" fill="#fff" />
            <circle r="1" style={{ transform: "scale(var(--sky-moon-bulge), 1)", fill: "var(--sky-moon-middle)" }} />
          </g>
        </mask>
      </defs>
      <rect width="100%" height="100%" fill={ref("air")} />
      {/* A given number of stars is visible by day, too. */}
      <svg
        aria-hidden="true"
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        fill="none"
        stroke="#fff8e8"
        strokeLinecap="round"
        style={{ opacity: stars === undefined ? "var(--sky-stars)" : "max(0.8, var(--sky-stars))" }}
      >
        {scene.stars.map(({ path, width, opacity }) => (
          <path key={path} d={path} strokeWidth={width} opacity={opacity} vectorEffect="non-scaling-stroke" />
        ))}
      </svg>
      <g style={{ transform: `translate(var(${at}-x), var(${at}-y))` }}>
        <g style={{ opacity: "var(--sky-sun)" }}>
          <circle r="34%" fill={ref("day")} />
          <Disc>
            <circle r="1" fill="#fffbee" opacity={0.94} />
          </Disc>
        </g>
        <g style={{ opacity: "var(--sky-moon)" }}>
          <circle r="16%" fill={ref("night")} />
          <Disc>
            <g transform="scale(0.8) rotate(-18)">
              <circle r="1" fill="#f4f1e2" opacity="0.07" />
              <circle r="1" fill="#f6f2e0" mask={ref("lit")} />
            </g>
          </Disc>
        </g>
      </g>
      <g style={{ opacity: "var(--sky-clouds)" }}>
        {scene.clouds.map((puff) => (
          <ellipse
            key={`${puff.x} ${puff.y}`}
            cx={`${puff.x}%`}
            cy={`${puff.y}%`}
            rx={`${puff.width / 2}%`}
            ry={`${puff.height}%`}
            fill={ref("puff")}
            opacity={puff.opacity}
          />
        ))}
      </g>
      <svg aria-hidden="true" y="58%" width="100%" height="42%" viewBox="0 0 1600 400" preserveAspectRatio="none">
        {scene.hills.map((path, i) => (
          <path key={path} d={path} fill={ref(`hill${i}`)} />
        ))}
      </svg>
    </svg>
  );
}

/** The light around the sun or the moon. */
function Glow({ id, opacities }: { id: string; opacities: number[] }) {
  return (
    <radialGradient id={id}>
      {[0, 0.22, 0.55, 1].map((offset, i) => (
        <stop key={offset} offset={offset} style={{ stopColor: "var(--sky-glow)" }} stopOpacity={opacities[i]} />
      ))}
    </radialGradient>
  );
}

/** A centred coordinate system in which the sun has a radius of 1. */
function Disc({ children }: { children: ReactNode }) {
  return (
    <svg aria-hidden="true" x="-5%" y="-5%" width="10%" height="10%" viewBox="-1.6 -1.6 3.2 3.2">
      {children}
    </svg>
  );
}

function paint(seed: string, stars: number) {
  return {
    stars: strokesOf(starsOf(seed, stars)),
    clouds: cloudsOf(seed, 5),
    hills: [hillsOf(`${seed} far`, 150, 46), hillsOf(`${seed} middle`, 225, 52), hillsOf(`${seed} near`, 310, 44)],
  };
}

/** Converts stars to short round strokes. Stars of similar size and brightness share one path. */
function strokesOf(stars: Star[]) {
  const strokes = new Map<string, { path: string; width: number; opacity: number }>();
  for (const { x, y, radius, brightness } of stars) {
    const [width, opacity] = [Math.round(radius * 5) / 2.5, Math.round(brightness * 5) / 5];
    const stroke = strokes.get(`${width} ${opacity}`) ?? { path: "", width, opacity };
    stroke.path += `M${x.toFixed(1)} ${y.toFixed(1)}h.1`;
    strokes.set(`${width} ${opacity}`, stroke);
  }
  return [...strokes.values()];
}
