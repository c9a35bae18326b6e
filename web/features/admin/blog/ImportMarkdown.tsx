import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { toast } from "../../../ui/toasts.tsx";

/** Replaces the editor's content with pasted Markdown. The editor's undo restores the old content. */
export function ImportMarkdown({ onImport }: { onImport: (html: string) => void }) {
  const { t } = useTranslation("adminBlog");
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const use = async () => {
    try {
      // The editor keeps only allowed elements, and runs no scripts.
      const html = (await import("marked")).marked.parse(text, { async: false });
      setOpen(false);
      setText("");
      onImport(html);
    } catch {
      toast({ title: t("markdown.failed"), tone: "problem" });
    }
  };
  return (
    <>
      <Button variant="plain" size="small" className="justify-self-start" onClick={() => setOpen(true)}>
        {t("markdown.open")}
      </Button>
      <Dialog title={t("markdown.open")} description={t("markdown.text")} open={open} onOpenChange={setOpen}>
        <div className="grid gap-5">
          <TextArea
            label={t("markdown.field")}
            value={text}
            onChange={({ target }) => setText(target.value)}
            rows={10}
            className="[&_textarea]:font-mono"
          />
          <Button className="justify-self-end" disabled={!text.trim()} onClick={() => void use()}>
            {t("markdown.use")}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
