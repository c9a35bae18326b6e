/** The transfer functions of HDR, under ffmpeg's names: PQ (HDR10, Dolby Vision 8.1) and HLG (phones, Dolby Vision 8.4). */
export const HDR_TRANSFERS = ["smpte2084", "arib-std-b67"] as const;
export type HdrTransfer = (typeof HDR_TRANSFERS)[number];

export const isHdrTransfer = (name: string | undefined): name is HdrTransfer =>
  HDR_TRANSFERS.some((transfer) => transfer === name);

/** How bright a recording is, in cd/m². */
export interface Light {
  /** What becomes the white of SDR. */
  white: number;
  /** The brightest light, which becomes white as well; from the white on it is compressed. */
  peak: number;
}

/** Reference white according to ITU-R BT.2408, and that of programs that treat HDR like a brighter SDR. */
const WHITES = { least: 100, most: 203 };
/** From this share of white on, light is compressed if there is brighter light than white. */
const KNEE = 0.85;
/** Up to this share of white, brighter light is the overshoot of an encoder, and not compressed. */
const BARELY_BRIGHTER = 1.3;
/** The gamma of SDR displays according to ITU-R BT.1886. */
const GAMMA = 2.4;
const HLG_PEAK = 1000;
const HLG_GAMMA = 1.2;

/** From the light of BT.2020 to that of BT.709. */
const TO_BT709 = [
  [1.6605, -0.5876, -0.0728],
  [-0.1246, 1.1329, -0.0083],
  [-0.0182, -0.1006, 1.1187],
] as const;

/** The light in cd/m² of a signal from 0 to 1. */
export function lightOf(transfer: HdrTransfer, signal: number): number {
  const e = Math.min(1, Math.max(0, signal));
  if (transfer === "smpte2084") {
    const root = e ** (32 / 2523);
    return 10_000 * (Math.max(root - 3424 / 4096, 0) / ((2413 - 2392 * root) / 128)) ** (16_384 / 2610);
  }
  const scene = e <= 0.5 ? (e * e) / 3 : (Math.exp((e - 0.559_910_73) / 0.178_832_77) + 0.284_668_92) / 12;
  return HLG_PEAK * scene ** HLG_GAMMA;
}

/** The light of a recording, from the signals of its brightest parts, each from 0 to 1. */
export const lightFrom = (transfer: HdrTransfer, bright: { white: number; peak: number }): Light => {
  const white = Math.min(WHITES.most, Math.max(WHITES.least, lightOf(transfer, bright.white)));
  return { white, peak: Math.max(white, lightOf(transfer, bright.peak)) };
};

/** The shares of all pixels that are darker than white, and than the peak. */
const WHITE_PART = 0.98;
const PEAK_PART = 0.9995;
/** Pixels that are measured. */
const SAMPLES = 100_000;

/** Measures how bright pictures are, from their samples of 16 bits: red, green and blue first in each pixel. */
export function measureLight(transfer: HdrTransfer, samples: Uint16Array, channels: number): Light {
  const step = Math.max(1, Math.floor(samples.length / channels / SAMPLES)) * channels;
  const levels: number[] = [];
  for (let at = 0; at + 2 < samples.length; at += step)
    levels.push(0.2627 * (samples[at] ?? 0) + 0.678 * (samples[at + 1] ?? 0) + 0.0593 * (samples[at + 2] ?? 0));
  const sorted = Float64Array.from(levels).sort();
  const part = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0xffff) / 0xffff;
  return lightFrom(transfer, { white: part(WHITE_PART), peak: part(PEAK_PART) });
}

/** Compresses light above the knee, both relative to white, so that the peak becomes 1. */
export function compressedLight(light: number, peak: number): number {
  if (light <= KNEE || peak <= BARELY_BRIGHTER) return light;
  const range = 1 - KNEE;
  const [x, most] = [(light - KNEE) / range, (peak - KNEE) / range];
  return KNEE + (range * (x * (1 + x / (most * most)))) / (1 + x);
}

type Triple = [number, number, number];

/**
 * Returns the function from a signal of HDR (red, green and blue from 0 to 1) to one of SDR, which is below 0 or above 1
 * for colours and light that SDR lacks. A table needs these values, so that its points around the limit are right.
 */
export function toneMapping(transfer: HdrTransfer, { white, peak }: Light): (signal: Triple) => Triple {
  return (signal) => {
    const light = signal.map((value) => lightOf(transfer, value) / white) as Triple;
    const [r, g, b] = TO_BT709.map((row) => row[0] * light[0] + row[1] * light[1] + row[2] * light[2]) as Triple;
    const brightest = Math.max(r, g, b);
    // All three are scaled alike, so that compression changes no hue.
    const scale = brightest > 0 ? compressedLight(brightest, peak / white) / brightest : 1;
    return [r, g, b].map((value) => Math.sign(value) * Math.abs(value * scale) ** (1 / GAMMA)) as Triple;
  };
}

/** The points of a table along each side. */
const POINTS = 41;

/** A tone mapping as a table in the format of Adobe and Iridas (`.cube`), which ffmpeg's filter `lut3d` reads. */
export function cubeOf(transfer: HdrTransfer, light: Light): string {
  const map = toneMapping(transfer, light);
  const lines = [`LUT_3D_SIZE ${POINTS}`];
  const at = (index: number) => index / (POINTS - 1);
  for (let b = 0; b < POINTS; b++)
    for (let g = 0; g < POINTS; g++)
      for (let r = 0; r < POINTS; r++)
        lines.push(
          map([at(r), at(g), at(b)])
            .map((value) => value.toFixed(5))
            .join(" "),
        );
  return `${lines.join("\n")}\n`;
}
