import { contrast, mix, over } from "./colour-mix.ts";

/** The colours of a sky as #rrggbb. */
export interface SkyColours {
  /** Colours from the zenith down to the horizon. */
  bands: [string, string, string, string];
  /** The light around the sun or the moon. */
  glow: string;
  cloud: string;
  /** Colours of the hills, farthest range first. */
  hills: [string, string, string];
  /** From 0 by day to 1 in deep night. */
  darkness: number;
}

type Frame = [
  hour: number,
  bands: SkyColours["bands"],
  glow: string,
  cloud: string,
  hills: SkyColours["hills"],
  darkness: number,
];

// Colours over a model day with sunrise at 6 and sunset at 19. Hours of real days are scaled to it.
const frames: Frame[] = [
  [0, ["#060c1d", "#0b1632", "#14264a", "#21395d"], "#c9d8ee", "#22365a", ["#1a2c4a", "#101f38", "#091325"], 1],
  [4.2, ["#081028", "#101f47", "#243a68", "#40557f"], "#c9d8ee", "#34486f", ["#1f3152", "#13223d", "#0a1528"], 0.95],
  [5.3, ["#16224f", "#3a3f78", "#8a6088", "#e3a184"], "#ffcf9c", "#a9728d", ["#4a4a74", "#2a3258", "#151f3c"], 0.55],
  [6.1, ["#33528f", "#7a83b2", "#d9a3a4", "#fbcf9d"], "#ffe0ad", "#f3c3b4", ["#8d7f9e", "#515a82", "#2b3a5c"], 0.15],
  [7.3, ["#6aa6d3", "#a3c9de", "#f0d8bf", "#fde8c0"], "#fff0cd", "#fff1e2", ["#a5b3b9", "#5f8f97", "#2f666f"], 0],
  [9.5, ["#6cb2de", "#98cbe6", "#c9e5ec", "#f0f3e2"], "#fffbe8", "#ffffff", ["#a3d0cd", "#5fa5a3", "#2c7475"], 0],
  [13, ["#5aa9dc", "#8ac6e6", "#bbe1ec", "#e4f3ee"], "#fffdf0", "#ffffff", ["#97ccc9", "#559f9d", "#266d6e"], 0],
  [16.6, ["#68a9d3", "#9fcadd", "#dbe3d3", "#fae6bd"], "#fff2cf", "#fff6e6", ["#a7c3b6", "#6a9a92", "#2f6a69"], 0],
  [18.2, ["#5d86b8", "#a6aec8", "#efc2ab", "#fdd49a"], "#ffe1a8", "#ffd9c0", ["#ab9aa4", "#6a7288", "#344f66"], 0.05],
  [19.1, ["#27376f", "#6a5a8c", "#c97f8a", "#f8bd86"], "#ffcb8f", "#d98d90", ["#6f5f86", "#40446c", "#222c4d"], 0.35],
  [20.2, ["#121c45", "#2b3068", "#5f4f80", "#a8758a"], "#f0a58c", "#6d5684", ["#373b66", "#20284c", "#111a35"], 0.7],
  [21.6, ["#091129", "#12214a", "#22386a", "#37507c"], "#c9d8ee", "#2f456e", ["#1e3052", "#12213c", "#0a1428"], 0.95],
  [24, ["#060c1d", "#0b1632", "#14264a", "#21395d"], "#c9d8ee", "#22365a", ["#1a2c4a", "#101f38", "#091325"], 1],
];

const SUNRISE = 6;
const SUNSET = 19;

/** Returns sunrise and sunset in hours at 45° north, by the elapsed share of the year (0 to 1). */
function sunTimes(yearShare: number): { rise: number; set: number } {
  // Midsummer is at 0.47 of the year. The sun is highest at 12:24.
  const half = 6.05 + 1.6 * Math.cos(2 * Math.PI * (yearShare - 0.47));
  return { rise: 12.4 - half, set: 12.4 + half };
}

/** Returns the elapsed share of the year at a moment, 0 to 1. */
export const yearShareOf = (moment: Date): number => ((moment.getMonth() + (moment.getDate() - 1) / 31) / 12) % 1;

/** Returns the local hour of a moment, with minutes as a fraction. */
export const hourOf = (moment: Date): number => moment.getHours() + moment.getMinutes() / 60;

/** Converts a moment to the hour of the model day, on which the sun rises at 6 and sets at 19. */
export function solarHour(moment: Date): number {
  const hour = hourOf(moment);
  const { rise, set } = sunTimes(yearShareOf(moment));
  if (hour < rise) return (hour / rise) * SUNRISE;
  if (hour < set) return SUNRISE + ((hour - rise) / (set - rise)) * (SUNSET - SUNRISE);
  return SUNSET + ((hour - set) / (24 - set)) * (24 - SUNSET);
}

/** Returns the colours of the sky at a local time, by its hour and season. */
export function skyColours(moment: Date): SkyColours {
  const hour = solarHour(moment);
  const after = Math.max(
    1,
    frames.findIndex((frame) => frame[0] >= hour),
  );
  const [from, to] = [frames[after - 1] as Frame, frames[after] as Frame];
  const share = (hour - from[0]) / (to[0] - from[0]);
  const blend = (first: string, second: string) => mix(first, second, share);
  const darkness = from[5] + (to[5] - from[5]) * share;
  const season = seasonTint(yearShareOf(moment));
  return {
    bands: from[1].map((band, i) => blend(band, to[1][i] ?? band)) as SkyColours["bands"],
    glow: blend(from[2], to[2]),
    cloud: blend(from[3], to[3]),
    hills: from[4].map((hill, i) =>
      mix(blend(hill, to[4][i] ?? hill), season, 0.22 * (1 - darkness)),
    ) as SkyColours["hills"],
    darkness,
  };
}

/** Returns the tint of the hills by season: snow, young green, deep green, gold. */
function seasonTint(yearShare: number): string {
  const tints = ["#c3d5e0", "#7fb48f", "#2f8f6f", "#c08a4c"];
  const place = ((yearShare + 1 - 0.04) % 1) * 4;
  const index = Math.floor(place);
  return mix(tints[index % 4] as string, tints[(index + 1) % 4] as string, place - index);
}

export interface SkyText {
  colour: string;
  /** The colour of a layer between sky and text. Its opacity is 0 if none is needed. */
  veil: string;
  veilOpacity: number;
}

const WRITING = [
  { colour: "#ffffff", veil: "#0a1428" },
  { colour: "#0c1f2e", veil: "#ffffff" },
];

/** Returns the text colour on a sky above the horizon, and the lightest veil that gives WCAG AA contrast. */
export function textOnSky({ bands }: SkyColours): SkyText {
  const behind = bands.slice(0, 3);
  for (let percent = 0; ; percent += 2) {
    const veilOpacity = percent / 100;
    const readable = WRITING.find(({ colour, veil }) =>
      behind.every((band) => contrast(colour, over(veil, band, veilOpacity)) >= 4.6),
    );
    if (readable) return { ...readable, veilOpacity };
  }
}
