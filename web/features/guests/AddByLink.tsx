import { useQuery } from "@tanstack/react-query";
import { Feather, Hourglass } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { OpenedShareContext } from "../../data/shared-link.queries.ts";
import { browserStorage } from "../../lib/browser/storage.ts";
import { useGuest } from "../../lib/session/guest.ts";
import { claimsIn } from "../../lib/session/token-claims.ts";
import { RecordButton } from "../../media/recording/RecordButton.tsx";
import { forgetHandedOver } from "../../media/recording/recording-store.ts";
import { AddPhotosButton } from "../../media/uploads/AddPhotosButton.tsx";
import { DropAnywhere } from "../../media/uploads/DropAnywhere.tsx";
import { uploadsBy } from "../../media/uploads/queues.ts";
import { UploadTray } from "../../media/uploads/UploadTray.tsx";
import { useForgetShown, useUploads } from "../../media/uploads/use-uploads.ts";
import { Button } from "../../ui/Button.tsx";
import { toast } from "../../ui/toasts.tsx";
import type { ChosenFiles } from "./chosen-files.ts";
import { OwnAdditions } from "./OwnAdditions.tsx";
import { type Adder, type Addition, additionsQuery, useSaveWords } from "./own-additions.queries.ts";
import { TextForm } from "./TextForm.tsx";

interface AddByLinkProps {
  share: OpenedShareContext & { memoryId: string };
  /** The files that were chosen here or elsewhere on the page. */
  chosen: ChosenFiles;
  title?: string | undefined;
  /** A sentence under the title. */
  text?: string;
}

