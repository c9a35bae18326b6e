import { useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, Ellipsis, MessageCircleQuestion, Pencil, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDeletePrompt, useHiddenPrompts } from "../../actions/prompt-deletions.ts";
import type { MemoryAtAGlance } from "../../data/memories.queries.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import {
  type Answers,
  answersQuery,
  type Prompt,
  promptsQuery,
  useArrangePrompts,
  usePromptsLive,
} from "../../data/prompts.queries.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import type { AddRecording } from "../../media/recording/voice-recorder.ts";
import { useThumbnails } from "../../media/use-thumbnails.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuActions, MenuItem } from "../../ui/Menu.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { PromptCard } from "./PromptCard.tsx";

const PromptForm = lazyPart(() => import("./PromptForm.tsx"));

interface PromptsProps extends MemoryContext {
  memory: MemoryAtAGlance;
  /** Adds files to the memory; absent if the reader may not. */
  onFiles: AddRecording | undefined;
}

const NO_PROMPTS: Prompt[] = [];
const NO_ANSWERS: Answers = { media: [], texts: [] };

/** The questions and challenges of a memory's hosts, each a card with its answers. Nothing for guests without any. */
export default function Prompts({ onFiles, ...context }: PromptsProps) {
  const { client, memory, rights } = context;
  const { t } = useTranslation("prompts");
  usePromptsLive(client, memory.id);
  const hidden = useHiddenPrompts();
  const query = useQuery(promptsQuery(client, memory.id));
  const prompts = (query.data ?? NO_PROMPTS).filter(({ id }) => !hidden.has(id));
  const answers = useQuery({ ...answersQuery(client, memory.id), enabled: prompts.length > 0 }).data ?? NO_ANSWERS;
  // The memory says how many there are, and cards have one height, so that nothing below them moves.
  const expected = query.isPending ? memory.prompts : NO_PROMPTS;
  const pictureOf = useThumbnails(`prompts-${memory.id}`, answers.media, client);
  const arrange = useArrangePrompts(client, memory.id);
  const remove = useDeletePrompt(memory.id);
  const [editing, setEditing] = useState<Prompt | "new">();
  const close = () => setEditing(undefined);
  if (prompts.length + expected.length === 0 && !rights.manage) return null;

  const move = (from: number, to: number) => {
    const ids = prompts.map(({ id }) => id);
    ids.splice(to, 0, ...ids.splice(from, 1));
    arrange.mutate(ids, { onError: () => toast({ title: t("orderFailed"), tone: "problem" }) });
  };
  const menuOf = (prompt: Prompt, index: number) => (
    <Menu trigger={<IconButton icon={Ellipsis} label={t("menu.open")} className="-me-2 -mt-2 shrink-0" />}>
      <MenuItem icon={ArrowUp} disabled={index === 0} onSelect={() => move(index, index - 1)}>
        {t("menu.up")}
      </MenuItem>
      <MenuItem icon={ArrowDown} disabled={index === prompts.length - 1} onSelect={() => move(index, index + 1)}>
        {t("menu.down")}
      </MenuItem>
      <MenuActions
        actions={[
          { icon: Pencil, text: t("menu.edit"), onSelect: () => setEditing(prompt) },
          { icon: Trash2, text: t("menu.remove"), tone: "danger", onSelect: () => remove(prompt.id) },
        ]}
      />
    </Menu>
  );
  return (
    <section aria-labelledby="prompts-title" className="page-width grid gap-6">
      <div className="grid gap-1">
        <h2 id="prompts-title" className="font-serif text-2xl sm:text-3xl">
          {rights.manage ? t("hostTitle") : t("title")}
        </h2>
        <p className="text-ink-soft">{rights.manage ? t("hostText") : t("text")}</p>
      </div>
      {prompts.length + expected.length > 0 && (
        <ul className="-mx-4 my-0 flex snap-x scroll-px-4 list-none gap-4 overflow-x-auto px-4 pt-1 pb-4 print:flex-wrap">
          {expected.map(({ id }) => (
            <li key={id} className="shrink-0">
              <Skeleton className="h-96 w-72 rounded-3xl" />
            </li>
          ))}
          {prompts.map((prompt, index) => (
            <PromptCard
              key={prompt.id}
              {...context}
              prompt={prompt}
              answers={{
                media: answers.media.filter(({ prompt_id }) => prompt_id === prompt.id),
                texts: answers.texts.filter(({ prompt_id }) => prompt_id === prompt.id),
              }}
              pictureOf={pictureOf}
              onFiles={onFiles}
              menu={rights.manage && menuOf(prompt, index)}
            />
          ))}
        </ul>
      )}
      {rights.manage && (
        <Button
          icon={MessageCircleQuestion}
          variant="quiet"
          className="justify-self-start"
          onClick={() => setEditing("new")}
        >
          {t("add")}
        </Button>
      )}
      <Dialog
        title={editing === "new" || !editing ? t("form.title") : t("form.editTitle")}
        open={editing !== undefined}
        onOpenChange={close}
      >
        <Suspense fallback={<Skeleton className="h-96" />}>
          {editing && (
            <PromptForm
              client={client}
              memory={memory}
              stored={editing === "new" ? undefined : editing}
              used={new Set(prompts.map(({ suggestion }) => suggestion))}
              onClosed={close}
            />
          )}
        </Suspense>
      </Dialog>
    </section>
  );
}
