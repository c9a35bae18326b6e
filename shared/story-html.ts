/** The elements allowed in a story: the same in the editor, on the server and on the page. */
export const STORY_TAGS = [
  ...["p", "br", "strong", "em", "h2", "h3", "ul", "ol", "li", "blockquote", "a", "hr", "figure", "figcaption"],
];

/** The attributes that an element of a story may carry; all others carry none. */
export const STORY_ATTRIBUTES: Record<string, string[]> = {
  a: ["href", "rel"],
  ol: ["start"],
  figure: ["data-media"],
};

/** The `rel` of links in stories: the target learns nothing about this page. */
export const STORY_LINK_REL = "noopener noreferrer nofollow";

/** The most characters a story may have as it is stored, markup included. */
export const STORY_LIMIT = 200_000;

/**
 * A story link's stored address: `https:` or `mailto:`, with `http:` changed to `https:`. Any other address, also a
 * relative one, is undefined.
 */
export function storyLink(address: string): string | undefined {
  const [, scheme = "", rest = ""] = /^\s*(https?:\/\/|mailto:)(\S+)\s*$/i.exec(address) ?? [];
  if (!rest || hasControls(rest)) return undefined;
  // Browsers and servers disagree on how these are written in an attribute.
  const written = rest.replace(
    /[<>"'`\\^{|}]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (scheme.toLowerCase() === "mailto:") return rest.includes("@") ? `mailto:${written}` : undefined;
  return rest.startsWith("/") ? undefined : `https://${written}`;
}

const hasControls = (text: string) => [...text].some((character) => character < " " || character === "\u007f");

/** Whether this is the id of a photo, as a figure of a story names it. */
export const isMediaId = (value: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
