import type { Editor } from "@tiptap/react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { storyLink } from "../../../shared/story-html.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { TextField } from "../../ui/TextField.tsx";

interface LinkWindowProps {
  editor: Editor;
  open: boolean;
  onClose: () => void;
}

/** Asks for the target of a link on the selected text. */
export function LinkWindow({ editor, open, onClose }: LinkWindowProps) {
  const { t } = useTranslation("stories");
  return (
    <Dialog
      title={t("link.title")}
      open={open}
      onOpenChange={(next) => !next && onClose()}
      onClosed={() => editor.commands.focus()}
    >
      <LinkForm editor={editor} onDone={onClose} />
    </Dialog>
  );
}

function LinkForm({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const { t } = useTranslation("stories");
  const [before] = useState(() => String(editor.getAttributes("link").href ?? ""));
  const [wrong, setWrong] = useState(false);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React bubbles events through portals: without this, the enclosing form would be submitted too.
    event.stopPropagation();
    const typed = String(new FormData(event.currentTarget).get("address") ?? "");
    const href = typedLink(typed);
    if (!href) return setWrong(true);
    if (before || !editor.state.selection.empty) editor.chain().extendMarkRange("link").setLink({ href }).run();
    else {
      const text = { type: "text", text: typed.trim(), marks: [{ type: "link", attrs: { href } }] };
      editor.chain().insertContent(text).unsetMark("link").run();
    }
    onDone();
  };

  return (
    <Form onSubmit={submit}>
      <TextField
        name="address"
        label={t("link.address")}
        hint={t("link.hint")}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={before}
        error={wrong ? t("link.wrong") : undefined}
        autoFocus
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton size="medium">{t("link.set")}</SubmitButton>
        {before && (
          <Button
            variant="quiet"
            onClick={() => {
              editor.chain().extendMarkRange("link").unsetLink().run();
              onDone();
            }}
          >
            {t("link.remove")}
          </Button>
        )}
      </div>
    </Form>
  );
}

/** Parses a typed address into a URL, also "example.com" and "ada@example.com"; undefined for any other text. */
export function typedLink(typed: string): string | undefined {
  const text = typed.trim();
  if (/^[^\s@:/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return storyLink(`mailto:${text}`);
  if (/^[^\s:/@]+\.[^\s:/@.]{2,}(?:[:/?#]\S*)?$/.test(text)) return storyLink(`https://${text}`);
  return storyLink(text);
}
