import { solarHour } from "./sky-colours.ts";

/** Creates a generator of pseudorandom numbers from 0 to 1, by seed (mulberry32 over an FNV-1a hash). */
export function seeded(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Star {
  /** In percent of the sky's width and height. */
  x: number;
  y: number;
  /** In pixels. */
  radius: number;
  brightness: number;
}

/** Returns stars over the upper two thirds of a sky, denser towards the zenith. */
export function starsOf(seed: string, count: number): Star[] {
  const next = seeded(`stars ${seed}`);
  return Array.from({ length: count }, () => ({
    x: round(next() * 100),
    y: round(next() ** 1.35 * 66),
    radius: round(0.6 + next() ** 3 * 1.3),
    brightness: round(0.45 + next() * 0.55),
  }));
}

/** Returns hills as an SVG path in a box of 1600 by 400, closed at the bottom. `height` is their position, 0 to 400. */
export function hillsOf(seed: string, height: number, roughness: number): string {
  const next = seeded(`hills ${seed}`);
  const waves = [1.2, 1.9, 3.3].map((frequency, i) => ({
    frequency: frequency * (0.8 + next() * 0.4),
    phase: next() * Math.PI * 2,
    reach: (roughness * (0.8 + next() * 0.4)) / (i + 1) ** 1.3,
  }));
  const points = Array.from({ length: 41 }, (_, i) => {
    const rise = waves.reduce(
      (sum, wave) => sum + wave.reach * Math.sin((i / 40) * wave.frequency * Math.PI * 2 + wave.phase),
      0,
    );
    return `${i * 40} ${Math.round(height - rise)}`;
  });
  return `M0 400L${points.join("L")}L1600 400Z`;
}

export interface Puff {
  x: number;
  y: number;
  width: number;
  height: number;
  opacity: number;
}

/** Returns clouds, each of a few puffs along a line; positions and sizes in percent of the sky. */
export function cloudsOf(seed: string, count: number): Puff[] {
  const next = seeded(`clouds ${seed}`);
  return Array.from({ length: count }, (_, cloud) => {
    const [x, y] = [((cloud + next()) / count) * 110 - 5, 34 + next() * 26];
    const [width, opacity] = [13 + next() * 17, 0.3 + next() * 0.4];
    return Array.from({ length: 5 }, (_, puff) => ({
      x: round(x + (puff - 2) * width * 0.34 + next() * 3),
      y: round(y - (2 - Math.abs(puff - 2)) * 0.9 + next() * 1.2),
      width: round(width * (0.5 + next() * 0.35)),
      height: round(1.6 + next() * 2.6),
      opacity: round(opacity),
    }));
  }).flat();
}

export interface Light {
  kind: "sun" | "moon";
  /** In percent of the sky's width and height. */
  x: number;
  y: number;
  /** The moon's phase: 0 new, 0.5 full, 1 new again. */
  phase: number;
}

const NEW_MOON = Date.UTC(2000, 0, 6, 18, 14);
const LUNATION_MS = 29.530588 * 86_400_000;

/**
 * Returns the position of the sun by day or the moon by night, on an arc in the upper right of the sky, because
 * headings are at the left and the bottom. In a `tall` sky, on a phone with text right below the header, it stays in
 * the corner.
 */
export function lightOf(moment: Date, tall = false): Light {
  const hour = solarHour(moment);
  const sun = hour >= 5.4 && hour < 19.6;
  const progress = sun ? (hour - 5.4) / 14.2 : ((hour + 24 - 19.6) % 24) / 9.8;
  const lunations = (moment.getTime() - NEW_MOON) / LUNATION_MS;
  return {
    kind: sun ? "sun" : "moon",
    x: round(tall ? 80 + progress * 11 : 66 + progress * 24),
    y: round(tall ? 17 - Math.sin(progress * Math.PI) * 3 : 38 - Math.sin(progress * Math.PI) * 22),
    phase: lunations - Math.floor(lunations),
  };
}

/** Returns the lit part of the moon as an SVG path in a circle of radius 1 around the origin. */
export function moonPath(phase: number): string {
  const waxing = phase < 0.5;
  const bulge = Math.cos(phase * Math.PI * 2);
  // The limb is a half circle; the terminator half an ellipse that bends with the phase.
  const terminator = bulge > 0 === waxing ? 0 : 1;
  return `M0 -1A1 1 0 0 ${waxing ? 1 : 0} 0 1A${round(Math.abs(bulge))} 1 0 0 ${terminator} 0 -1Z`;
}

const round = (value: number) => Math.round(value * 100) / 100;
