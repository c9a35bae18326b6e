import { escapeHtml } from "../../../shared/escape-html.ts";
import { cleanHtml } from "../../html/html.ts";

/** A photo that a story shows, where it lies beside the story's page. */
export interface StoryPhoto {
  href: string;
  src: string;
  alt: string;
  width: number;
  height: number;
}

/**
 * A story as it stands in a page of an archive: cleaned once more, with its photos from the folder beside it. One that is
 * not in the archive leaves its words behind.
 */
export const storyHtml = (html: string, photoOf: (id: string) => StoryPhoto | undefined): string =>
  cleanHtml(html).replace(/<figure data-media="([0-9a-f-]{36})">/g, (_figure, id: string) => {
    const photo = photoOf(id);
    if (!photo) return "<figure>";
    const { href, src, alt, width, height } = photo;
    return `<figure><a href="${href}"><img src="${src}" alt="${escapeHtml(alt)}" width="${width}" height="${height}" loading="lazy"></a>`;
  });
