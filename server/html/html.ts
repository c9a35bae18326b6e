import sanitize from "sanitize-html";
import { RequestError } from "../../shared/request-error.ts";
import {
  isMediaId,
  isUnseen,
  STORY_ATTRIBUTES,
  STORY_LINK_REL,
  STORY_TAGS,
  storyLink,
} from "../../shared/story-html.ts";
import { HTML_DEPTH, HTML_LENGTH, HTML_TAGS } from "../supabase/bounds.ts";

/** The maximum depth. The content of deeper elements is kept without their tags. */
const LEVELS_KEPT = 40;

/**
 * Refuses HTML that would take long to sanitise, by its length and number of tags. `values` are those of one request.
 */
export function checkHtml(values: string[]): void {
  let length = 0;
  let tags = 0;
  for (const value of values) {
    length += value.length;
    if (length > HTML_LENGTH) {
      throw new RequestError("text_too_long", {
        message: `A text may have up to ${HTML_LENGTH} characters, markup included`,
      });
    }
    for (let at = value.indexOf("<"); at !== -1; at = value.indexOf("<", at + 1)) tags += 1;
  }
  if (tags > HTML_TAGS) throw new RequestError("too_many_tags", { message: `A text may have up to ${HTML_TAGS} tags` });
}

/**
 * Sanitises a story for storage: keeps the elements of `shared/story-html.ts` and removes all others. The output is
 * serialised as browsers do it, so that the editor's HTML is returned unchanged, byte for byte.
 */
export const cleanHtml = (html: string): string => clean(html);

/**
 * Sanitises an email that a person wrote. Links to `site` stay unchanged, because `site` may use `http:` on a
 * developer's machine; all other links are changed to `https:`.
 */
export const cleanEmail = (html: string, site: string | undefined): string => clean(html, site);

/** Gives each block of sanitised HTML the direction of its own words, as where it is read in the app. */
export const withDirections = (html: string): string =>
  html.replaceAll(/<(p|h2|h3|ul|ol|blockquote|figcaption)(?=[ >])/g, '<$1 dir="auto"');

/** Refuses HTML whose elements are nested too deeply. */
const boundedDepth = () => {
  let depth = 0;
  return {
    onOpenTag() {
      depth += 1;
      if (depth > HTML_DEPTH) throw new RequestError("nested_too_deep");
    },
    onCloseTag() {
      depth -= 1;
    },
  };
};

/** Removes elements that readers of the source do not see, with their text, as the editor does. The rest is unchanged. */
const withoutUnseen = (html: string): string =>
  // The editor's own HTML contains none of these words inside a tag.
  /<del|<[^<>]*(style|class|hidden)/i.test(html)
    ? sanitize(html, {
        ...boundedDepth(),
        allowedTags: false,
        allowedAttributes: false,
        allowVulnerableTags: true,
        // Otherwise an attribute without a value, such as `hidden`, is dropped before the filter.
        nonBooleanAttributes: [],
        exclusiveFilter: ({ tag, attribs }) => isUnseen(tag, attribs.style, attribs.class, "hidden" in attribs),
      })
    : html;

const clean = (html: string, site?: string): string =>
  sanitize(withoutUnseen(html), {
    ...boundedDepth(),
    allowedTags: STORY_TAGS,
    allowedAttributes: STORY_ATTRIBUTES,
    allowedSchemes: site ? ["https", "mailto", new URL(site).protocol.slice(0, -1)] : ["https", "mailto"],
    allowProtocolRelative: false,
    nestingLimit: LEVELS_KEPT,
    nonTextTags: [
      "script",
      "style",
      "textarea",
      "option",
      "noscript",
      "title",
      "template",
      "xmp",
      "iframe",
      "noembed",
      "del",
    ],
    transformTags: {
      b: "strong",
      i: "em",
      h1: "h2",
      h4: "h3",
      h5: "h3",
      h6: "h3",
      a: (tagName, { href = "" }): sanitize.Tag => {
        const link = ownLink(href, site) ?? storyLink(href);
        return { tagName, attribs: link ? { href: link, rel: STORY_LINK_REL } : {} };
      },
      ol: (tagName, { start = "" }): sanitize.Tag => ({
        tagName,
        attribs: /^[1-9]\d{0,3}$/.test(start) && start !== "1" ? { start } : {},
      }),
      figure: (tagName, { "data-media": id = "" }): sanitize.Tag => ({
        tagName,
        attribs: isMediaId(id) ? { "data-media": id } : {},
      }),
    },
    // Links without a target and figures without a photo are removed; their content is kept.
    exclusiveFilter: ({ tag, attribs }) =>
      (tag === "a" && !attribs.href) || (tag === "figure" && !attribs["data-media"]) ? "excludeTag" : false,
  })
    .replaceAll(" />", ">")
    .replaceAll("\u00a0", "&nbsp;");

/** A URL of `site`, without characters that end an attribute. */
const ownLink = (address: string, site: string | undefined) =>
  site && URL.canParse(address) && new URL(address).origin === new URL(site).origin ? new URL(address).href : undefined;
