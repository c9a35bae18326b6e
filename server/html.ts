import sanitize from "sanitize-html";

/** The story of a memory as it may be stored: text marks, headings, lists, quotes and safe links; everything else goes. */
export const cleanHtml = (html: string): string =>
  sanitize(html, {
    allowedTags: ["p", "br", "strong", "em", "u", "s", "h2", "h3", "ul", "ol", "li", "blockquote", "a", "hr"],
    allowedAttributes: { a: ["href", "rel"] },
    allowedSchemes: ["https", "http", "mailto"],
    transformTags: {
      b: "strong",
      i: "em",
      a: sanitize.simpleTransform("a", { rel: "noopener noreferrer nofollow" }),
    },
  });
