/** A line of hills. Fractions are of the picture's height. */
export interface Ridge {
  /** The middle, as a fraction from the top. */
  at: number;
  /** The height of the longest wave, as a fraction. */
  rise: number;
  /** How quickly shorter waves fade: 1.6 is rugged, 3 is rolling. */
  smoothness: number;
  /** The chance of a tree every few pixels. */
  trees: number;
}

interface Scene {
  /** The lower edge of the sky, as a fraction of the height. */
  horizon: number;
  water?: boolean;
  flowers?: boolean;
  /** The farthest first. */
  ridges: Ridge[];
}

export type Place = "hills" | "mountains" | "lake" | "sea" | "meadow" | "wood";

export const places: Record<Place, Scene> = {
  hills: {
    horizon: 0.6,
    ridges: [
      { at: 0.56, rise: 0.035, smoothness: 2.2, trees: 0 },
      { at: 0.64, rise: 0.045, smoothness: 2.5, trees: 0.02 },
      { at: 0.74, rise: 0.05, smoothness: 2.8, trees: 0.05 },
      { at: 0.88, rise: 0.05, smoothness: 3, trees: 0.03 },
    ],
  },
  mountains: {
    horizon: 0.62,
    ridges: [
      { at: 0.4, rise: 0.09, smoothness: 1.65, trees: 0 },
      { at: 0.54, rise: 0.075, smoothness: 1.75, trees: 0 },
      { at: 0.68, rise: 0.06, smoothness: 1.9, trees: 0.05 },
      { at: 0.86, rise: 0.045, smoothness: 2.2, trees: 0.3 },
    ],
  },
  lake: {
    horizon: 0.58,
    water: true,
    ridges: [
      { at: 0.5, rise: 0.05, smoothness: 1.9, trees: 0 },
      { at: 0.555, rise: 0.025, smoothness: 2.1, trees: 0.12 },
    ],
  },
  sea: { horizon: 0.55, water: true, ridges: [] },
  meadow: {
    horizon: 0.55,
    flowers: true,
    ridges: [
      { at: 0.55, rise: 0.02, smoothness: 2.4, trees: 0.18 },
      { at: 0.62, rise: 0.02, smoothness: 3, trees: 0 },
      { at: 0.8, rise: 0.03, smoothness: 3, trees: 0 },
    ],
  },
  wood: {
    horizon: 0.6,
    ridges: [
      { at: 0.5, rise: 0.03, smoothness: 2, trees: 0.35 },
      { at: 0.62, rise: 0.03, smoothness: 2, trees: 0.5 },
      { at: 0.8, rise: 0.04, smoothness: 2.2, trees: 0.6 },
    ],
  },
};
