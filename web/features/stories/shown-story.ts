import DOMPurify from "dompurify";
import { isMediaId, STORY_ATTRIBUTES, STORY_TAGS } from "../../../shared/story-html.ts";

/** A part of a story: clean HTML, or a photo with its caption. */
export type StoryPart = { html: string; letters: number } | { media: string; caption: string; letters: number };

/**
 * Splits a story into its blocks. The HTML was sanitised by the server, and is sanitised again with the browser's
 * parser. In a story with a title, headings are two levels lower.
 */
export function shownStory(html: string, { titled = false } = {}): StoryPart[] {
  const attributes = Object.values(STORY_ATTRIBUTES).flat();
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: STORY_TAGS,
    ALLOWED_ATTR: attributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https:\/\/|mailto:)/i,
    ADD_URI_SAFE_ATTR: attributes.filter((name) => name !== "href"),
    RETURN_DOM_FRAGMENT: true,
  });
  if (titled) for (const heading of fragment.querySelectorAll("h2, h3")) deepen(heading);
  // Each paragraph and list has the direction of its own words, so that full stops and numbers stand at their end.
  for (const block of fragment.children) block.setAttribute("dir", "auto");
  return [...fragment.childNodes].map((node): StoryPart => {
    const letters = node.textContent?.length ?? 0;
    if (node instanceof HTMLElement && node.tagName === "FIGURE" && isMediaId(node.dataset.media ?? "")) {
      return { media: node.dataset.media ?? "", caption: node.textContent?.trim() ?? "", letters };
    }
    const around = document.createElement("div");
    around.append(node);
    return { html: around.innerHTML, letters };
  });
}

function deepen(heading: Element) {
  const deeper = document.createElement(heading.tagName === "H2" ? "h4" : "h5");
  deeper.append(...heading.childNodes);
  heading.replaceWith(deeper);
}

/** Returns the ids of the photos in these stories. */
export const mediaIn = (stories: readonly string[]): string[] =>
  stories.flatMap((html) => [...html.matchAll(/<figure data-media="([0-9a-f-]{36})"/g)].map(([, id = ""]) => id));
