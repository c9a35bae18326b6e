import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EditConflict } from "../../../data/save-over.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConflictNote } from "../../../ui/ConflictNote.tsx";
import { Form } from "../../../ui/Form.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { type LinkLabel, type ShareLink, useNameLink } from "./links.queries.ts";

const MAX_LENGTH = 100;

/** Renders the form for a link's name, which only managers see. */
export function LinkName({ link, onDone }: { link: ShareLink; onDone: () => void }) {
  const { t } = useTranslation("sharing");
  const [label, setLabel] = useState(link.label);
  // The name as the form opened with it. The list may show a newer one, which must not be overwritten unseen.
  const [base] = useState<LinkLabel>(link);
  const save = useNameLink(supabase, link);
  const conflict = save.error instanceof EditConflict ? (save.error as EditConflict<LinkLabel>) : undefined;
  const name = (base: LinkLabel) => save.mutate({ base, label: label.trim() }, { onSuccess: onDone });
  return (
    <Form
      className="gap-3"
      error={save.isError && !conflict ? new Error(t("change.failed")) : null}
      onSubmit={(event) => {
        event.preventDefault();
        name(base);
      }}
    >
      <TextField
        label={t("name.label")}
        hint={t("name.hint")}
        value={label}
        maxLength={MAX_LENGTH}
        autoComplete="off"
        onChange={({ target }) => setLabel(target.value)}
      />
      {conflict && (
        <ConflictNote
          changes={[{ label: t("name.label"), theirs: conflict.stored.label, mine: label.trim() }]}
          onMine={() => name(conflict.stored)}
          onTheirs={onDone}
        />
      )}
      <Button type="submit" size="small" className="justify-self-start" disabled={save.isPending}>
        {t("name.save")}
      </Button>
    </Form>
  );
}
