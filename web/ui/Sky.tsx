import { useId, useMemo } from "react";
import { skyColours } from "../../shared/sky-colours.ts";
import { cloudsOf, hillsOf, lightOf, moonPath, starsOf } from "../../shared/sky-scene.ts";

interface SkyProps {
  /** The hour and season to paint, by the reader's clock. */
  moment: Date;
  /** So many stars whatever the hour; left out, the night brings its own. */
  stars?: number;
  /** Whose sky it is: places of stars, clouds and hills are the same every time for the same seed. */
  seed?: string;
  /** Whether text begins right under its upper edge: then sun and moon keep to the corner. */
  tall?: boolean;
  className?: string;
}

/** A painted sky that fills its box at any shape: the face of a memory without a cover, and of the product. */
export function Sky({ moment, stars, seed = "skies", tall = false, className }: SkyProps) {
  const id = useId();
  const scene = useMemo(() => paint(moment, stars, seed, tall), [moment, stars, seed, tall]);
  const { bands, glow, cloud, hills, darkness } = scene.colours;
  const ref = (name: string) => `url(#${id}${name})`;
  const sun = scene.light.kind === "sun";
  return (
    <svg
      aria-hidden="true"
      className={className}
      width="100%"
      height="100%"
      style={{ background: bands[1], display: "block" }}
    >
      <defs>
        <linearGradient id={`${id}air`} x1="0" y1="0" x2="0" y2="1">
          {[0, 0.34, 0.62, 0.84].map((offset, i) => (
            <stop key={offset} offset={offset} stopColor={bands[i]} />
          ))}
        </linearGradient>
        <radialGradient id={`${id}glow`}>
          <stop offset="0" stopColor={glow} stopOpacity={sun ? 0.95 : 0.5} />
          <stop offset="0.22" stopColor={glow} stopOpacity={sun ? 0.5 : 0.2} />
          <stop offset="0.55" stopColor={glow} stopOpacity={sun ? 0.16 : 0.06} />
          <stop offset="1" stopColor={glow} stopOpacity="0" />
        </radialGradient>
        <radialGradient id={`${id}puff`}>
          <stop offset="0" stopColor={cloud} />
          <stop offset="0.5" stopColor={cloud} stopOpacity="0.6" />
          <stop offset="1" stopColor={cloud} stopOpacity="0" />
        </radialGradient>
        {hills.map((hill, i) => (
          <linearGradient key={`hill${String(i)}`} id={`${id}hill${i}`} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor={hill} />
            <stop offset="1" stopColor={i < 2 ? bands[3] : hill} stopOpacity={i < 2 ? 0.85 : 1} />
          </linearGradient>
        ))}
      </defs>
      <rect width="100%" height="100%" fill={ref("air")} />
      {scene.stars.map((star) => (
        <circle
          key={`${star.x} ${star.y}`}
          cx={`${star.x}%`}
          cy={`${star.y}%`}
          r={star.radius}
          fill="#fff8e8"
          opacity={star.brightness * scene.starlight}
        />
      ))}
      <circle cx={`${scene.light.x}%`} cy={`${scene.light.y}%`} r={sun ? "34%" : "16%"} fill={ref("glow")} />
      <svg
        aria-hidden="true"
        x={`${scene.light.x - 5}%`}
        y={`${scene.light.y - 5}%`}
        width="10%"
        height="10%"
        viewBox="-1.6 -1.6 3.2 3.2"
      >
        {sun ? (
          <circle r="1" fill="#fffbee" opacity={0.94} />
        ) : (
          <g transform="scale(0.8) rotate(-18)">
            <circle r="1" fill="#f4f1e2" opacity="0.07" />
            <path d={moonPath(scene.light.phase)} fill="#f6f2e0" />
          </g>
        )}
      </svg>
      {scene.clouds.map((puff) => (
        <ellipse
          key={`${puff.x} ${puff.y}`}
          cx={`${puff.x}%`}
          cy={`${puff.y}%`}
          rx={`${puff.width / 2}%`}
          ry={`${puff.height}%`}
          fill={ref("puff")}
          opacity={puff.opacity * (1 - darkness * 0.45)}
        />
      ))}
      <svg aria-hidden="true" y="58%" width="100%" height="42%" viewBox="0 0 1600 400" preserveAspectRatio="none">
        {scene.hills.map((path, i) => (
          <path key={path} d={path} fill={ref(`hill${i}`)} />
        ))}
      </svg>
    </svg>
  );
}

function paint(moment: Date, stars: number | undefined, seed: string, tall: boolean) {
  const colours = skyColours(moment);
  const wanted = stars ?? Math.round(Math.max(0, colours.darkness - 0.3) * 170);
  return {
    colours,
    light: lightOf(moment, tall),
    stars: starsOf(seed, wanted),
    // Stars that were asked for are seen by day too.
    starlight: stars === undefined ? colours.darkness : Math.max(0.8, colours.darkness),
    clouds: cloudsOf(seed, 5),
    hills: [hillsOf(`${seed} far`, 150, 46), hillsOf(`${seed} middle`, 225, 52), hillsOf(`${seed} near`, 310, 44)],
  };
}
