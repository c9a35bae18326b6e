import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { isMailable } from "../../../../shared/credentials.ts";
import { LONGEST_WISH } from "../../../../shared/picture-request.ts";
import type { Photo } from "../../../data/photo.ts";
import { ownRequestQuery } from "../../../data/picture-requests.queries.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { useSession } from "../../../lib/session/session.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { RadioLines } from "../../../ui/RadioLines.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { useAskNotMe } from "./use-ask-not-me.ts";

interface NotMeDialogProps {
  client: SupabaseClient;
  photo: Pick<Photo, "id" | "type" | "pages">;
  /** Whether the reader has no account, and may say who they are. */
  isVisitor: boolean;
  onClose: () => void;
  /** Moves the focus after closing. */
  onClosed: () => void;
}

/** Renders the form in which somebody in a picture asks its managers to blur or hide it. */
export function NotMeDialog({ client, photo, isVisitor, onClose, onClosed }: NotMeDialogProps) {
  const { t } = useTranslation("notMe");
  const { asked, send, withdraw } = useAskNotMe(client, photo.id);
  const session = useSession();
  const userId = !isVisitor && session.state === "signed in" ? session.user.id : "";
  const own = useQuery({ ...ownRequestQuery(client, userId, photo.id), enabled: userId !== "" && !asked }).data;
  const canBlur = photo.type === "image" && !photo.pages;
  const [wish, setWish] = useState<"blur" | "hide">(canBlur ? "blur" : "hide");
  const [words, setWords] = useState("");
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [isChecked, setChecked] = useState(false);
  const isWrongEmail = email.trim() !== "" && !isMailable(email.trim());
  const isTooLong = words.trim().length > LONGEST_WISH;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isWrongEmail || isTooLong || send.isPending) return;
    send.mutate({ mediaId: photo.id, wish, words, name, ...(email.trim() && { email: email.trim() }) });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      onClosed={onClosed}
      title={asked ? t("askedTitle") : t("title")}
      description={asked ? undefined : t("text")}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of its fields are not keys of the open photo below it */}
      <div onKeyDown={(event) => event.stopPropagation()}>
        {asked ? (
          <div className="grid gap-5">
            <p role="status">{t("askedText")}</p>
            {withdraw.isError && <p role="alert">{t("failed")}</p>}
            <div className="flex flex-wrap gap-3">
              <Button size="large" onClick={onClose}>
                {t("close")}
              </Button>
              <Button size="large" variant="quiet" onClick={() => withdraw.mutate(asked)}>
                {t("withdraw")}
              </Button>
            </div>
          </div>
        ) : (
          <Form onSubmit={submit} error={send.error && new Error(t(send.error.why))}>
            {own && own.state !== "open" && (
              <p role="status" className="rounded-xl bg-wash px-4 py-3 wrap-anywhere">
                {own.state === "done" ? t("wasDone") : t("wasDeclined")}
                {own.answer && ` ${t("theirWords", { words: own.answer })}`}
              </p>
            )}
            {canBlur ? (
              <RadioLines
                label={t("wish")}
                options={(["blur", "hide"] as const).map((value) => ({ value, label: t(value) }))}
                value={wish}
                onChange={setWish}
              />
            ) : (
              <p>{photo.type === "video" ? t("onlyHideVideo") : t("onlyHidePaper")}</p>
            )}
            <TextArea
              label={t("words")}
              hint={canBlur ? t("wordsHint") : undefined}
              rows={3}
              value={words}
              onChange={(event) => setWords(event.target.value)}
              error={isTooLong ? t("tooLong") : undefined}
            />
            {isVisitor && (
              <>
                <TextField
                  label={t("name")}
                  autoComplete="name"
                  maxLength={100}
                  value={name}
                  onChange={(event) => setName(event.target.value)}
                />
                <TextField
                  label={t("email")}
                  type="email"
                  inputMode="email"
                  autoComplete="email"
                  value={email}
                  onChange={(event) => setEmail(event.target.value)}
                  error={isChecked && isWrongEmail ? t("emailWrong") : undefined}
                />
              </>
            )}
            <SubmitButton busy={send.isPending}>{t("submit")}</SubmitButton>
          </Form>
        )}
      </div>
    </Dialog>
  );
}
