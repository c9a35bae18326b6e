import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { AlbumName } from "./album-name.ts";
import { useCreateAlbum } from "./albums.queries.ts";

interface NewAlbumProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Creates an album and opens it. */
export function NewAlbum({ open, onOpenChange }: NewAlbumProps) {
  const { t } = useTranslation("albums");
  return (
    <Dialog title={t("new")} open={open} onOpenChange={onOpenChange}>
      <NewAlbumForm />
    </Dialog>
  );
}

function NewAlbumForm() {
  const { t } = useTranslation("albums");
  const navigate = useNavigate();
  const create = useCreateAlbum(supabase);
  const form = useForm<AlbumName>({ resolver: zodResolver(AlbumName), defaultValues: { name: "" } });
  return (
    <Form
      onSubmit={form.handleSubmit(({ name }) => create.mutate(name, { onSuccess: (id) => navigate(paths.album(id)) }))}
      error={create.isError ? new Error(t("createFailed")) : null}
    >
      <TextField
        label={t("name")}
        placeholder={t("namePlaceholder")}
        autoComplete="off"
        maxLength={200}
        error={form.formState.errors.name && t("nameMissing")}
        {...form.register("name")}
      />
      {/* Busy after a success too, until the page of the album is open. */}
      <SubmitButton busy={create.isPending || create.isSuccess}>{t("create")}</SubmitButton>
    </Form>
  );
}
