/** The text of a post: HTML that was cleaned as it was read. */
export const PostBody = ({ html }: { html: string }) => (
  <div
    className="story max-w-prose font-serif text-lg leading-[1.75] sm:text-xl"
    // biome-ignore lint/security/noDangerouslySetInnerHtml: it was cleaned, see postQuery
    dangerouslySetInnerHTML={{ __html: html }}
  />
);
