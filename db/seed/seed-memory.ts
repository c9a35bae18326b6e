import type { Landscape } from "./landscape.ts";

/** A member of an invented family. Nobody in it exists, and its pictures are drawn. */
export interface SeedPerson {
  fullName: string;
  email: string;
  /** The person's plan. Without one, the free plan's limits apply. */
  plan?: string;
  memories: SeedMemory[];
}

export interface SeedMemory {
  kind: "tribute" | "event";
  person_name: string;
  description: string;
  birth_date?: string;
  passing_date?: string;
  event_date?: string;
  /** The PIN of the memory's link. */
  pin?: string;
  /** The dates on the metal card that opens the memory; without it, there is no card. */
  card?: string;
  photos: SeedPhoto[];
}

export interface SeedPhoto extends Landscape {
  fileName: string;
  /** Makes the photo the cover, with this focal point: whole faces stay in view on phones and wide screens. */
  cover?: { x: number; y: number };
}

/** Sizes of pictures in pixels. */
export const WIDE = { width: 2048, height: 1365 };
export const TALL = { width: 1365, height: 2048 };
export const LONG = { width: 2400, height: 1200 };