/** Adds photos and text by a link, with an account or under a name. The name is asked for after the photos are chosen. */
export default function AddByLink({ share, chosen, text, ...props }: AddByLinkProps) {
  const { t } = useTranslation("guests");
  const { session } = share;
  const { guest, askName } = useGuest();
  const person = claimsIn(session.token).sub;
  const title = props.title ?? t("add.title");
  const [writes, setWrites] = useState(false);
  const section = useRef<HTMLElement>(null);

  // The files may have been chosen at the top of the page; their progress is here.
  const { count, add } = chosen;
  const isUnnamed = guest === null && typeof person !== "string";
  useEffect(() => {
    if (count === 0) return;
    section.current?.scrollIntoView({ block: "nearest" });
    if (isUnnamed) askName?.();
  }, [count, isUnnamed, askName]);

  const uploads = { share, chosen, title, writes };
  return (
    <section
      ref={section}
      aria-label={title}
      className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-3xl border border-line bg-raised p-5 sm:p-6 print:hidden"
    >
      {guest ? (
        <GuestUploads key={guest.id} {...uploads} by={{ id: guest.id, column: "guest_id" }}>
          <p className="flex flex-wrap items-center gap-x-3">
            <span className="wrap-anywhere">{t("add.as", { name: guest.name })}</span>
            <Button variant="plain" size="small" onClick={() => askName?.()}>
              {t("add.rename")}
            </Button>
          </p>
        </GuestUploads>
      ) : typeof person === "string" ? (
        <GuestUploads key={person} {...uploads} by={{ id: person, column: "own_id" }} />
      ) : (
        <div className="grid gap-3">
          <DropAnywhere onFiles={add} />
          <h2 className="font-serif text-2xl wrap-anywhere">{title}</h2>
          <p className="text-ink-soft">{text ? `${text} ${t("add.nameIsEnough")}` : t("add.text")}</p>
          {count > 0 && (
            <div className="grid justify-items-start gap-2 rounded-2xl bg-wash p-4">
              <p role="status">{t("add.chosen", { count })}</p>
              <Button onClick={() => askName?.()}>{t("add.giveName")}</Button>
            </div>
          )}
          <div className="flex flex-wrap gap-2">
            <AddPhotosButton variant={count > 0 ? "quiet" : "primary"} onFiles={add}>
              {t("add.photos")}
            </AddPhotosButton>
            <RecordButton
              memoryId={share.memoryId}
              labelled
              onFiles={(files) => {
                add(files);
                return undefined;
              }}
            />
            <Button
              icon={Feather}
              variant="quiet"
              onClick={() => {
                setWrites(true);
                askName?.(() => setWrites(false));
              }}
            >
              {t("add.words")}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}

interface GuestUploadsProps {
  share: OpenedShareContext & { memoryId: string };
  by: Adder;
  chosen: ChosenFiles;
  title: string;
  /** Whether the visitor wanted to write before they gave their name. */
  writes: boolean;
  /** The guest's name, with a button to change it. */
  children?: ReactNode;
}

const LONGEST = 20_000;
const NOTHING: Addition[] = [];

/** The visitor's uploads and texts, with a receipt for each that was stored. */
function GuestUploads({ share, by, chosen, title, writes, children }: GuestUploadsProps) {
  const { t } = useTranslation("guests");
  const { client, memoryId, session, sender } = share;
  const queue = uploadsBy(client, sender);
  const uploads = useUploads(memoryId, queue, client);
  const additions = useQuery(additionsQuery(client, memoryId, by));
  useForgetShown(uploads, additions.data ?? NOTHING, client);
  useEffect(() => void queue.restore(by.id), [queue, by.id]);

  // Reloads the additions when an upload is stored. Upload-only visitors see nothing else of the memory.
  const arrived = uploads.files.filter(({ state }) => state === "stored").length;
  const { refetch } = additions;
  useEffect(() => {
    if (arrived > 0) void refetch();
  }, [arrived, refetch]);

  const add = useCallback(
    (files: File[]) => queue.add({ who: by.id, memoryId, files, firstAsCover: false }),
    [queue, by.id, memoryId],
  );
  const { count, take } = chosen;
  useEffect(() => {
    const files = count > 0 ? take() : [];
    // Recordings that were made before the name was given are stored now.
    if (files.length > 0) void add(files).then(forgetHandedOver);
  }, [count, take, add]);
  const [draft] = useState(() => guestDraft(memoryId, by));
  const [writing, setWriting] = useState(() => (draft.read() === "" && !writes ? undefined : crypto.randomUUID()));
  const saveText = useSaveWords(client, memoryId, by);
  return (
    <>
      <DropAnywhere onFiles={(files) => void add(files)} />
      <div className="grid gap-3">
        <h2 className="font-serif text-2xl wrap-anywhere">{title}</h2>
        {children}
        {session.moderated && (
          <p className="flex items-start gap-2 text-ink-soft">
            <Hourglass aria-hidden className="mt-1 size-5 shrink-0" />
            {t("add.moderated")}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <AddPhotosButton onFiles={(files) => void add(files)}>{t("add.photos")}</AddPhotosButton>
          <RecordButton memoryId={memoryId} labelled onFiles={add} />
          {writing === undefined && (
            <Button icon={Feather} variant="quiet" onClick={() => setWriting(crypto.randomUUID())}>
              {t("add.words")}
            </Button>
          )}
        </div>
      </div>
      {writing !== undefined && (
        <TextForm
          label={t("write.label")}
          hint={t("write.hint")}
          submit={t("write.send")}
          initial={draft.read()}
          onWritten={draft.keep}
          longest={LONGEST}
          busy={saveText.isPending}
          problem={saveText.isError ? t("write.failed") : undefined}
          onCancel={() => {
            draft.keep("");
            setWriting(undefined);
          }}
          onSave={(text) =>
            saveText.mutate(
              { id: writing, text },
              {
                onSuccess: () => {
                  draft.keep("");
                  setWriting(undefined);
                  toast({ title: t("write.sent"), tone: "success" });
                },
              },
            )
          }
        />
      )}
      <UploadTray uploads={uploads} guest />
      <OwnAdditions client={client} memoryId={memoryId} by={by} />
    </>
  );
}

/** Unsent text, stored across reloads until it is sent or discarded. */
function guestDraft(memoryId: string, by: { id: string }) {
  const key = `skies-begun-${memoryId}-${by.id}`;
  return {
    read: () => browserStorage.getItem(key) ?? "",
    keep(text: string): void {
      if (text.trim() === "") browserStorage.removeItem(key);
      else browserStorage.setItem(key, text);
    },
  };
}
