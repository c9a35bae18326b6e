import { storyLink } from "../../../shared/story-html.ts";

/** What a person typed as an address, as a link: "example.com" and "ada@example.com" are understood. Undefined for anything else. */
export function typedLink(typed: string): string | undefined {
  const text = typed.trim();
  if (/^[^\s@:/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return storyLink(`mailto:${text}`);
  if (/^[^\s:/@]+\.[^\s:/@.]{2,}(?:[:/?#]\S*)?$/.test(text)) return storyLink(`https://${text}`);
  return storyLink(text);
}
