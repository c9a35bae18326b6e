import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { OpenedLetter } from "../../../shared/letter.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { changeData } from "../../lib/request/refresh.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** What a letter asks about each photo. */
export const SUBJECTS = ["who", "when", "where"] as const;
export type Subject = (typeof SUBJECTS)[number];

/** The texts about a photo; an empty one is no answer. */
export type Answers = Record<Subject, string>;

type StoredAnswers = Partial<Record<Subject, { text: string; accepted: boolean }>>;

/** A photo of a letter with the answers so far. */
export interface LetterPhoto {
  id: string;
  object_name: string;
  width: number | null;
  height: number | null;
  colour: string | null;
  placeholder: string | null;
  answers: StoredAnswers;
}

/** What the link of a letter shows. */
export interface LetterContents {
  /** The memory's name. */
  memory: string;
  /** The name of the member who asks; empty if they have none. */
  asker: string;
  recipient: string;
  note: string;
  photos: LetterPhoto[];
  /** When it ends, in milliseconds of this page's monotonic clock. */
  deadline: number;
}

/** As the server answers it, with its own time. */
type Fetched = Omit<LetterContents, "deadline"> & { now: string; ends_at: string };

/** Everything is read again at least this often, so that a missed change never stays on the page. */
const READ_EVERY_MS = 60_000;

/** Reads what a letter shows; null once it has ended. */
export const useLetter = (client: SupabaseClient, { id, version }: Pick<OpenedLetter, "id" | "version">) =>
  useQuery({
    queryKey: queryKeys.letter(id, version),
    queryFn: async ({ signal }): Promise<LetterContents | null> => {
      const contents = (await client
        .rpc("letter_contents")
        .abortSignal(signal)
        .then(unwrap("Failed to load the letter"))) as unknown as Fetched | null;
      if (!contents) return null;
      const { now, ends_at, ...shown } = contents;
      return { ...shown, deadline: performance.now() + Date.parse(ends_at) - Date.parse(now) };
    },
    refetchInterval: READ_EVERY_MS,
  });

/** The answers about a photo as texts. */
export const textsOf = ({ answers }: LetterPhoto): Answers => ({
  who: answers.who?.text ?? "",
  when: answers.when?.text ?? "",
  where: answers.where?.text ?? "",
});

/** Returns a mutation that saves the answers about a photo. The same ones again change nothing. */
export function useAnswerPhoto(client: SupabaseClient, letter: Pick<OpenedLetter, "id" | "version">) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ photoId, answers }: { photoId: string; answers: Answers }) =>
      (await client
        .rpc("answer_photo", { media_id: photoId, who: answers.who, taken: answers.when, place: answers.where })
        .then(unwrap("Failed to save the answer"))) as unknown as StoredAnswers,
    onSuccess: (answers, { photoId }) =>
      changeData<LetterContents | null>(
        cache,
        queryKeys.letter(letter.id, letter.version),
        (contents) =>
          contents && {
            ...contents,
            photos: contents.photos.map((photo) => (photo.id === photoId ? { ...photo, answers } : photo)),
          },
      ),
  });
}
