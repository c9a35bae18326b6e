import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { PhotoAnswer } from "../../../data/letters.queries.ts";
import type { MemoryContext } from "../../../data/memory-context.ts";
import { useThumbnails } from "../../../media/use-thumbnails.ts";
import { paths } from "../../../paths.ts";
import { AnswerLine } from "./AnswerLine.tsx";

interface AnswerListProps {
  context: Pick<MemoryContext, "client" | "memory">;
  answers: readonly PhotoAnswer[];
}

const SUBJECTS = ["who", "when", "where"] as const;

/** The answers by photo and subject, so that those of several people stand beside each other; photos with new ones first. */
export function AnswerList({ context, answers }: AnswerListProps) {
  const { t } = useTranslation("questions");
  const { client, memory } = context;
  const groups = useMemo(() => {
    const ids = [...new Set(answers.map(({ photo }) => photo.id))];
    const byPhoto = ids.map((id) =>
      SUBJECTS.flatMap((subject) => answers.filter(({ about, photo }) => photo.id === id && about === subject)),
    );
    const isNew = (group: readonly PhotoAnswer[]) => group.some(({ state }) => state === "new");
    return byPhoto.toSorted((a, b) => Number(isNew(b)) - Number(isNew(a)));
  }, [answers]);
  const photos = useMemo(() => groups.flatMap(([first]) => first?.photo ?? []), [groups]);
  const pictureOf = useThumbnails(`answers-${memory.id}`, photos, client);
  return (
    <ul className="m-0 grid list-none gap-4 p-0">
      {groups.map((group) => {
        const [first] = group;
        if (!first) return null;
        const { photo } = first;
        return (
          <li
            key={photo.id}
            className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-3xl border border-line bg-raised p-4 shadow-soft sm:grid-cols-[11rem_minmax(0,1fr)] sm:p-5"
          >
            <Link
              to={paths.photo(memory.id, photo.id)}
              aria-label={t("answers.photo")}
              className="block aspect-4/3 self-start overflow-hidden rounded-2xl bg-sunken"
              style={{ backgroundColor: photo.colour ?? undefined }}
            >
              {pictureOf(photo) && <img src={pictureOf(photo)} alt="" className="size-full object-cover" />}
            </Link>
            <ul className="m-0 list-none p-0">
              {group.map((answer) => (
                <AnswerLine key={answer.id} context={context} answer={answer} />
              ))}
            </ul>
          </li>
        );
      })}
    </ul>
  );
}
