import { useTranslation } from "react-i18next";
import type { ApproximateDate } from "../../../../shared/approximate-date.ts";
import { useUndoProblem } from "../../../actions/undo-problem.ts";
import { type AnswerState, type PhotoAnswer, useDecideAnswer } from "../../../data/letters.queries.ts";
import { useNamePhotos, useRemoveNames } from "../../../data/pictured.queries.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { toast } from "../../../ui/toasts.tsx";
import type { ChosenPerson } from "../people/use-naming.ts";
import { datesFor, datesOf, useDescribe, useSetDates } from "../photos.queries.ts";

/** The photo of an answer, with the date that its members see. */
export const photoOf = ({ photo: { details, ...photo } }: PhotoAnswer) => ({
  ...photo,
  taken_at: details?.taken_at ?? photo.taken_at,
  taken_source: details?.taken_source ?? null,
});

/** Returns functions that decide about one answer, each with an undo in the toast. */
export function useAccept(client: SupabaseClient, memoryId: string, answer: PhotoAnswer) {
  const { t } = useTranslation("questions");
  const undoFailed = useUndoProblem();
  const { mutateAsync: decideAsync } = useDecideAnswer(client, memoryId);
  const naming = useNamePhotos(client, memoryId);
  const removing = useRemoveNames(client, memoryId);
  const dating = useSetDates(client, memoryId);
  const describing = useDescribe(client, { id: answer.photo.id, memory_id: memoryId });
  const photo = photoOf(answer);
  const before = answer.state;

  const failed = () =>
    toast({ title: t("answers.decideFailed"), description: t("answers.failedText"), tone: "problem" });
  const setState = (state: AnswerState) => decideAsync({ id: answer.id, state });
  /** Changes something and then the answer's state, and offers to take both back. */
  const withUndo = async (state: AnswerState, change: () => Promise<() => Promise<unknown>>) => {
    try {
      const takeBack = await change();
      await setState(state);
      const onSelect = () =>
        void takeBack()
          .then(() => setState(before))
          .catch((error: unknown) => undoFailed(error, failed));
      toast({
        title: state === "accepted" ? t("accept.done") : t(`answers.decided.${state}`),
        tone: "success",
        action: { label: t("answers.undo"), onSelect },
      });
      return true;
    } catch {
      failed();
      return false;
    }
  };

  return {
    /** Keeps an answer, sets it aside, or opens it again. */
    decide: (state: Exclude<AnswerState, "accepted">) => withUndo(state, async () => async () => {}),
    /** Accepts who: names the people in the photo. */
    name: (people: readonly ChosenPerson[]) =>
      withUndo("accepted", async () => {
        const named: string[] = [];
        for (const person of people) {
          const ids = await naming.mutateAsync({ mediaIds: [photo.id], person });
          if (ids.length > 0) named.push(person.id);
        }
        return async () => {
          if (named.length > 0) await removing.mutateAsync({ mediaIds: [photo.id], personIds: named });
        };
      }),
    /** Accepts when: sets the photo's date as written by hand. */
    date: (date: ApproximateDate | null) =>
      withUndo("accepted", async () => {
        const dates = datesFor([photo], date);
        await dating.mutateAsync({ dates });
        return () => dating.mutateAsync({ dates: datesOf([photo]), expected: dates });
      }),
    /** Accepts where: changes the photo's caption. */
    caption: (caption: string) =>
      withUndo("accepted", async () => {
        const stored = await describing.mutateAsync({ base: photo, changes: { caption } });
        return () => describing.mutateAsync({ base: stored, changes: { caption: photo.caption } });
      }),
  };
}
