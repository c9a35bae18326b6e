import { compressedLight, type HdrTransfer, lightOf, measureLight } from "../hdr-to-sdr.ts";
import { pngHeaderChunks } from "./animated-png.ts";
import { heifProperties } from "./heif-properties.ts";
import type { Source } from "./sources.ts";

/** The colours of a picture in HDR: the code numbers of ITU-T H.273, as HEIC, AVIF and PNG store them. */
export interface HdrColours {
  transfer: HdrTransfer;
  /** 1 for BT.709, 9 for BT.2020, 12 for Display P3. */
  primaries: number;
}

const TRANSFERS: Record<number, HdrTransfer | undefined> = { 16: "smpte2084", 18: "arib-std-b67" };

/** Reads whether a HEIC, AVIF or PNG is in HDR (PQ or HLG). A colour profile, which decoders apply, replaces these numbers. */
export async function hdrColours(source: Source, format: string | undefined): Promise<HdrColours | undefined> {
  const [primaries, transferCode] = (await READERS[format ?? ""]?.(source)) ?? [];
  const transfer = TRANSFERS[transferCode ?? 0];
  return transfer && primaries ? { transfer, primaries } : undefined;
}

/** Readers of the code numbers of primaries and transfer, by sharp's name of the format. */
const READERS: Record<string, ((source: Source) => Promise<[number, number] | undefined>) | undefined> = {
  async heif(source) {
    const properties = (await heifProperties(source)) ?? [];
    const colours = properties.find(
      ({ type, content }) => type === "colr" && content.toString("latin1", 0, 4) === "nclx",
    );
    return colours && colours.content.length >= 8
      ? [colours.content.readUInt16BE(4), colours.content.readUInt16BE(6)]
      : undefined;
  },
  async png(source) {
    const colours = (await pngHeaderChunks(source)).find(({ type }) => type === "cICP");
    return colours && colours.content.length >= 2
      ? [colours.content.readUInt8(0), colours.content.readUInt8(1)]
      : undefined;
  },
};

/**
 * Maps a picture in HDR to SDR in place: samples of 16 bits in RGB or RGBA. Returns the profile that describes them then. Its
 * brightest parts become white; other light is shown as it is, on a display of sRGB.
 */
export function mapTones({ transfer, primaries }: HdrColours, samples: Uint16Array, channels: number): Buffer {
  const { white, peak } = measureLight(transfer, samples, channels);
  const table = Uint16Array.from({ length: 0x10000 }, (_, sample) => {
    const light = compressedLight(lightOf(transfer, sample / 0xffff) / white, peak / white);
    return Math.round(encoded(Math.min(1, light)) * 0xffff);
  });
  for (let at = 0; at + 2 < samples.length; at += channels)
    for (let channel = at; channel < at + 3; channel++) samples[channel] = table[samples[channel] ?? 0] ?? 0;
  return profileWith(primaries);
}

/** The signal of sRGB for linear light, and its inverse; both from 0 to 1. */
const encoded = (light: number) => (light <= 0.003_130_8 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);
const decoded = (signal: number) => (signal <= 0.040_45 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4);

/** Primaries in XYZ under D50, as profiles store them, by their code number: red, green and blue. */
const PRIMARIES: Record<number, readonly (readonly [number, number, number])[] | undefined> = {
  1: [
    [0.4361, 0.2225, 0.0139],
    [0.3851, 0.7169, 0.0971],
    [0.1431, 0.0606, 0.7141],
  ],
  9: [
    [0.6735, 0.279, -0.0019],
    [0.1657, 0.6753, 0.03],
    [0.1251, 0.0456, 0.7969],
  ],
  12: [
    [0.5151, 0.2412, -0.0011],
    [0.292, 0.6922, 0.0419],
    [0.1571, 0.0666, 0.7841],
  ],
};
const BT2020 = 9;
const D50 = [0.9642, 1, 0.8249] as const;
/** The points of the curve from a signal to light. */
const CURVE_POINTS = 4096;

/** Creates an ICC profile (version 2.4, matrix and curve) with these primaries and the curve of sRGB. */
function profileWith(primaries: number): Buffer {
  const curve = Buffer.alloc(12 + 2 * CURVE_POINTS);
  curve.write("curv", 0, "latin1");
  curve.writeUInt32BE(CURVE_POINTS, 8);
  for (let index = 0; index < CURVE_POINTS; index++)
    curve.writeUInt16BE(Math.round(decoded(index / (CURVE_POINTS - 1)) * 0xffff), 12 + 2 * index);
  const [red = D50, green = D50, blue = D50] = PRIMARIES[primaries] ?? PRIMARIES[BT2020] ?? [];
  return profileOf([
    ["desc", description("HDR as SDR")],
    ["cprt", Buffer.concat([Buffer.from("text\0\0\0\0", "latin1"), Buffer.from("No copyright\0")])],
    ["wtpt", xyz(D50)],
    ["rXYZ", xyz(red)],
    ["gXYZ", xyz(green)],
    ["bXYZ", xyz(blue)],
    ["rTRC", curve],
    ["gTRC", curve],
    ["bTRC", curve],
  ]);
}

/** A type of XYZ with one value. */
function xyz(values: readonly number[]): Buffer {
  const content = Buffer.alloc(20);
  content.write("XYZ ", 0, "latin1");
  for (const [index, value] of values.entries()) content.writeInt32BE(Math.round(value * 65_536), 8 + index * 4);
  return content;
}

/** A name in ASCII; the profile's version demands empty names in two further encodings. */
function description(name: string): Buffer {
  const head = Buffer.alloc(12);
  head.write("desc", 0, "latin1");
  head.writeUInt32BE(name.length + 1, 8);
  return Buffer.concat([head, Buffer.from(`${name}\0`), Buffer.alloc(8 + 3 + 67)]);
}

const HEADER_BYTES = 128;
const TAG_BYTES = 12;

function profileOf(tags: readonly (readonly [string, Buffer])[]): Buffer {
  const table = Buffer.alloc(4 + tags.length * TAG_BYTES);
  table.writeUInt32BE(tags.length, 0);
  const contents: Buffer[] = [];
  let end = HEADER_BYTES + table.length;
  const places = new Map<Buffer, number>();
  for (const [index, [name, content]] of tags.entries()) {
    const place = places.get(content) ?? end;
    if (!places.has(content)) {
      const padding = Buffer.alloc((4 - (content.length % 4)) % 4);
      contents.push(content, padding);
      end += content.length + padding.length;
      places.set(content, place);
    }
    const at = 4 + index * TAG_BYTES;
    table.write(name, at, "latin1");
    table.writeUInt32BE(place, at + 4);
    table.writeUInt32BE(content.length, at + 8);
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(end, 0);
  header.writeUInt32BE(0x02400000, 8);
  header.write("mntrRGB XYZ ", 12, "latin1");
  header.write("acsp", 36, "latin1");
  xyz(D50).copy(header, 68, 8);
  return Buffer.concat([header, table, ...contents]);
}
