declare module "heic-decode" {
  /** The upright pixels of a HEIC picture, four bytes (RGBA) each; rejects when it is none. */
  export default function decode(input: {
    buffer: Uint8Array;
  }): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
}
