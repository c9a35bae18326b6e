/** What an editor gives as HTML, as it is stored: without the empty paragraphs around it; nothing at all when nothing is written. */
export const writtenStory = (html: string): string => html.replace(/^(?:<p><\/p>)+|(?:<p><\/p>)+$/g, "");
