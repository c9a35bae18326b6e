import { z } from "zod";

/** An album's name as it may be kept. */
export const AlbumName = z.object({ name: z.string().trim().min(1).max(200) });
export type AlbumName = z.infer<typeof AlbumName>;
