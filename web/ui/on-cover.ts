/** Style of buttons on a photo: dark glass, legible on any photo. */
export const ON_COVER =
  "border border-white/40 bg-black/40 text-white backdrop-blur-sm hover:border-white hover:bg-black/65";
