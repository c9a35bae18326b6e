import DOMPurify from "dompurify";
import { useMemo } from "react";

/** A memory's story as its owner wrote it. The server has cleaned it; it is cleaned again where it is shown. */
export function MemoryStory({ html }: { html: string }) {
  const clean = useMemo(
    () =>
      DOMPurify.sanitize(html, {
        ALLOWED_TAGS: ["p", "br", "strong", "em", "u", "s", "h2", "h3", "ul", "ol", "li", "blockquote", "a", "hr"],
        ALLOWED_ATTR: ["href", "rel"],
      }),
    [html],
  );
  return (
    <div
      className="story mx-auto max-w-[38rem] font-serif text-lg leading-[1.75] sm:text-xl sm:leading-[1.75]"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised just above
      dangerouslySetInnerHTML={{ __html: clean }}
    />
  );
}
