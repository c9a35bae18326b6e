import { isPdf, PDF_HEAD_BYTES } from "../../../shared/paper-format.ts";
import { decoderThreads } from "./decoder-thread.ts";
import { bytesOf, type ForeignPicture, reading, type Source } from "./sources.ts";

/** Of a page; a long page of vector graphics takes a few seconds. */
const TIMEOUT_MS = 20_000;
/** Bytes per pixel: RGBA of the renderer, and the RGB copy that sharp reads. */
const BYTES_PER_PIXEL = 8;
/** The renderer and its fonts. */
const RENDERER_BYTES = 40_000_000;
/** The file as read, as sent to the thread and as the renderer holds it. */
const FILE_COPIES = 3;

const rendered = decoderThreads("paper-worker", { timeoutMs: TIMEOUT_MS, atOnce: 1 });

/**
 * Opens a page of a PDF; resolves to undefined for other files. Rejects if it is damaged, needs a password or has no such
 * page. The renderer has no JavaScript and no network, and opens neither links nor attachments.
 */
export async function paperPage(source: Source, page: number): Promise<ForeignPicture | undefined> {
  if (!isPdf(await reading(source, (read) => read(0, PDF_HEAD_BYTES)))) return undefined;
  const size = await reading(source, async (_read, bytes) => bytes);
  const { width, height, pages } = await rendered(await bytesOf(source), { page, measures: true });
  return {
    width,
    height,
    pages,
    orientation: 1,
    decodingBytes: FILE_COPIES * size + RENDERER_BYTES + width * height * BYTES_PER_PIXEL,
    decode: async () => (await rendered(await bytesOf(source), { page })).tiff,
  };
}
