import { z } from "zod";

/** The schema of an album's name. */
export const AlbumName = z.object({ name: z.string().trim().min(1).max(200) });
export type AlbumName = z.infer<typeof AlbumName>;
