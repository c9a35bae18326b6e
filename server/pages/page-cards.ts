import { HOME_CARD, pages } from "../../shared/pages.ts";
import type { LinkPreview, LinkPreviews } from "./link-previews.ts";
import { withoutSlash } from "./page-patterns.ts";
import type { Language, Post, Posts } from "./posts.ts";

/** The preview of a page in search engines and messengers. */
export interface PageCard {
  title: string;
  description: string;
  /** The path of the page's own picture, if any, without a leading slash. */
  picture?: string;
  /** The picture's size in pixels, if it differs from {@link DRAWN}. */
  pixels?: { width: number; height: number };
  /** The picture's alternative text, if it differs from the title. */
  pictureAlt?: string;
  /** The card's language, if it is not the page's. */
  language?: Language;
  /** The blog post on the page. */
  post?: Post;
  /** The languages in which the post exists. */
  languages?: Language[];
}

/** The size in pixels of the preview pictures that the build draws. */
export const DRAWN = { width: 1200, height: 630 };

/** The card of the home page, which also describes the app on home screens. */
export const HOME: Record<Language, PageCard> = HOME_CARD;

/** The same for every link that tells nothing, so that it reveals neither a memory's content nor its existence. */
const SHARED: Record<Language, PageCard> = {
  en: { title: "Someone shared a memory with you", description: "Open the link to see it on Skies." },
  it: { title: "Qualcuno ha condiviso un ricordo con te", description: "Apri il link per vederlo su Skies." },
};

const NAMED: Record<Language, string> = {
  en: "A private page of photos and stories. Open the link to see it.",
  it: "Una pagina privata di foto e di storie. Apri il link per vederla.",
};

/** The card of a link: in the memory's language if the link's preview tells its name. */
const sharedCard = (preview: LinkPreview | undefined, language: Language): PageCard =>
  preview
    ? {
        title: preview.name,
        description: NAMED[preview.language],
        language: preview.language,
        ...(preview.picture !== undefined && { picture: preview.picture }),
      }
    : SHARED[language];

/** The cards of public pages by path, in both languages. */
const PUBLIC = Object.fromEntries(pages.flatMap(({ path, card }) => (card ? [[path, card]] : [])));

/** The paths of public pages with the same content for everyone, for the sitemap. */
export const publicPaths = Object.keys(PUBLIC);

const pictureOf = (path: string, language: Language) => `previews/${path.slice(1) || "start"}.${language}.jpg`;

/** The title of each public page in each language, and the file of its picture, which the build draws. */
export const publicCards = Object.entries(PUBLIC).flatMap(([path, cards]) =>
  (["en", "it"] as const).map((language) => ({ title: cards[language].title, file: pictureOf(path, language) })),
);

/** Resolves to the card of the page at `path`, and whether search engines may index the page. */
export async function cardOf(
  { posts, previews }: { posts: Posts; previews: Pick<LinkPreviews, "find"> },
  path: string,
  language: Language,
): Promise<PageCard & { indexed: boolean }> {
  if (/^\/(shared|c)(\/|$)/i.test(path)) {
    const shareId = /^\/shared\/(\w+)/i.exec(path)?.[1];
    return { ...sharedCard((shareId && (await previews.find(shareId))) || undefined, language), indexed: false };
  }
  const cleanPath = withoutSlash(path);
  const page = PUBLIC[cleanPath];
  if (page) return { ...page[language], picture: pictureOf(cleanPath, language), indexed: true };
  const slug = slugOf(path);
  const translations = slug ? await posts.find(slug) : [];
  const post = translations.find((one) => one.language === language) ?? translations[0];
  if (!post) return { ...HOME[language], indexed: false };
  return {
    title: `${post.title} · Skies`,
    description: post.summary,
    ...(coverOf(post) ?? { picture: pictureOf("/blog", post.language) }),
    post,
    languages: translations.map((one) => one.language),
    indexed: true,
  };
}

/** The largest width that messengers show. */
const COVER_WIDTH = 1600;

/**
 * Returns a post's cover as a preview picture for messengers, search engines and the feed; undefined without a cover.
 */
export function coverOf({ cover, cover_alt, cover_width, cover_height, title }: Post) {
  if (!cover) return undefined;
  const [width, height] = [cover_width ?? COVER_WIDTH, cover_height ?? COVER_WIDTH];
  const shownWidth = Math.min(COVER_WIDTH, width);
  return {
    picture: `storage/v1/render/image/public/covers/${cover}?width=${COVER_WIDTH}`,
    pixels: { width: shownWidth, height: Math.round((height * shownWidth) / width) },
    pictureAlt: cover_alt || title,
  };
}

/** The slug or id in a post's path. */
const slugOf = (path: string) => /^\/blog\/([a-z0-9-]{1,100})\/?$/.exec(path)?.[1];
