import { textParts } from "./text-parts.ts";

/** What somebody wrote, as the plain text that it is: lines as written, and addresses of web pages to follow. */
export function CommentText({ text, names }: { text: string; names: readonly string[] }) {
  return (
    <p className="m-0 wrap-anywhere whitespace-pre-wrap">
      {textParts(text, names).map((part, index) => {
        // Parts of one text never change their places.
        const key = `${index}`;
        if (part.kind === "text") return part.text;
        if (part.kind === "mention") {
          return (
            <strong key={key} className="font-semibold text-deep">
              {part.text}
            </strong>
          );
        }
        return (
          <a key={key} href={part.href} target="_blank" rel="noopener noreferrer nofollow ugc">
            {part.text}
          </a>
        );
      })}
    </p>
  );
}
