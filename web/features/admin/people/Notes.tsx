import { useInfiniteQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { dateText, localeOf } from "../../../lib/formatting/locale.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { useUser } from "../../../lib/session/session.ts";
import { Button } from "../../../ui/Button.tsx";
import { LoadMore } from "../../../ui/LoadMore.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { DeskProblem } from "../DeskTable.tsx";
import { notesQuery, useChangeNotes } from "./people.queries.ts";

/** Staff notes about an account. Administrators add notes and delete their own. */
export function Notes({ userId }: { userId: string }) {
  const { t, i18n } = useTranslation("adminPeople");
  const user = useUser();
  const notes = useInfiniteQuery(notesQuery(supabase, userId));
  const change = useChangeNotes(supabase, userId);
  const [body, setBody] = useState("");
  const onError = () => toast({ title: t("notes.failed"), tone: "problem" });
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (body.trim() && !change.isPending)
      change.mutate({ body: body.trim() }, { onSuccess: () => setBody(""), onError });
  };
  return (
    <Panel compact title={t("notes.title")}>
      {notes.isLoadingError && <DeskProblem retry={notes.refetch} />}
      {notes.data?.length === 0 && <p className="text-ink-soft">{t("notes.none")}</p>}
      <ul className="m-0 grid list-none gap-4 p-0">
        {notes.data?.map(({ id, author, body: text, created_at }) => (
          <li key={id} className="grid gap-1">
            <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
            <p className="flex flex-wrap items-center gap-x-3 text-sm text-ink-soft">
              {dateText(created_at, localeOf(i18n.language))}
              {author === user.id && (
                <Button
                  variant="plain"
                  size="small"
                  onClick={() =>
                    change.mutate(
                      { remove: id },
                      {
                        onSuccess: () =>
                          toast({
                            title: t("notes.removed"),
                            action: {
                              label: t("notes.undo"),
                              onSelect: () => change.mutate({ body: text }, { onError }),
                            },
                          }),
                        onError,
                      },
                    )
                  }
                >
                  {t("notes.remove")}
                </Button>
              )}
            </p>
          </li>
        ))}
      </ul>
      <LoadMore pages={notes} />
      {user.role === "admin" && (
        <form onSubmit={add} className="grid justify-items-start gap-3">
          <TextArea
            label={t("notes.new")}
            value={body}
            onChange={({ target }) => setBody(target.value)}
            maxLength={5000}
            className="w-full"
          />
          <Button type="submit" variant="quiet" disabled={!body.trim()} aria-busy={change.isPending}>
            {t("notes.add")}
          </Button>
        </form>
      )}
    </Panel>
  );
}
