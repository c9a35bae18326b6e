import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Navigate } from "react-router";
import { answersQuery, lettersQuery, useLettersLive } from "../data/letters.queries.ts";
import { memoryQuery, rightsQuery } from "../data/memories.queries.ts";
import { AnswerList } from "../features/photos/letters/AnswerList.tsx";
import { LetterList } from "../features/photos/letters/LetterList.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useRowId } from "../lib/browser/use-row-id.ts";
import { supabase } from "../lib/request/supabase.ts";
import { paths } from "../paths.ts";
import { BackHead } from "../ui/BackHead.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** `/memory/{id}/questions`: whom members have asked about photos, and the answers for the managers. */
export default function QuestionsPage() {
  const { t } = useTranslation("questions");
  const id = useRowId();
  const memory = useQuery(memoryQuery(supabase, id));
  const rights = useQuery(rightsQuery(supabase, id));
  const letters = useQuery(lettersQuery(supabase, id));
  const answers = useQuery(answersQuery(supabase, id));
  useLettersLive(supabase, id);
  usePageTitle(t("title"));
  if (rights.data && (!rights.data.contribute || rights.data.role === "visitor"))
    return <Navigate to={paths.memory(id)} replace />;
  const failed = [letters, answers, memory].find(({ isLoadingError }) => isLoadingError);
  return (
    <div className="page-width grid grid-cols-[minmax(0,1fr)] content-start gap-8 py-8 sm:py-12 [&>*]:max-w-4xl">
      <BackHead
        to={paths.memory(id)}
        back={t("back", { name: memory.data?.person_name ?? "…" })}
        title={t("title")}
        text={t("text")}
      />
      {failed ? (
        <Problem error={new Error(t("failed"))} retry={failed.refetch} />
      ) : !letters.data || !answers.data || !memory.data ? (
        <div className="grid gap-4">
          <Skeleton className="h-44 rounded-3xl" />
          <Skeleton className="h-24 rounded-3xl" />
        </div>
      ) : letters.data.length === 0 ? (
        <Empty picture="photos" title={t("none.title")} text={t("none.text")} />
      ) : (
        <>
          {rights.data?.manage && (
            <section aria-labelledby="answers-title" className="grid grid-cols-[minmax(0,1fr)] gap-4">
              <h2 id="answers-title" className="font-serif text-2xl sm:text-3xl">
                {t("answers.title")}
              </h2>
              {answers.data.length === 0 ? (
                <p className="text-ink-soft">{t("answers.none")}</p>
              ) : (
                <AnswerList context={{ client: supabase, memory: memory.data }} answers={answers.data} />
              )}
            </section>
          )}
          <section aria-labelledby="letters-title" className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <h2 id="letters-title" className="font-serif text-2xl sm:text-3xl">
              {t("letters.title")}
            </h2>
            <LetterList client={supabase} memory={memory.data} letters={letters.data} />
          </section>
        </>
      )}
    </div>
  );
}
