import { plausibleSeconds } from "../../../shared/file-numbers.ts";

/** The longest side of a poster in pixels. */
const LONG_SIDE = 1280;
const QUALITY = 0.85;
/** The timeout in milliseconds: without a decoder some browsers never respond. */
const PATIENCE_MS = 15_000;
/** The average brightness (0 to 255) below which a frame counts as black. */
const DARK = 20;

/** A video's poster: an upright JPEG of an early frame that is not black. Undefined if it cannot be played here. */
export async function makePoster(video: Blob): Promise<Blob | undefined> {
  const player = document.createElement("video");
  const address = URL.createObjectURL(video);
  const patience = AbortSignal.timeout(PATIENCE_MS);
  player.muted = true;
  player.playsInline = true;
  player.preload = "auto";
  player.src = address;
  try {
    await heard(player, "loadeddata", patience);
    return await frameOf(player, patience);
  } catch {
    return undefined;
  } finally {
    player.removeAttribute("src");
    player.load();
    URL.revokeObjectURL(address);
  }
}

/** Resolves with the player's next event of this name; rejects on failure and timeout. */
function heard(player: HTMLVideoElement, name: "loadeddata" | "seeked", patience: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(player.error ?? patience.reason);
    player.addEventListener(name, () => resolve(), { once: true });
    player.addEventListener("error", refuse, { once: true });
    patience.addEventListener("abort", refuse, { once: true });
  });
}

async function frameOf(player: HTMLVideoElement, patience: AbortSignal): Promise<Blob | undefined> {
  // Audio only, or a video codec that this browser cannot decode.
  if (player.videoWidth === 0) return undefined;
  const scale = Math.min(1, LONG_SIDE / Math.max(player.videoWidth, player.videoHeight));
  // A canvas without pixels cannot be drawn, and some pictures are a thousand times wider than high.
  const [width = 1, height = 1] = [player.videoWidth, player.videoHeight].map((side) =>
    Math.max(1, Math.round(side * scale)),
  );
  let best: { light: number; frame: HTMLCanvasElement } | undefined;
  for (const time of posterTimes(player.duration)) {
    const arrived = heard(player, "seeked", patience);
    player.currentTime = time;
    await arrived;
    const frame = drawn(player, width, height);
    const light = brightness(pixelsOf(drawn(frame, 16, 16)));
    if (!best || light > best.light) best = { light, frame };
    if (light >= DARK) break;
  }
  const { frame } = best ?? {};
  return frame && new Promise((resolve) => frame.toBlob((blob) => resolve(blob ?? undefined), "image/jpeg", QUALITY));
}

function drawn(source: HTMLVideoElement | HTMLCanvasElement, width: number, height: number): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d", { alpha: false })?.drawImage(source, 0, 0, width, height);
  return canvas;
}

const pixelsOf = (canvas: HTMLCanvasElement) =>
  canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();

/** Candidate times of a frame in seconds, best first. Recordings made in a page state no duration. */
export const posterTimes = (duration: number): number[] => {
  const seconds = plausibleSeconds(duration);
  return seconds ? [Math.min(1, seconds * 0.1), seconds * 0.25, seconds * 0.5] : [0.1];
};

/** The average brightness of RGBA pixels, from 0 to 255. */
export function brightness(pixels: Uint8ClampedArray): number {
  let sum = 0;
  for (let i = 0; i + 2 < pixels.length; i += 4) {
    sum += 0.299 * (pixels[i] ?? 0) + 0.587 * (pixels[i + 1] ?? 0) + 0.114 * (pixels[i + 2] ?? 0);
  }
  return pixels.length === 0 ? 0 : (sum * 4) / pixels.length;
}
