import { TriangleAlert } from "lucide-react";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { STORY_LIMIT } from "../../../shared/story-html.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { type DraftSlot, forgetDraft, type StoryDraft } from "../../lib/session/story-drafts.ts";
import type { EditorHandle } from "../../media/editor/RichEditor.tsx";
import { RichTextField } from "../../media/editor/RichTextField.tsx";
import { useStoryMedia } from "../../media/use-story-media.ts";
import { Button } from "../../ui/Button.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { toast } from "../../ui/toasts.tsx";
import { StoryText } from "./StoryText.tsx";
import { Overtaken, type Target, type Version } from "./saving.queries.ts";
import { mediaIn } from "./shown-story.ts";
import { useSaveDraft, useSaveStory } from "./use-save-story.ts";

export interface WritingProps {
  client: SupabaseClient;
  memory: { id: string; kind: "tribute" | "event" };
  target: Target;
  /** The stored text when editing begins. */
  version: Version;
  onClosed: () => void;
  /** Called to reopen the form by the undo, after it was discarded. */
  onReopen: () => void;
}

/** Renders the form for a story. The draft is stored on this device until it is saved or discarded. */
export function WriterForm({ client, memory, target, version, slot, ...leave }: WritingProps & { slot: DraftSlot }) {
  const { t } = useTranslation("stories");
  const [title, setTitle] = useState(slot.storedDraft?.title ?? version.title);
  const [html, setHtml] = useState(slot.storedDraft?.html ?? version.html);
  const [base, setBase] = useState<Version>(() => (slot.storedDraft ? baseOf(slot.storedDraft) : version));
  const [missing, setMissing] = useState(false);
  const editor = useRef<EditorHandle>(undefined);
  const own = target === "own";
  const hasChanges = html !== base.html || title !== base.title;
  const { keptAt, keepNow } = useSaveDraft(slot, { title, html, base }, hasChanges);
  const putAside = usePutAside(slot.id, leave);
  const save = useSaveStory({ client, memoryId: memory.id, target, newId: slot.id, onSaved: leave.onClosed });
  const overtaken = save.error instanceof Overtaken ? save.error : undefined;

  const send = (over: Version) => {
    if (!own && !html) return setMissing(true);
    if (html.length <= STORY_LIMIT) save.mutate({ text: { title: title.trim(), html }, over });
  };
  const continueFrom = (from: Version) => {
    setBase(from);
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(base);
  };
  return (
    <Form
      onSubmit={submit}
      error={save.isError && !overtaken ? new Error(t("write.failed")) : null}
      className="max-w-[44rem] rounded-3xl border border-line bg-paper p-3 shadow-soft max-sm:-mx-4 sm:w-full sm:p-6"
    >
      {slot.storedDraft && hasChanges && !overtaken && <p className="text-ink-soft">{t("write.found")}</p>}
      {overtaken && (
        <OvertakenNotice
          client={client}
          memoryId={memory.id}
          now={overtaken.now}
          onTakeTheirs={(theirs) => {
            editor.current?.replace(theirs.html);
            setTitle(theirs.title);
            continueFrom(theirs);
          }}
          onTakeBoth={(theirs) => {
            editor.current?.append(theirs.html);
            continueFrom(theirs);
          }}
          onKeepMine={(theirs) => {
            setBase(theirs);
            send(theirs);
          }}
        />
      )}
      {!own && (
        <TextField
          label={t("write.title")}
          hint={t("write.titleHint")}
          maxLength={200}
          autoComplete="off"
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      )}
      <RichTextField
        client={client}
        memoryId={memory.id}
        label={own ? t("write.own") : t("write.story")}
        error={missing && !html ? t("write.empty") : html.length > STORY_LIMIT ? t("write.tooLong") : undefined}
        placeholder={memory.kind === "tribute" ? t("write.placeholder") : t("write.placeholderEvent")}
        html={html}
        onChange={setHtml}
        autoFocus
        onReady={(handle) => {
          editor.current = handle;
        }}
      />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton size="medium" busy={save.isPending}>
          {t("write.save")}
        </SubmitButton>
        <Button
          variant="quiet"
          onClick={() => {
            if (!hasChanges) return leave.onClosed();
            keepNow();
            putAside();
          }}
        >
          {hasChanges && slot.storedDraft ? t("write.startOver") : t("write.cancel")}
        </Button>
        <p role="status" className="text-sm text-ink-soft">
          {hasChanges && keptAt && t("write.kept")}
        </p>
      </div>
    </Form>
  );
}

/** Drafts of earlier versions have no revision. 0 is older than any, so that the stored text is compared. */
const baseOf = ({ base: { title, html, revision, updatedAt } }: StoryDraft): Version => ({
  title,
  html,
  revision: revision ?? (updatedAt ? 0 : null),
});

/** Returns a function that discards a draft, with an undo in the toast. */
function usePutAside(id: string, { onClosed, onReopen }: { onClosed: () => void; onReopen: () => void }) {
  const { t } = useTranslation("stories");
  return () => {
    let isCurrent = false;
    onClosed();
    toast({
      title: t("write.aside"),
      action: {
        label: t("write.undo"),
        onSelect: () => {
          isCurrent = true;
          onReopen();
        },
      },
      onClosed: () => {
        if (!isCurrent) void forgetDraft(id);
      },
    });
  };
}

interface OvertakenNoticeProps {
  client: SupabaseClient;
  memoryId: string;
  /** Another person's newer version; null if they deleted the story. */
  now: Version | null;
  onTakeTheirs: (theirs: Version) => void;
  onTakeBoth: (theirs: Version) => void;
  onKeepMine: (theirs: Version) => void;
}

const NOT_THERE: Version = { title: "", html: "", revision: null };

/** Renders both versions after an edit conflict, so that nothing is overwritten unnoticed. */
function OvertakenNotice({ client, memoryId, now, ...choices }: OvertakenNoticeProps) {
  const { t } = useTranslation("stories");
  const ids = useMemo(() => mediaIn([now?.html ?? ""]), [now]);
  const { media } = useStoryMedia(client, memoryId, ids);
  const notice = useRef<HTMLElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <section
      ref={notice}
      tabIndex={-1}
      aria-labelledby="overtaken"
      className="grid gap-4 rounded-2xl border border-edge bg-raised p-4 outline-none sm:p-6"
    >
      <div className="grid gap-1">
        <h2 id="overtaken" className="flex items-center gap-3 font-semibold">
          <TriangleAlert aria-hidden className="size-5 shrink-0 text-deep" />
          {t("write.overtakenTitle")}
        </h2>
        <p className="text-ink-soft">{now ? t("write.overtakenText") : t("write.goneText")}</p>
      </div>
      {now && (
        <section aria-label={t("write.itsWords")} className="grid gap-2 rounded-xl bg-sunken p-4">
          {now.title && (
            <p dir="auto" className="font-serif text-xl font-semibold">
              {now.title}
            </p>
          )}
          <StoryText html={now.html} media={media} titled />
        </section>
      )}
      <div className="flex flex-wrap gap-3">
        {now ? (
          <>
            <Button variant="quiet" onClick={() => choices.onTakeTheirs(now)}>
              {t("write.takeTheirs")}
            </Button>
            <Button variant="quiet" onClick={() => choices.onTakeBoth(now)}>
              {t("write.takeBoth")}
            </Button>
            <Button variant="quiet" onClick={() => choices.onKeepMine(now)}>
              {t("write.keepMine")}
            </Button>
          </>
        ) : (
          <Button onClick={() => choices.onKeepMine(NOT_THERE)}>{t("write.saveNew")}</Button>
        )}
      </div>
    </section>
  );
}
