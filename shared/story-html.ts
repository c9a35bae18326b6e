/** The elements allowed in a story, in the editor, on the server and on the page. */
export const STORY_TAGS = [
  "p",
  "br",
  "strong",
  "em",
  "h2",
  "h3",
  "ul",
  "ol",
  "li",
  "blockquote",
  "a",
  "hr",
  "figure",
  "figcaption",
];

/** The allowed attributes by element; other elements have none. */
export const STORY_ATTRIBUTES: Record<string, string[]> = {
  a: ["href", "rel"],
  ol: ["start"],
  figure: ["data-media"],
};

const HIDDEN_STYLE =
  /(^|;)\s*(display:\s*none|visibility:\s*(hidden|collapse)|mso-hide:\s*all|mso-element:\s*comment(-list)?|mso-special-character:\s*comment|opacity:\s*0*\.?0+\b(?!\.)|max-height:\s*0+(px)?\s*(!|;|$)|color:\s*transparent|clip:\s*rect\((\s*[01](px)?[,\s]*){4}\)|clip-path:\s*inset\(\s*(50|100)%|font-size:\s*0+(\.0+)?(px|pt|em|rem|%)?\s*(!|;|$))/i;
/** Beside the window, as pages place texts for screen readers. */
const AWAY_STYLE = /(^|;)\s*(left|right|top|text-indent|margin-left):\s*-\d{4,}/i;
const EMPTY_STYLE = /(^|;)\s*(width|height):\s*0+(px)?\s*(!|;|$)/i;
const CUT_STYLE = /(^|;)\s*overflow:\s*(hidden|clip)/i;
const HIDDEN_CLASS = /(^|\s)(mso(com(anchor|txt|off|hide)|del))(\s|$)/i;

/** The part of an element's style that is read, in characters. */
const LONGEST_STYLE = 2000;

/**
 * Whether readers of the source do not see an element's text: it is hidden, deleted by a reviewer, or a reviewer's comment.
 * `style` and `class` are the element's attributes.
 */
export function isUnseen(name: string, style = "", className = "", hidden = false): boolean {
  // Long blanks would take these patterns quadratic time.
  const css = style.replaceAll(/\s+/g, " ").slice(0, LONGEST_STYLE);
  return (
    hidden ||
    name === "del" ||
    HIDDEN_STYLE.test(css) ||
    AWAY_STYLE.test(css) ||
    (EMPTY_STYLE.test(css) && CUT_STYLE.test(css)) ||
    HIDDEN_CLASS.test(className)
  );
}

/** The `rel` of links in stories. It hides this page from the target. */
export const STORY_LINK_REL = "noopener noreferrer nofollow";

/** Maximum length of a stored story in characters, including markup. */
export const STORY_LIMIT = 200_000;

/**
 * Returns the stored address of a link: `https:` or `mailto:`, with `http:` changed to `https:`. Returns undefined for
 * any other address, including relative ones.
 */
export function storyLink(address: string): string | undefined {
  const [, scheme = "", rest = ""] = /^\s*(https?:\/\/|mailto:)(\S+)\s*$/i.exec(address) ?? [];
  if (!rest || hasControls(rest)) return undefined;
  // Percent-encoded, because browsers and servers serialise these characters differently in attributes.
  const escapedRest = rest.replace(
    /[<>"'`\\^{|}]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (scheme.toLowerCase() === "mailto:") return rest.includes("@") ? `mailto:${escapedRest}` : undefined;
  return rest.startsWith("/") ? undefined : `https://${escapedRest}`;
}

const hasControls = (text: string) => [...text].some((character) => character < " " || character === "\u007f");

/** Whether a value is a photo's id in the form that a story's figure contains. */
export const isMediaId = (value: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
