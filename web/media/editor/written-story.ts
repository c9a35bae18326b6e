/** The editor's HTML for storage, without leading and trailing empty paragraphs; "" for an empty story. */
export const writtenStory = (html: string): string => html.replace(/^(?:<p><\/p>)+|(?:<p><\/p>)+$/g, "");
