import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Form } from "../../../ui/Form.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { useInboxAct } from "./inbox.queries.ts";

/** Writes an answer, which is emailed to the person, or a note, which stays at the desk. */
export function WriteEntry({ item, canAnswer }: { item: string; canAnswer: boolean }) {
  const { t } = useTranslation("adminInbox");
  const [kind, setKind] = useState<"answer" | "note">(canAnswer ? "answer" : "note");
  const [body, setBody] = useState("");
  const [missing, setMissing] = useState(false);
  // Sent twice, as after a lost answer, it is one entry.
  const [id, setId] = useState(() => crypto.randomUUID());
  const act = useInboxAct(supabase, item);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(!body.trim());
    if (!body.trim() || act.isPending) return;
    act.mutate(
      { write: kind, id, body: body.trim() },
      {
        onSuccess: () => {
          setBody("");
          setId(crypto.randomUUID());
          toast({ title: t(`written.${kind}`), tone: "success" });
        },
      },
    );
  };
  return (
    <Panel compact title={t("write")}>
      <Form onSubmit={submit} error={act.error && new Error(t("writeFailed"))}>
        {canAnswer ? (
          <div>
            <SegmentedControl
              label={t("write")}
              value={kind}
              onChange={setKind}
              options={(["answer", "note"] as const).map((value) => ({ value, label: t(`entries.${value}`) }))}
            />
          </div>
        ) : (
          <p className="text-ink-soft">{t("noAddress")}</p>
        )}
        <TextArea
          label={t(`fields.${kind}`)}
          value={body}
          onChange={({ target }) => setBody(target.value)}
          maxLength={10_000}
          className="w-full"
          {...(missing && !body.trim() ? { error: t("missing") } : {})}
        />
        <Button type="submit" className="justify-self-start" aria-busy={act.isPending} aria-disabled={act.isPending}>
          {t(`submit.${kind}`)}
        </Button>
      </Form>
    </Panel>
  );
}
