import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Letter, useRenewLetter, useWithdrawLetter } from "../../../data/letters.queries.ts";
import type { Memory } from "../../../data/memories.queries.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { LetterLink } from "./LetterLink.tsx";

interface LetterListProps {
  client: SupabaseClient;
  memory: Pick<Memory, "id" | "person_name">;
  letters: readonly Letter[];
}

/** The questions that were asked: to whom, whether their link still opens, and how to end or renew it. */
export function LetterList({ client, memory, letters }: LetterListProps) {
  const { t, i18n } = useTranslation("questions");
  const renew = useRenewLetter(client, memory.id);
  const withdraw = useWithdrawLetter(client, memory.id);
  const [link, setLink] = useState<{ letterKey: string; recipient: string; note: string }>();
  const date = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "medium" });
  const onError = () =>
    toast({ title: t("answers.decideFailed"), description: t("answers.failedText"), tone: "problem" });
  const change = (id: string, withdrawn: boolean) =>
    withdraw.mutate(
      { id, withdrawn },
      {
        onError,
        onSuccess: () =>
          toast({
            title: withdrawn ? t("letters.withdrawnNow") : t("letters.reopened"),
            tone: "success",
            action: {
              label: t("answers.undo"),
              onSelect: () => withdraw.mutate({ id, withdrawn: !withdrawn }, { onError }),
            },
          }),
      },
    );
  const stateOf = (letter: Letter) =>
    letter.is_open
      ? t("letters.open", { date: date.format(new Date(letter.expires_at)) })
      : t(letter.withdrawn_at ? "letters.withdrawn" : "letters.ended");
  return (
    <>
      <ul className="m-0 grid list-none gap-3 p-0">
        {letters.map((letter) => (
          <li
            key={letter.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-3xl border border-line bg-raised p-4 shadow-soft sm:p-5"
          >
            <div className="grid min-w-0 gap-1">
              <h3 dir="auto" className="font-serif text-xl wrap-anywhere">
                {letter.recipient}
              </h3>
              <p className="text-sm text-ink-soft wrap-anywhere">
                {[
                  t("letters.photos", { count: letter.media_ids.length }),
                  letter.asked_by && t("letters.by", { name: letter.asked_by }),
                  stateOf(letter),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              <Button
                size="small"
                variant="quiet"
                onClick={() =>
                  !renew.isPending &&
                  renew.mutate(letter.id, {
                    onError,
                    onSuccess: (letterKey) => setLink({ letterKey, recipient: letter.recipient, note: letter.note }),
                  })
                }
              >
                {t("letters.newLink")}
              </Button>
              <Button size="small" variant="plain" onClick={() => change(letter.id, letter.withdrawn_at === null)}>
                {letter.withdrawn_at === null ? t("letters.withdraw") : t("letters.reopen")}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {link && (
        <Dialog open title={t("link.title", { name: link.recipient })} onOpenChange={() => setLink(undefined)}>
          <LetterLink {...link} memory={memory.person_name} />
        </Dialog>
      )}
    </>
  );
}
