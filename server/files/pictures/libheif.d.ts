/** The part of libheif's JavaScript interface that is used here. */
declare module "libheif-js/wasm-bundle.js" {
  export interface HeifError {
    code?: { value: number };
    message?: string;
  }
  interface DecodedImage extends HeifError {
    image: object;
    /** Views of WebAssembly memory, valid until the image is released. */
    channels?: {
      id: unknown;
      width: number;
      height: number;
      stride: number;
      bits_per_pixel: number;
      data: Uint8Array;
    }[];
  }
  interface Libheif {
    ready: Promise<unknown>;
    heif_context_alloc(): object;
    heif_context_free(context: object): void;
    heif_context_read_from_memory(context: object, bytes: Uint8Array): HeifError;
    heif_js_context_get_primary_image_handle(context: object): object & HeifError;
    heif_image_handle_get_width(handle: object): number;
    heif_image_handle_get_height(handle: object): number;
    heif_image_handle_has_alpha_channel(handle: object): number;
    heif_image_handle_is_premultiplied_alpha(handle: object): number;
    heif_image_handle_release(handle: object): void;
    heif_js_decode_image2(handle: object, colourspace: unknown, chroma: unknown): Promise<DecodedImage>;
    heif_image_release(image: object): void;
    heif_colorspace: { heif_colorspace_RGB: unknown };
    heif_chroma: Record<`heif_chroma_interleaved_${"RGB" | "RGBA" | "RRGGBB_LE" | "RRGGBBAA_LE"}`, unknown>;
    heif_channel: { heif_channel_interleaved: unknown };
  }
  const libheif: Libheif;
  export default libheif;
}
