import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { MemoryContext } from "../data/memory-context.ts";
import {
  type MediaName,
  mediaNamesQuery,
  type PersonEntry,
  picturedPeopleQuery,
  usePicturedLive,
  type WhoQuestion,
  whoQuestionsQuery,
} from "../data/pictured.queries.ts";
import { picturedPeople } from "../data/pictured.ts";

const NO_ENTRIES: PersonEntry[] = [];
const NO_NAMES: MediaName[] = [];
const NO_QUESTIONS: WhoQuestion[] = [];

/** The questions about who is in a photo, by the photo's id. */
export function useWhoQuestions({ client, memory }: Pick<MemoryContext, "client" | "memory">) {
  const { data: questions = NO_QUESTIONS } = useQuery(whoQuestionsQuery(client, memory.id));
  return useMemo(() => new Map(questions.map((question) => [question.media_id, question])), [questions]);
}

/** The people in a memory's photos, live. */
export function usePictured({ client, memory }: Pick<MemoryContext, "client" | "memory">) {
  const { i18n } = useTranslation("common");
  const { data: entries = NO_ENTRIES } = useQuery(picturedPeopleQuery(client, memory.id));
  const { data: names = NO_NAMES } = useQuery(mediaNamesQuery(client, memory.id));
  usePicturedLive(client, memory.id);
  return useMemo(() => picturedPeople(entries, names, i18n.language), [entries, names, i18n.language]);
}
