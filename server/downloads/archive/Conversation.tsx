import type { Comment } from "../contents.ts";
import { writtenDay } from "./days.ts";
import type { MemoryPageProps } from "./memory-page-props.ts";

/** What was said about a memory and its photos, as it was said. */
export function Conversation({ memory: { comments }, items, words }: MemoryPageProps) {
  const heads = comments.filter(({ parent_id }) => parent_id === null);
  if (heads.length === 0) return null;
  const about = ({ media_id }: Comment) => {
    const shown = items.find(({ item }) => item.id === media_id);
    return shown && <a href={shown.large ?? shown.file}>{words.aboutPhoto}</a>;
  };
  const said = (comment: Comment) =>
    comment.body === "" ? (
      <p className="by">{words.deleted}</p>
    ) : (
      <>
        <p>
          <strong>{comment.author_name || words.someone}</strong>{" "}
          <span className="when">{writtenDay(comment.created_at, words)}</span> {about(comment)}
        </p>
        <p className="said">{comment.body}</p>
      </>
    );
  return (
    <section aria-labelledby="conversation" className="text">
      <h2 id="conversation">{words.conversation}</h2>
      <ul className="talk">
        {heads.map((head) => {
          const answers = comments.filter(({ parent_id }) => parent_id === head.id);
          return (
            <li key={head.id}>
              {said(head)}
              {answers.length > 0 && (
                <ul className="talk">
                  {answers.map((answer) => (
                    <li key={answer.id}>{said(answer)}</li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
