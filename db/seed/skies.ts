export type Hour = "dawn" | "morning" | "noon" | "golden" | "dusk" | "night";

interface Sky {
  /** From the zenith to the horizon. */
  stops: string[];
  /** Height above the horizon and radius, as shares of the picture's height. */
  sun: { colour: string; height: number; size: number };
  /** The colour of the mist between lines of hills. */
  mist: string;
  /** The amount of cloud, from 0 (none) to 4 (a lot). */
  clouds: number;
  stars: number;
  /** The colour of a line of hills, from 0 (the farthest) to 1 (the nearest). */
  land: (near: number) => string;
}

export const skies: Record<Hour, Sky> = {
  dawn: {
    stops: ["#7f9cc0", "#c3bfd6", "#f3d3c8", "#fbe6cf"],
    sun: { colour: "#fff1da", height: 0.1, size: 0.028 },
    mist: "#f6e2d8",
    clouds: 2.4,
    stars: 0,
    land: between([158, 158, 182], [54, 68, 74]),
  },
  morning: {
    stops: ["#5b93c7", "#93bfe0", "#cfe4ee", "#eef3ec"],
    sun: { colour: "#fffbe9", height: 0.36, size: 0.03 },
    mist: "#e9f1ef",
    clouds: 3.4,
    stars: 0,
    land: between([146, 176, 184], [58, 92, 62]),
  },
  noon: {
    stops: ["#3f86c6", "#6eabdc", "#a9d0ea", "#dcecf2"],
    sun: { colour: "#ffffff", height: 0.5, size: 0.024 },
    mist: "#dfecef",
    clouds: 3.8,
    stars: 0,
    land: between([132, 172, 178], [76, 116, 60]),
  },
  golden: {
    stops: ["#6d8fb3", "#b7b1b0", "#efc48b", "#f9dca4"],
    sun: { colour: "#fff0c4", height: 0.13, size: 0.034 },
    mist: "#f6d6a2",
    clouds: 2.6,
    stars: 0,
    land: between([190, 158, 122], [66, 58, 42]),
  },
  dusk: {
    stops: ["#2f3f6b", "#6f5f8e", "#c9828c", "#f0b08a"],
    sun: { colour: "#ffd9ae", height: 0.03, size: 0.03 },
    mist: "#c98f93",
    clouds: 2.2,
    stars: 26,
    land: between([122, 94, 122], [30, 34, 52]),
  },
  night: {
    stops: ["#0b1430", "#152449", "#2a3c66", "#4a5a80"],
    sun: { colour: "#eef2ff", height: 0.38, size: 0.022 },
    mist: "#3c4c74",
    clouds: 0,
    stars: 420,
    land: between([52, 66, 100], [10, 16, 30]),
  },
};

/** Interpolates between two colours, given as red, green and blue from 0 to 255. */
function between(far: [number, number, number], near: [number, number, number]) {
  return (share: number) =>
    `rgb(${far.map((part, index) => Math.round(part + ((near[index] ?? part) - part) * share)).join(" ")})`;
}
