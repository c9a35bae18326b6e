import DOMPurify from "dompurify";
import { useMemo } from "react";

/** The text of a post: HTML that the server has cleaned, cleaned once more where it is shown. */
export function PostBody({ html }: { html: string }) {
  const clean = useMemo(() => DOMPurify.sanitize(html), [html]);
  return (
    <div
      className="story font-serif text-lg leading-[1.75] sm:text-xl"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: it is cleaned above
      dangerouslySetInnerHTML={{ __html: clean }}
    />
  );
}
